import type { Email } from 'postal-mime';
import type { Authentication } from '../steward/types.ts';
import { MAIL_WARNINGS, oneLine } from '../vault/note-text.ts';
import {
  addressDomain,
  addressSkeleton,
  findMailServer,
  hasDisguise,
  isAddress,
  isAligned,
  type MailServer,
  matchesHost,
  sentFolder,
  writesAs,
} from '../vault/source-names.ts';

/** One method's result in an `Authentication-Results` header, in lower case. */
interface MethodResult {
  readonly method: string;
  readonly result: string;
  /** The text behind it, as written, with the names in lower case: `header.d` and its value. */
  readonly properties: readonly Property[];
}

type Property = readonly [name: string, value: string];

/** What an `Authentication-Results` header says (RFC 8601). */
interface AuthenticationResults {
  /** Who says so, in lower case; null if the header names no server, as Exchange Online writes it. */
  readonly server: string | null;
  readonly results: readonly MethodResult[];
}

/** A piece of a structured header: a semicolon, an equals sign, or a word. `glued`: without a blank before it. */
interface Token {
  readonly kind: 'word' | ';' | '=';
  readonly text: string;
  readonly quoted: boolean;
  readonly glued: boolean;
}

const MAX_HEADER = 20_000;
const BLANK = /[ \t\r\n]/;
const KEYWORD = /^[a-z0-9](?:[a-z0-9_-]{0,62})$/i;
const PROPERTY = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})?$/i;

/** Returns the words of a structured header without its comments, as far as `;`; null if a comment has no end. */
function headerWords(value: string): readonly string[] | null {
  const tokens = tokensOf(value);
  if (tokens === null) return null;
  const end = tokens.findIndex(({ kind }) => kind === ';');
  return tokens.slice(0, end === -1 ? tokens.length : end).map(({ text }) => text);
}

/**
 * Reads an `Authentication-Results` header. Returns null if any part of it is not as the RFC says, since its writer may
 * have meant something else. A word is allowed to be a property without a type (`action=none`), as Exchange has it.
 */
export function readAuthenticationResults(value: string): AuthenticationResults | null {
  const tokens = tokensOf(value);
  if (tokens === null) return null;
  const [head = [], ...rest] = partsOf(tokens);
  const isNameless = head.some(({ kind }) => kind === '=');
  const server = isNameless ? null : serverOf(head);
  if (server === undefined) return null;
  const parts = (isNameless ? [head, ...rest] : rest).filter((part) => part.length > 0 && !saysNothing(part));
  const results = parts.map(resultOf);
  return results.every((result) => result !== null) ? { server, results } : null;
}

/** Returns the server's name; undefined if the head is not a name with at most a version, which must be 1. */
function serverOf(head: readonly Token[]): string | undefined {
  const [name, version, ...more] = head;
  if (name === undefined || name.text === '' || more.length > 0) return undefined;
  return version === undefined || version.text === '1' ? name.text.toLowerCase() : undefined;
}

function saysNothing(part: readonly Token[]): boolean {
  return part.length === 1 && part[0]?.kind === 'word' && part[0].text.toLowerCase() === 'none';
}

/** Reads `method[/version] = result`, then properties. */
function resultOf(part: readonly Token[]): MethodResult | null {
  const pairs = pairsOf(part);
  const [first, ...properties] = pairs ?? [];
  if (first === undefined) return null;
  const [method = '', version = '1'] = first[0].split('/');
  const result = first[1];
  if (version !== '1' || !KEYWORD.test(method) || !KEYWORD.test(result)) return null;
  if (!properties.every(([name]) => PROPERTY.test(name))) return null;
  return { method: method.toLowerCase(), result: result.toLowerCase(), properties };
}

/** Reads `name = value` over and over; null if there is anything else. Only a value may be quoted. */
function pairsOf(part: readonly Token[]): readonly Property[] | null {
  const pairs: Property[] = [];
  let at = 0;
  while (at < part.length) {
    const length = part.slice(at, at + MAX_NAME_TOKENS).findIndex(({ kind }) => kind === '=');
    const name = part.slice(at, at + length);
    if (length < 1 || !name.every(({ kind, quoted }) => kind === 'word' && !quoted)) return null;
    if (!isOneName(name.map(({ text }) => text))) return null;
    const value = valueFrom(part, at + length + 1);
    if (value === null) return null;
    pairs.push([name.map(({ text }) => text.toLowerCase()).join(''), value.text]);
    at = value.end;
  }
  return pairs;
}

