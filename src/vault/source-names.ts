import { domainToASCII, domainToUnicode } from 'node:url';
import { knownProviders, type MailServerFormat, tldts } from './data.ts';
import { fold } from './layout.ts';

// Names of sources and senders: channels, addresses, account numbers, domains, mail servers, and addresses that look alike.

// A source is a channel (`mail`), or a pattern in it (`mail:anna@northgate-notary.example`): contract, section 1.

/** The channel of what a person does in the vault by hand. No file of the stream speaks for it. */
export const VAULT_EDIT = 'vault_edit';
/** Who speaks in that channel: the one whose vault it is. */
export const OWN_HAND = 'you';

/** The channel of agents: assistants that propose. No gate lets it act, whoever speaks in it. */
export const AGENT = 'agent';

/** The channel of mails that the user sent. Only a folder of sent mails that the user named on this machine speaks in it. */
export const SENT = 'sent';

/** Whether a source's channel is that of mails that the user sent. */
export function isSentMail(source: string): boolean {
  return sourceKey(parseChannel(source)) === SENT;
}

/** In the place of a source: the files that the user said are mails of theirs. No source has this name. */
export const OWN_FILES = 'imported';

/** Returns what authenticates a mail that the user sent: a connected source's folder, or the file that they imported. */
export function sentFolder(source: string): string {
  return source === OWN_FILES ? 'your imported file' : `your sent folder (${source})`;
}

/** The beginning of a pattern whose channel could have authenticated the sender and did not. */
const UNVERIFIED = 'unverified:';

/** The longest text that is looked at for an IBAN, which has 34 characters at most, and people put blanks in between. */
const MOST_WRITTEN = 64;
/** Not all zeros, as some banks write who is not known. */
const FORM = /^[A-Z]{2}(?!0+$)\d{2}[A-Z0-9]{11,30}$/;

/** Returns the name of a source: the channel alone, or the channel and who spoke in it. */
export function sourceName(channel: string, pattern: string | null): string {
  return pattern === null ? channel : `${channel}:${pattern}`;
}

export function parseChannel(source: string): string {
  const colon = source.indexOf(':');
  return colon < 0 ? source : source.slice(0, colon);
}

/** Returns who speaks in the channel, or null if the source is the channel itself. */
export function parsePattern(source: string): string | null {
  const colon = source.indexOf(':');
  return colon < 0 ? null : source.slice(colon + 1);
}

/** Returns the pattern of an unauthenticated sender: its hits and misses don't count for the true one. */
export function unverified(pattern: string): string {
  return `${UNVERIFIED}${pattern}`;
}

/**
 * The pattern of an event that doesn't name a single sender: such texts of strangers must not count for the channel.
 */
export const NOBODY = unverified('nobody');

/** Whether a source is a channel's pattern for events without a named sender. */
export function isOfNobody(source: string): boolean {
  return source.endsWith(`:${NOBODY}`);
}

/** Whether a pattern is that of an unauthenticated sender. */
export function isUnverified(pattern: string): boolean {
  return pattern.startsWith(UNVERIFIED);
}

/** Whether a source is a person's own hand in the vault. It counts only if the program itself wrote the signal. */
export function isOwnHand(source: string): boolean {
  return sourceKey(source) === sourceKey(sourceName(VAULT_EDIT, OWN_HAND));
}

/** Whether a source is an agent, however it is spelled: what it says is proposed at most. */
export function isAgent(source: string): boolean {
  return sourceKey(parseChannel(source)) === AGENT;
}

/** The channels of banks, whose bookings a statement of a trusted account authenticates. */
const BANKS: readonly string[] = ['bank', 'sure'];

/** Whether a source's channel is one that bookings come through. */
export function isBankChannel(source: string): boolean {
  return BANKS.includes(sourceKey(parseChannel(source)));
}

/** Whether only bookings speak in these contributions, by source. */
export function isOfBookings(contributions: Readonly<Record<string, number>>): boolean {
  const sources = Object.entries(contributions).flatMap(([source, share]) => (share > 0 ? [source] : []));
  return sources.length > 0 && sources.every(isBankChannel);
}

/** Returns who a pattern claims to be: itself, or the unauthenticated sender. */
export function claimedPattern(pattern: string): string {
  return isUnverified(pattern) ? pattern.slice(UNVERIFIED.length) : pattern;
}

