import type { Email } from 'postal-mime';
import { MAIL_WARNINGS, oneLine } from '../vault/note-text.ts';
import { addressDomain, addressSkeleton, hasDisguise, isAligned } from '../vault/source-names.ts';

/** One method's result in an `Authentication-Results` header, in lower case. */
export interface MethodResult {
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
export function headerWords(value: string): readonly string[] | null {
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
