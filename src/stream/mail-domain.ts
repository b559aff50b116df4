import { domainToASCII, domainToUnicode } from 'node:url';
import { tldts } from '../vault/lazy-packages.ts';

/** Suffixes under which strangers register, such as `github.io`, are nobody's organisation: nor are `com` and `co.uk`. */
const SUFFIXES = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };
const MAX_DOMAIN = 255;

/** Returns the domain of an address, or of a bare domain, in lower-case punycode; null where it has none. */
export function domainOf(address: string): string | null {
  const name = address.slice(address.lastIndexOf('@') + 1).trim();
  if (name.length > MAX_DOMAIN || !/^[^\s/?#\\:@%[\]]+$/u.test(name)) return null;
  const ascii = domainToASCII(name.normalize('NFC'));
  return ascii === '' ? null : ascii;
}

/** Returns a domain as a person reads it, with the letters that its punycode stands for. */
function shownDomain(domain: string): string {
  const shown = domainToUnicode(domain);
  return shown === '' ? domain : shown;
}

/** Returns the domain that an organisation registered: `example.co.uk` for `mail.example.co.uk`; null for a public suffix. */
function organisationOf(domain: string): string | null {
  return tldts().getDomain(domain, SUFFIXES);
}

/** Returns what an organisation is called under whatever ending: `example` for `mail.example.co.uk`. */
function organisationName(domain: string): string | null {
  return tldts().getDomainWithoutSuffix(domain, SUFFIXES) || null;
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
export function skeletonOf(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = domainOf(address);
  if (at === -1 || domain === null) return plainLetters(address);
  // A suffix alone has no name of its own.
  const name = organisationName(domain) ?? domain;
  return `${plainLetters(address.slice(0, at))}@${plainLetters(shownDomain(name))}`;
}

/**
 * Returns the address among the known ones that this one could be taken for, or null: one with the same skeleton, or one
 * a letter away. None where it is known itself, or where two people of one organisation differ by a number.
 */
export function lookAlikeOf(address: string, known: readonly string[]): string | null {
  const folded = address.normalize('NFC').toLowerCase();
  if (known.includes(folded)) return null;
  const skeleton = skeletonOf(folded);
  const found = known.find((other) => isAlike(folded, skeleton, other));
  return found ?? null;
}

/** So many skeletons are compared with one in less time than it takes to make up all that are near to it. */
const MOST_COMPARED = 2_000;

/** Returns those of the known skeletons that are at most one letter away from an address's, the nearest kinds first. */
export function skeletonsNearIn(known: ReadonlyMap<string, unknown>, address: string): readonly string[] {
  if (known.size <= MOST_COMPARED && !isAnyNear(skeletonOf(address), known.keys())) return [];
  return skeletonsNear(address).filter((skeleton) => known.has(skeleton));
}

function isAnyNear(own: string, skeletons: Iterable<string>): boolean {
  for (const skeleton of skeletons) if (skeleton === own || isOneLetterAway(own, skeleton)) return true;
  return false;
}

/** Returns all skeletons at most one letter away: as many as the address has letters, times those of the alphabet. */
export function skeletonsNear(address: string): readonly string[] {
  const skeleton = skeletonOf(address);
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
  const domain = domainOf(address);
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
  const theirs = skeletonOf(other);
  if (Math.min(skeleton.length, theirs.length) < SHORTEST) return false;
  const isSame = skeleton === theirs;
  if (!isSame && !isOneLetterAway(skeleton, theirs)) return false;
  const [ours, domain] = [domainOf(address), domainOf(other)];
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