/** Returns the key by which names of sources are compared: case and the spaces around them aside. */
export function sourceKey(source: string): string {
  return fold(source.trim());
}

/**
 * Returns a sender's bare address in lower case, without the `mailto:` or `Name <…>` that a note may have. An IBAN comes
 * without its blanks.
 */
export function plainSender(written: string): string {
  const bare = /<([^<>]+)>\s*$/.exec(written)?.[1] ?? written;
  return (parseIban(bare) ?? bare)
    .normalize('NFC')
    .trim()
    .toLowerCase()
    .replace(/^mailto:/, '');
}

/** Whether a list of senders (addresses, `@domain`, IBANs, names) names who a pattern claims to be. */
export function isSenderNamed(written: readonly string[], pattern: string): boolean {
  const sender = plainSender(claimedPattern(pattern));
  const domain = sender.includes('@') ? sender.slice(sender.lastIndexOf('@')) : null;
  return written.map(plainSender).some((one) => {
    return one !== '' && (one === sender || (one.startsWith('@') && one === domain));
  });
}

/**
 * Returns the IBAN that a text is, in capitals without blanks; null if it is no IBAN, or its check digits are wrong.
 */
export function parseIban(written: string): string | null {
  const iban = ibanForm(written);
  return iban !== null && hasCheckDigits(iban) ? iban : null;
}

/** Returns what has the form of an IBAN, in capitals without blanks, whatever its check digits; otherwise null. */
export function ibanForm(written: string | null | undefined): string | null {
  const text = written ?? '';
  if (text.length > MOST_WRITTEN) return null;
  const bare = text
    .replace(/[\s.-]/g, '')
    .toUpperCase()
    .replace(/^IBAN:?/, '');
  return FORM.test(bare) ? bare : null;
}