/** A name with blanks around its dot or slash: `header . d`. */
const MAX_NAME_TOKENS = 4;

/** Whether words make one name: two words do not, unless a dot or slash joins them. */
function isOneName(words: readonly string[]): boolean {
  return words.every((word, at) => at === 0 || /[./]$/.test(words[at - 1] ?? '') || /^[./]/.test(word));
}

/** Reads the word at a place, with all that is glued to it: `"a b"@c.example`, or `abc=` in base64. */
function valueFrom(part: readonly Token[], at: number): { text: string; end: number } | null {
  const first = part[at];
  if (first === undefined || first.kind !== 'word') return null;
  let end = at + 1;
  while (part[end]?.glued === true) end += 1;
  const tokens = part.slice(at, end);
  return { text: tokens.map(({ text }) => text).join(''), end };
}

function partsOf(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (token.kind === ';') parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

/**
 * Splits a structured header into its words, `;` and `=`. Comments count as blanks. Null if something has no end, or if
 * a comment follows a word without a blank: a stranger may have put it into the word.
 */
function tokensOf(value: string): readonly Token[] | null {
  if (value.length > MAX_HEADER) return null;
  const tokens: Token[] = [];
  let at = 0;
  let glued = false;
  while (at < value.length) {
    const letter = value.charAt(at);
    const isBlank = BLANK.test(letter);
    if (letter === '(' && glued && tokens.at(-1)?.kind === 'word') return null;
    if (isBlank || letter === '(') {
      at = isBlank ? at + 1 : commentEnd(value, at);
      glued = false;
    } else {
      const token = tokenAt(value, at, glued);
      if (token !== null) tokens.push(token.token);
      at = token?.end ?? Number.NaN;
      glued = true;
    }
    if (Number.isNaN(at)) return null;
  }
  return tokens;
}

function tokenAt(value: string, at: number, glued: boolean): { token: Token; end: number } | null {
  const letter = value.charAt(at);
  if (letter === ';' || letter === '=')
    return { token: { kind: letter, text: letter, quoted: false, glued }, end: at + 1 };
  if (letter === '"') return quotedAt(value, at, glued);
  let end = at + 1;
  while (end < value.length && !/[ \t\r\n;=("]/.test(value.charAt(end))) end += 1;
  const text = value.slice(at, end);
  return text.includes(')') ? null : { token: { kind: 'word', text, quoted: false, glued }, end };
}

function quotedAt(value: string, start: number, glued: boolean): { token: Token; end: number } | null {
  let text = '';
  for (let at = start + 1; at < value.length; at += 1) {
    const letter = value.charAt(at);
    if (letter === '"') return { token: { kind: 'word', text, quoted: true, glued }, end: at + 1 };
    if (letter === '\\') at += 1;
    text += value.charAt(at);
  }
  return null;
}

function commentEnd(value: string, start: number): number {
  let depth = 0;
  for (let at = start; at < value.length; at += 1) {
    const letter = value.charAt(at);
    if (letter === '\\') at += 1;
    else if (letter === '(') depth += 1;
    else if (letter === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return Number.NaN;
}

interface ShownSender {
  /** The bare address, or null if the mail names no one sender. */
  readonly from: string | null;
  readonly mail: Pick<Email, 'from' | 'replyTo' | 'subject'>;
  /** Whether its plain text and its HTML say different things. */
  readonly contradicts: boolean;
}

const MAX_NAME = 500;
const ADDRESS = /[^\s@<>"'(),;:[\]]{1,64}@[^\s@<>"'(),;:[\]]{1,255}/gu;
/** Invisible characters that change the order of others or come between them. */
const INVISIBLE = /[\u00AD\u061C\u180E\u200B\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\u{E0000}-\u{E007F}]/u;
/** Joiners and marks of direction have their place in some scripts and in emoji, and none between Latin letters. */
const MISPLACED = /[a-z\d][\u200C-\u200F]|[\u200C-\u200F][a-z\d]/iu;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
const MAX_SHOWN = 120;

/** Returns what is odd about a mail's sender and text, each a sentence: only what the mail itself shows. */
export function listSenderWarnings({ from, mail, contradicts }: ShownSender): readonly string[] {
  const name = (mail.from?.name ?? '').slice(0, MAX_NAME);
  const warnings = [
    from === null ? null : otherAddress(from, name),
    from === null ? null : otherReply(from, mail),
    from !== null && hasDisguise(from) ? MAIL_WARNINGS.otherScript(shown(addressSkeleton(from))) : null,
    hasInvisible(name) ? 'The name of the sender has invisible characters.' : null,
    hasInvisible((mail.subject ?? '').slice(0, MAX_NAME)) ? 'The subject has invisible characters.' : null,
    contradicts ? 'The plain text and the HTML of this mail say different things.' : null,
  ];
  return warnings.filter((warning) => warning !== null);
}

/** Returns what is said where an address looks like one that the vault knows. */
export function lookAlikeWarning(known: string): string {
  return MAIL_WARNINGS.lookAlike(shown(known));
}

function otherAddress(from: string, name: string): string | null {
  const folded = oneLine(name, MAX_NAME).normalize('NFKC').toLowerCase();
  const other = (folded.match(ADDRESS) ?? []).find((address) => address !== from);
  return other === undefined ? null : MAIL_WARNINGS.otherName(shown(other), shown(from));
}

function otherReply(from: string, { replyTo = [] }: Pick<Email, 'replyTo'>): string | null {
  const domain = addressDomain(from);
  const addresses = replyTo
    .slice(0, 20)
    .flatMap(({ address, group }) => address ?? group?.map((one) => one.address) ?? []);
  const other = addresses.find((address) => {
    const reply = addressDomain(address);
    return reply === null || domain === null || !isAligned(reply, domain);
  });
  return other === undefined ? null : `Answers go to ${shown(other)}, which is not of the sender's organisation.`;
}

function hasInvisible(text: string): boolean {
  return INVISIBLE.test(text) || (MISPLACED.test(text) && !RIGHT_TO_LEFT.test(text));
}

function shown(address: string): string {
  return oneLine(address, MAX_SHOWN);
}

/** One header of a mail: its name in lower case and its value as written. */
export interface Header {
  readonly key: string;
  readonly value: string;
}

/** Which server handed a mail to which, as a `Received` header says; null if it doesn't say. */
interface Hop {
  readonly from: string | null;
  readonly by: string | null;
  /** The receiving host's words about the other side. Its `from` alone is the name that the other side gives itself. */
  readonly peer: string;
}

interface Statement {
  readonly server: string;
  readonly results: readonly MethodResult[];
}

const HEADER = 'authentication-results';

/**
 * Returns whether a mail's channel authenticates its sender, from its headers, topmost first (RFC 8601).
 *
 * A receiving server adds its headers above those that came with the mail, and removes any that claim its own name.
 * So the topmost `Authentication-Results` decides. It counts if its name is, whole, one that the settings trust, and if that
 * side wrote every `Received` above it:
 *
 * - a trusted server, a server of the same organisation, or one whose name or address can't be reached from outside;
 * - only the lowest of them took the mail from outside.
 *
 * For a known provider, the header must also be in that provider's place: above or below the `Received` of the host that took
 * the mail from outside. The result is read from `dmarc=pass` for the From domain, or from `dkim=pass` by a domain aligned with
 * it; `dmarc=fail` is a denial.
 */
export function readAuthentication(
  headers: readonly Header[],
  from: string | null,
  trustedServers: readonly string[],
): Authentication {
  if (trustedServers.length === 0) return none('no trusted server is set');
  const domain = from === null ? null : addressDomain(from);
  if (domain === null || !hasPlainSender(headers)) return none('the mail does not name one sender');
  const at = headers.findIndex(({ key }) => key === HEADER);
  const header = headers[at];
  if (header === undefined) return none('no server says who sent it');
  const said = readAuthenticationResults(header.value);
  if (said === null) return none("the header of the topmost server can't be read");
  const writers = trustedServers.map(findMailServer).filter((server) => writesAs(server, said.server));
  const [above, below] = [hopsOf(headers.slice(0, at)), hopsOf(headers.slice(at))];
  // A header without a name counts only below a hop of the provider's own.
  const isUnsigned = said.server === null && above.length === 0;
  if (writers.length === 0 || isUnsigned) return none(untrusted(said.server));
  const writer = writers.find((server) => isInPlace(server, above, below[0]));
  if (writer === undefined) return none(`the header of ${said.server ?? 'the server'} is where another server writes`);
  const { server, results } = statementFrom(headers.slice(at), writer);
  return verdict(results, domain, server);
}

/** A name, quoted or without special characters, and an address; or an address alone. */
const PLAIN_SENDER =
  /^(?:(?:"(?:[^"\\]|\\.)*"|[^<>()[\]:;@,"\\]*)\s?<[^\s<>()[\]:;@,"\\]+@[^\s<>()[\]:;@,"\\]+>|[^\s<>()[\]:;@,"\\]+@[^\s<>()[\]:;@,"\\]+)$/;
const MAX_SENDER = 1000;

// A server that can't read the sender may add no header of its own, and leave a forged one.
function hasPlainSender(headers: readonly Header[]): boolean {
  const senders = headers.filter(({ key }) => key === 'from');
  return (
    senders.length < 2 && senders.every(({ value }) => value.length < MAX_SENDER && PLAIN_SENDER.test(value.trim()))
  );
}

/** A provider that writes several headers writes SPF first, thus lowest, and DMARC with it or after it. */
const LAST_METHODS = ['dmarc', 'spf'];

/** Reads what a server says, from its topmost header on. */
function statementFrom(headers: readonly Header[], writer: MailServer): Statement {
  let server = '';
  const results: MethodResult[] = [];
  for (const { key, value } of headers) {
    if (key === 'received') break;
    const said = key === HEADER ? readAuthenticationResults(value) : null;
    if (key === HEADER && (said === null || !writesAs(writer, said.server))) break;
    if (said === null) continue;
    server = said.server ?? writer.nameless ?? '';
    results.push(...said.results);
    // The headers below these may have come with the mail.
    if (!writer.several || results.some(({ method }) => LAST_METHODS.includes(method))) break;
  }
  return { server, results };
}

function verdict(results: readonly MethodResult[], domain: string, server: string): Authentication {
  const dmarc = results.filter(({ method }) => method === 'dmarc');
  if (dmarc.some(({ result }) => result === 'fail'))
    return { result: 'fail', server, reason: `${server} says dmarc=fail` };
  if (dmarc.length > 1) return { result: 'none', server, reason: `${server} says more than one thing of DMARC` };
  if (dmarc.some((one) => one.result === 'pass' && names(one, ['header.from'], domain)))
    return { result: 'pass', server, reason: 'dmarc=pass' };
  const signed = results.find((one) => one.method === 'dkim' && one.result === 'pass' && signs(one, domain));
  if (signed !== undefined) return { result: 'pass', server, reason: 'dkim=pass' };
  return { result: 'none', server, reason: `${server} didn't authenticate ${domain}` };
}

/** Whether a signature is of a domain aligned with the sender's. If it names its domain twice, both must be. */
function signs(signature: MethodResult, domain: string): boolean {
  const keys = ['header.d', 'header.i'];
  return signature.properties.some(([name]) => keys.includes(name)) && names(signature, keys, domain);
}

function names({ properties }: MethodResult, keys: readonly string[], domain: string): boolean {
  return properties.every(([name, value]) => {
    const said = keys.includes(name) ? addressDomain(value) : domain;
    return said !== null && isAligned(said, domain);
  });
}

function hopsOf(headers: readonly Header[]): readonly Hop[] {
  return headers.filter(({ key }) => key === 'received').map(({ value }) => hopOf(value));
}

/** Reads `from A … by B …`. The word after `from` is the other side's, and may itself be `by`. */
function hopOf(value: string): Hop {
  const words = headerWords(value) ?? [];
  const hasFrom = words[0]?.toLowerCase() === 'from';
  const by = words.findIndex((word, at) => at >= (hasFrom ? 2 : 0) && word.toLowerCase() === 'by');
  const host = by === -1 ? null : (words[by + 1] ?? null);
  const line = value.replace(/\s+/g, ' ');
  const peer = host === null ? line : line.slice(0, line.lastIndexOf(` by ${host}`));
  return { from: hasFrom ? (words[1] ?? '') : null, by: host, peer };
}

/** Whether a header is where its server writes it. `above`: the hops above it; `below`: the first one below. */
function isInPlace(server: MailServer, above: readonly Hop[], below: Hop | undefined): boolean {
  const entry = above.at(-1);
  const isInside = above.every((hop) => isInner(hop, server));
  if (!isInside && !(above.slice(0, -1).every((hop) => isInner(hop, server)) && isBorder(entry, server))) return false;
  if (server.position === null) return true;
  const isBelow = isBorder(entry, server);
  const isAbove = isInside && isBorder(below, server);
  return (server.position !== 'above' && isBelow) || (server.position !== 'below' && isAbove);
}

/** Whether a server handed a mail on within itself. */
function isInner(hop: Hop, server: MailServer): boolean {
  const { from, by } = hop;
  if (by === null) return false;
  // It may write its address in place of a name, as Google does.
  if (from === null && isAddress(withoutBrackets(by))) return true;
  return isOwn(by, server) && (from === null || (isOwn(from, server) && isPeerInside(hop, server)));
}

/**
 * Whether the other side of a hop is inside as well. Anybody can call themselves `localhost` to a host that takes mails from
 * outside, but that host writes their address behind it.
 */
function isPeerInside(hop: Hop, server: MailServer): boolean {
  const isAtBorder = server.border.length > 0 && isBorder(hop, server);
  if (server.border.length > 0 && !isAtBorder) return true;
  const addresses = hop.peer
    .split(/[\s()[\]]+/)
    .map(withoutIpv6)
    .filter(isAddress);
  if (addresses.every(isInternal)) return addresses.length > 0 || !isAtBorder;
  // Postfix writes a name before the address only if DNS maps each to the other.
  const [, name = ''] = VERIFIED_PEER.exec(hop.peer) ?? [];
  return !isAtBorder && isOfOrganisation(name.toLowerCase(), server);
}

/** `from HELO (name [address])`. */
const VERIFIED_PEER = /^from \S+ \(([\w.-]+) \[[^\s()[\]]+\]\)/i;

/** Whether a hop is that of the host which takes mails from outside. */
function isBorder(hop: Hop | undefined, server: MailServer): boolean {
  const by = hop?.by?.toLowerCase() ?? null;
  if (by === null || !isOwn(by, server)) return false;
  return server.border.length === 0
    ? isOfOrganisation(by, server)
    : server.border.some((pattern) => matchesHost(pattern, by));
}

function isOwn(host: string, server: MailServer): boolean {
  return isInternal(host) || isOfOrganisation(host, server);
}

function isOfOrganisation(host: string, { own }: MailServer): boolean {
  const domain = addressDomain(host);
  return domain !== null && own.some((name) => isAligned(domain, addressDomain(name) ?? ''));
}

/** Whether a name or address is of a network that cannot be reached from outside, as a server's own parts have. */
function isInternal(host: string): boolean {
  const name = withoutBrackets(host).toLowerCase();
  if (isAddress(name)) return /^(?:(?:10|127|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.|::1$|f[cd]|fe[89ab])/.test(name);
  return /^[a-z\d_-]+$/.test(name) || /\.(?:internal|local|lan|localdomain|localhost|home\.arpa)$/.test(name);
}

function withoutBrackets(host: string): string {
  return withoutIpv6(host.replace(/^\[|\]$/g, ''));
}

function withoutIpv6(address: string): string {
  return address.replace(/^ipv6:/i, '');
}

function untrusted(server: string | null): string {
  const isHost = server !== null && /^[a-z\d._-]{1,100}$/.test(server);
  return `the header is of ${isHost ? server : 'a server'}, which the settings do not trust`;
}

function none(reason: string): Authentication {
  return { result: 'none', server: null, reason };
}

/** Only a server that takes a mail in for a mailbox writes these. */
const OF_A_DELIVERY =
  /^(?:authentication-results|arc-authentication-results|received-spf|delivered-to|x-delivered-to|x-original-to|envelope-to|delivery-date|x-sieve)$/;
/** Whether a header, by its name in lower case, says that a mail was delivered. */
export function isOfDelivery(name: string): boolean {
  return OF_A_DELIVERY.test(name);
}

/** How a server received a mail from its own user: with a login, or from its web page. Absent if it doesn't say. */
const FROM_OWN_USER = /^(?:(?:utf8)?e?smtps?a|asmtp|mapi|http\w*)$/i;

/**
 * Returns whether a mail in a folder of sent mails is the user's own. A filter, or an address with a suffix, may have put
 * one there that arrived: it has the marks of a delivery, and counts as nobody's.
 */
export function sentAuthentication(headers: readonly Header[], from: string | null, source: string): Authentication {
  if (from === null) return none('the mail does not name one sender');
  const isDelivered = headers.some(({ key, value }) =>
    key === 'received' ? !FROM_OWN_USER.test(protocolOf(value)) : isOfDelivery(key),
  );
  if (isDelivered) return none('it arrived, and was moved into the folder of sent mails');
  return { result: 'pass', server: sentFolder(source), reason: 'it is in the folder of sent mails' };
}

function protocolOf(received: string): string {
  const words = headerWords(received) ?? [];
  return words[words.findLastIndex((word) => word.toLowerCase() === 'with') + 1] ?? '';
}