/** Whether the third and fourth character of a code are its check digits (ISO 7064, MOD 97-10): of an IBAN, or of a creditor's reference. */
export function hasCheckDigits(code: string): boolean {
  const moved = `${code.slice(4)}${code.slice(0, 4)}`;
  let rest = 0;
  for (const character of moved) {
    const value = Number.parseInt(character, 36);
    if (Number.isNaN(value)) return false;
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** Suffixes under which strangers register, such as `github.io`, are nobody's organisation: nor are `com` and `co.uk`. */
const SUFFIXES = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };
const MAX_DOMAIN = 255;

/** Returns the domain of an address, or of a bare domain, in lower-case punycode; null without a domain. */
export function addressDomain(address: string): string | null {
  const name = address.slice(address.lastIndexOf('@') + 1).trim();
  if (name.length > MAX_DOMAIN || !/^[^\s/?#\\:@%[\]]+$/u.test(name)) return null;
  const ascii = domainToASCII(name.normalize('NFC'));
  return ascii === '' ? null : ascii;
}

function shownDomain(domain: string): string {
  const shown = domainToUnicode(domain);
  return shown === '' ? domain : shown;
}

/** Returns the domain that an organisation registered: `example.co.uk` for `mail.example.co.uk`; null for a public suffix. */
function organisationOf(domain: string): string | null {
  return tldts().getDomain(domain, SUFFIXES);
}

const MAX_SHOWN_ADDRESS = 60;
const MAX_SHOWN_NAME = 12;

/** Returns an address as it is shown: whole, or shortened in the middle so that the domain that was registered stays. */
function shownAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = addressDomain(address);
  if (address.length <= MAX_SHOWN_ADDRESS || at === -1 || domain === null) return address;
  const organisation = shownDomain(organisationOf(domain) ?? domain);
  const host = shownDomain(domain);
  const shown = host.length <= MAX_SHOWN_ADDRESS - MAX_SHOWN_NAME ? host : `…${organisation}`;
  const name = address.slice(0, at);
  return `${name.length <= MAX_SHOWN_NAME ? name : `${[...name].slice(0, MAX_SHOWN_NAME).join('')}…`}@${shown}`;
}

/**
 * Returns a sender as people are shown it: the address first, and then the name, which anybody can choose. `from`: as a
 * mail has it, `Name <address>`.
 */
export function addressFirst(from: string): string {
  const [, address] = /^<([^\s<>@]+@[^\s<>]+)>\s*$/.exec(from.slice(Math.max(0, from.lastIndexOf('<')))) ?? [];
  if (address === undefined) return from.includes('@') && !/\s/.test(from) ? shownAddress(from) : from;
  const plain = from
    .slice(0, from.lastIndexOf('<'))
    .replace(/[()"]+/g, ' ')
    .trim();
  return plain === '' || plain.toLowerCase() === address.toLowerCase()
    ? shownAddress(address)
    : `${shownAddress(address)} (${plain})`;
}

/** Whether two domains are the same, or of the same organisation: the relaxed alignment of DMARC. */
export function isAligned(one: string, other: string): boolean {
  if (one === other) return true;
  const organisation = organisationOf(one);
  return organisation !== null && organisation === organisationOf(other);
}

/** Whether a host is written as an address of the internet protocol. */
export function isAddress(host: string): boolean {
  return tldts().parse(host).isIp === true;
}

/**
 * Letters of other scripts that look like Latin ones in most fonts. A small table of our own: the full one of Unicode has
 * thousands of entries, and the packages that carry it are not kept up.
 */
const LATIN_TWINS: ReadonlyMap<string, string> = new Map([
  // Cyrillic
  ['а', 'a'],
  ['в', 'b'],
  ['с', 'c'],
  ['ԁ', 'd'],
  ['е', 'e'],
  ['ё', 'e'],
  ['һ', 'h'],
  ['н', 'h'],
  ['і', 'i'],
  ['ї', 'i'],
  ['ј', 'j'],
  ['к', 'k'],
  ['ӏ', 'l'],
  ['м', 'm'],
  ['п', 'n'],
  ['о', 'o'],
  ['р', 'p'],
  ['ԛ', 'q'],
  ['г', 'r'],
  ['ѕ', 's'],
  ['т', 't'],
  ['ѵ', 'v'],
  ['ԝ', 'w'],
  ['х', 'x'],
  ['у', 'y'],
  ['ү', 'y'],
  // Greek
  ['α', 'a'],
  ['β', 'b'],
  ['ϲ', 'c'],
  ['ε', 'e'],
  ['η', 'n'],
  ['ι', 'i'],
  ['κ', 'k'],
  ['ν', 'v'],
  ['ο', 'o'],
  ['ρ', 'p'],
  ['σ', 'o'],
  ['τ', 't'],
  ['υ', 'u'],
  ['χ', 'x'],
  ['γ', 'y'],
  ['ω', 'w'],
  // Armenian
  ['ա', 'w'],
  ['հ', 'h'],
  ['ո', 'n'],
  ['օ', 'o'],
  ['ս', 'u'],
  ['ց', 'g'],
  ['զ', 'q'],
  ['լ', 'l'],
  ['ք', 'p'],
] as const);
/** Latin letters that few languages write, and that look like common ones. */
const RARE_TWINS: ReadonlyMap<string, string> = new Map([
  ['ɑ', 'a'],
  ['ɡ', 'g'],
  ['ı', 'i'],
  ['ɩ', 'i'],
  ['ł', 'l'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ħ', 'h'],
  ['ŧ', 't'],
  ['ʋ', 'v'],
]);
const DIGIT_TWINS: ReadonlyMap<string, string> = new Map([
  ['0', 'o'],
  ['1', 'l'],
  ['3', 'e'],
  ['5', 's'],
]);
const PAIRS: readonly (readonly [string, string])[] = [
  ['rn', 'm'],
  ['vv', 'w'],
  ['cl', 'd'],
];
const ALPHABET = [...'abcdefghijklmnopqrstuvwxyz0123456789-._+'];
/** Longer addresses are not compared, and shorter ones differ from many by a letter. */
const [SHORTEST, LONGEST] = [6, 100];

/**
 * Returns what an address looks like, in plain letters and digits: `anna@notary` for `аnna@n0tary.example`. The ending of
 * the domain is left out, since another one is easily bought.
 */
export function addressSkeleton(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = addressDomain(address);
  if (at === -1 || domain === null) return plainLetters(address);
  // A suffix alone has no name of its own.
  const name = (tldts().getDomainWithoutSuffix(domain, SUFFIXES) || null) ?? domain;
  return `${plainLetters(address.slice(0, at))}@${plainLetters(shownDomain(name))}`;
}

/**
 * Returns the address among the known ones that this one could be taken for, or null: one with the same skeleton, or
 * one a letter away. Null if it is known itself, or if two people of one organisation differ by a number.
 */
export function findLookAlike(address: string, known: readonly string[]): string | null {
  const folded = address.normalize('NFC').toLowerCase();
  if (known.includes(folded)) return null;
  const skeleton = addressSkeleton(folded);
  const found = known.find((other) => isAlike(folded, skeleton, other));
  return found ?? null;
}

/** So many skeletons are compared with one in less time than it takes to make up all that are near to it. */
const MOST_COMPARED = 2_000;

/** Returns those of the known skeletons that are at most one letter away from an address's, the nearest kinds first. */
export function findNearSkeletons(
  known: Pick<ReadonlySet<string>, 'size' | 'has'> & { keys(): Iterable<string> },
  address: string,
): readonly string[] {
  if (known.size <= MOST_COMPARED && !isAnyNear(addressSkeleton(address), known.keys())) return [];
  return skeletonsNear(address).filter((skeleton) => known.has(skeleton));
}

function isAnyNear(own: string, skeletons: Iterable<string>): boolean {
  for (const skeleton of skeletons) if (skeleton === own || isOneLetterAway(own, skeleton)) return true;
  return false;
}

/** Returns all skeletons at most one letter away: as many as the address has letters, times those of the alphabet. */
export function skeletonsNear(address: string): readonly string[] {
  const skeleton = addressSkeleton(address);
  if (skeleton.length < SHORTEST || skeleton.length > LONGEST) return [skeleton];
  const near = Array.from({ length: skeleton.length + 1 }, (_, at) => {
    const [before, after] = [skeleton.slice(0, at), skeleton.slice(at)];
    const rest = after.slice(1);
    const changed = ALPHABET.flatMap((letter) => [before + letter + after, before + letter + rest]);
    const swapped = before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2);
    return [before + rest, swapped, ...changed];
  });
  return [...new Set([skeleton, ...near.flat()])];
}

/** Whether a part of an address has letters of another script that look like Latin ones, beside or in place of them. */
export function hasDisguise(address: string): boolean {
  const at = address.lastIndexOf('@');
  const domain = addressDomain(address);
  const shown = `${address.slice(0, Math.max(0, at))}@${domain === null ? '' : shownDomain(domain)}`;
  return shown
    .normalize('NFC')
    .toLowerCase()
    .split(/[@.\-_+]/)
    .some(isDisguised);
}

function isDisguised(part: string): boolean {
  const letters = [...part].filter((letter) => /\p{L}/u.test(letter));
  const foreign = letters.filter((letter) => !/\p{Script=Latin}/u.test(letter));
  if (letters.some((letter) => letter === 'ɑ' || letter === 'ɡ' || letter === 'ɩ')) return true;
  if (foreign.length === 0) return false;
  const isMixed = foreign.length < letters.length;
  const twins = foreign.filter((letter) => LATIN_TWINS.has(letter)).length;
  return isMixed
    ? twins > 0 || foreign.some((letter) => /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(letter))
    : twins === letters.length;
}

function isAlike(address: string, skeleton: string, other: string): boolean {
  const theirs = addressSkeleton(other);
  if (Math.min(skeleton.length, theirs.length) < SHORTEST) return false;
  const isSame = skeleton === theirs;
  if (!isSame && !isOneLetterAway(skeleton, theirs)) return false;
  const [ours, domain] = [addressDomain(address), addressDomain(other)];
  const isOneHouse = ours !== null && domain !== null && isAligned(ours, domain);
  const [name, otherName] = [localOf(address), localOf(other)];
  if (!isOneHouse) return true;
  // In one organisation other numbers are other people, and a person may write from a part of it.
  const isNumber = name.replace(/\d/g, '') === otherName.replace(/\d/g, '');
  return name !== otherName && !isNumber && (isSame || name.length >= SHORTEST);
}

function localOf(address: string): string {
  return address.slice(0, Math.max(0, address.lastIndexOf('@')));
}

function isOneLetterAway(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  let end = 0;
  const most = Math.min(one.length, other.length) - start;
  while (end < most && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  const isSwap = left.length === 2 && right.length === 2 && left === [...right].reverse().join('');
  return isSwap || Math.max(left.length, right.length) <= 1;
}

/**
 * Returns the form in which names that look alike are the same: letters of one script without accents, one kind of dash, quote
 * and space, and no characters that aren't seen.
 */
export function nameSkeleton(name: string): string {
  const seen = name
    .slice(0, 320)
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{M}]/gu, '')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/[‘’‚‛′`´]/g, "'")
    .replace(/[“”„‟″«»]/g, '"')
    .replace(/\s+/g, ' ')
    .trim();
  return [...seen].map((letter) => LATIN_TWINS.get(letter) ?? RARE_TWINS.get(letter) ?? letter).join('');
}

/** Folds letters to those they look like: without accents, in one script, digits as letters, and `rn` as `m`. */
function plainLetters(text: string): string {
  const bare = text
    .slice(0, 320)
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC');
  const twin = (letter: string) => LATIN_TWINS.get(letter) ?? RARE_TWINS.get(letter) ?? letter;
  const letters = [...bare].map((letter) => DIGIT_TWINS.get(twin(letter)) ?? twin(letter)).join('');
  return PAIRS.reduce((folded, [pair, single]) => folded.replaceAll(pair, single), letters);
}

// A mail server is trusted by the name of a provider (`gmail`), or by the name that it writes into `Authentication-Results`.

/** A trusted mail server: how its header is recognised. */
export interface MailServer extends Omit<MailServerFormat, 'position'> {
  /** Null if only the server's name is known: then the header may be above or below. */
  readonly position: MailServerFormat['position'] | null;
}

/** Returns how the header of a server is recognised. `written`: as in `trusted_mail_servers` or `mail_server`. */
export function findMailServer(written: string): MailServer {
  const name = written.normalize('NFC').trim().toLowerCase();
  const providers = knownProviders().mail_servers;
  const [provider = '', ...rest] = name.split(':');
  const named = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
  if (named !== undefined) return rest.length === 0 ? named : withOwnName(named, rest.join(':'));
  const known = providers[providerOfServer(name) ?? ''];
  if (known === undefined) return { ...PLAIN, ids: [name], own: [name] };
  // It counts as that provider's, but trusts no other name of it; unless each mail has headers under several of its names.
  return known.several ? known : { ...known, ids: [name], nameless: known.nameless === name ? name : null };
}

/** Returns the provider that writes its header under this name (in lower case); null if unknown. */
export function providerOfServer(id: string): string | null {
  const found = Object.entries(knownProviders().mail_servers).find(([, one]) => writesAs(one, id));
  return found?.[0] ?? null;
}

const PLAIN: MailServer = { ids: [], nameless: null, position: null, border: [], own: [], several: false };

// A provider with names of its own takes no other.
function withOwnName(provider: MailServerFormat, name: string): MailServer {
  return provider.ids.length > 0 ? PLAIN : { ...provider, ids: [name], own: [name] };
}

function idsOf({ ids, nameless }: Pick<MailServer, 'ids' | 'nameless'>): readonly string[] {
  return nameless === null ? ids : [...ids, nameless];
}

/** Whether a header that begins with this name (in lower case) is of the server; null for a header without a name. */
export function writesAs(server: MailServer, id: string | null): boolean {
  return id === null ? server.nameless !== null : idsOf(server).some((one) => matchesHost(one, id));
}

/** Whether one of the servers that the settings trust writes its header under this name. */
export function isTrustedServer(trusted: readonly string[], id: string): boolean {
  return trusted.some((written) => writesAs(findMailServer(written), id.normalize('NFC').trim().toLowerCase()));
}

/** Whether a host's name, in lower case, fits a pattern of the table, in which `*` matches any part of a name. */
export function matchesHost(pattern: string, host: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return host === first;
  if (!host.startsWith(first) || !host.endsWith(last) || host.length < first.length + last.length) return false;
  let middle = host.slice(first.length, host.length - last.length);
  for (const part of rest) {
    const at = middle.indexOf(part);
    if (at < 0) return false;
    middle = middle.slice(at + part.length);
  }
  return true;
}
