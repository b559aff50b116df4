import { isUtf8 } from 'node:buffer';
import { createRequire } from 'node:module';
import type { Unread } from '../steward/types.ts';

/** How much of a text is looked at to find out its charset. */
const LOOKED_AT = 16 * 1024;
/** How much is looked at for the zeros of UTF-16. */
const ZEROS_IN = 4096;
const FALLBACK = 'windows-1252';
/** The charsets that are guessed, by script. Charsets that look like one of these and are hardly ever used aren't guessed. */
const GUESSED_LATIN = ['windows-1250', 'windows-1252', 'windows-1254', 'windows-1257', 'iso-8859-2'];
const GUESSED_OTHER = [
  ...['windows-1251', 'windows-1253', 'windows-1255', 'koi8-r', 'ibm866'],
  ...['gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr'],
];
const ONE_BYTE = /^(?:windows-|iso-8859-|koi8-|ibm866|macintosh|x-mac-)/;
/** The charsets of Latin script, in which most letters are ASCII. */
const LATIN = /^(?:windows-125[02478]|iso-8859-(?:2|3|4|9|1[03456])|macintosh)$/;
/** ISO-2022-JP is ASCII with these sequences, which switch to Japanese and back. */
const JAPANESE = ['$@', '$B', '(J', '(I'].map((sequence) => `\u001b${sequence}`);
/** Charsets that hide letters in ASCII and that can't be decoded: read as ASCII, their words would be wrong. */
const HIDDEN =
  /^(?:(?:x-|cs)?(?:unicode-?[12]-1-)?utf-?7(?:-imap)?|(?:cs)?hz(?:-gb-2312)?|(?:cs)?iso-?2022-?(?:kr|cn)(?:-ext)?)$/i;

/**
 * Returns a text as it was written: UTF-8 or UTF-16 by its mark, else in the charset that the file declares, else as
 * UTF-8 if it is valid, else in what its bytes look like. `declared`: as the file's own header names it, or null.
 */
export function decode(bytes: Uint8Array, declared: string | null = null): string {
  return new TextDecoder(detectCharset(bytes, declared)).decode(bytes);
}

/**
 * Returns the name of the charset of a text, as `TextDecoder` knows it. Programs often declare one and write UTF-8: what
 * is valid UTF-8 beyond ASCII is UTF-8, whatever charset of one byte a character is declared.
 */
export function detectCharset(bytes: Uint8Array, declared: string | null = null): string {
  return markOf(bytes) ?? zerosOf(bytes) ?? escapesOf(bytes) ?? asDeclared(bytes, known(declared)) ?? guessed(bytes);
}

/** Whether a declared charset hides letters in ASCII and can't be decoded: UTF-7, for one. */
function isHiddenCharset(declared: string): boolean {
  return HIDDEN.test(declared.trim());
}

function escapesOf(bytes: Uint8Array): string | null {
  if (!bytes.includes(0x1b) || bytes.some((byte) => byte > 127)) return null;
  const text = asLatin1(bytes);
  return JAPANESE.some((sequence) => text.includes(sequence)) ? 'iso-2022-jp' : null;
}

function asLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function markOf(bytes: Uint8Array): string | null {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  return a === 0xfe && b === 0xff ? 'utf-16be' : null;
}

/** UTF-16 without a mark is believed only if every second byte of Western text is zero, and no other byte is. */
function zerosOf(bytes: Uint8Array): string | null {
  const head = bytes.subarray(0, ZEROS_IN - (ZEROS_IN % 2));
  const zeros = [0, 0];
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const many = head.length * 0.35;
  if (head.length < 4 || (even > 0 && odd > 0)) return null;
  if (odd >= many) return 'utf-16le';
  return even >= many ? 'utf-16be' : null;
}

function asDeclared(bytes: Uint8Array, declared: string | null): string | null {
  if (declared === null || declared.startsWith('utf-16')) return null;
  if (declared === 'utf-8') return isMostlyUtf8(bytes) ? declared : null;
  if (ONE_BYTE.test(declared) && isUtf8(whole(bytes)) && bytes.some((byte) => byte > 127)) return 'utf-8';
  return LATIN.test(declared) && isOtherScript(bytes) ? null : declared;
}

function guessed(bytes: Uint8Array): string {
  if (isMostlyUtf8(bytes)) return 'utf-8';
  const candidates = isOtherScript(bytes) ? GUESSED_OTHER : GUESSED_LATIN;
  // Its tables take 5 MB, and most mails say what they are written in.
  const { detect }: typeof import('jschardet') = createRequire(import.meta.url)('jschardet');
  const { encoding } = detect(Buffer.from(oddLines(bytes)), { detectEncodings: candidates, minimumThreshold: 0 });
  const name = known(encoding);
  return name !== null && candidates.includes(name) ? name : FALLBACK;
}

/** The share of the characters beyond ASCII that may be damaged. */
const MOST_DAMAGED = 1 / 8;

/** Whether a text is UTF-8. One damaged character in many doesn't make it another charset. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  if (isUtf8(whole(bytes))) return true;
  const odd = new TextDecoder().decode(oddLines(bytes)).match(/[^\0-\x7f]/gu) ?? [];
  return odd.filter((character) => character === '\ufffd').length <= odd.length * MOST_DAMAGED;
}

/** Fewer bytes beyond ASCII don't tell a script. */
const FEWEST_ODD_BYTES = 4;
/** In the words of Latin script that have letters beyond ASCII, fewer than this share of the letters are. */
const MOST_ODD_IN_LATIN = 0.6;

/** What windows-1252 has beside letters and is often used: wide blanks, quotation marks, dashes, currencies. */
const MARKS = /[\x80\x82-\x85\x8b\x91-\x97\x99\x9b\xa0\xa3\xa7\xa9\xab\xae\xb0\xb4\xb7\xbb]+/g;

/** Whether the words aren't in Latin script: nearly all of their bytes are beyond ASCII. */
function isOtherScript(bytes: Uint8Array): boolean {
  const words =
    asLatin1(oddLines(bytes))
      .replace(MARKS, ' ')
      .match(/[A-Za-z\x80-\xff]+/g) ?? [];
  const oddWords = words.filter((word) => /[\x80-\xff]/.test(word)).join('');
  const odd = oddWords.replace(/[A-Za-z]+/g, '').length;
  return odd >= FEWEST_ODD_BYTES && odd > oddWords.length * MOST_ODD_IN_LATIN;
}

/** The bytes without a character that is cut in two at their end, as the head of a file may have it. */
function whole(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) return lengthFrom(byte) > back ? bytes.subarray(0, -back) : bytes;
  }
  return bytes;
}

function lengthFrom(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}

/** The lines that have more than ASCII: what tells charsets apart. */
function oddLines(bytes: Uint8Array): Uint8Array {
  const lines = new Uint8Array(LOOKED_AT);
  let length = 0;
  for (let from = 0; from < bytes.length && length < LOOKED_AT; ) {
    const end = bytes.indexOf(0x0a, from);
    const line = bytes.subarray(from, end === -1 ? bytes.length : end + 1);
    from += line.length;
    if (!line.some((byte) => byte > 127)) continue;
    const part = line.subarray(0, LOOKED_AT - length);
    lines.set(part, length);
    length += part.length;
  }
  return lines.subarray(0, length);
}

const CODE_PAGES: Readonly<Record<string, string>> = { 932: 'shift_jis', 936: 'gbk', 949: 'euc-kr', 950: 'big5' };

/**
 * Returns the name that the decoder knows a charset by: `1252`, `CP1252` and `USASCII` too. Null if it doesn't know the
 * charset.
 */
function known(name: string | null): string | null {
  if (name === null) return null;
  const plain = name
    .trim()
    .replace(/^(?:cp|ansi|win|windows)?[-_ ]?(125\d)$/i, 'windows-$1')
    .replace(/^(?:iso)?[-_ ]?8859[-_ ]?(\d{1,2})$/i, 'iso-8859-$1')
    .replace(/^(?:cp|ms|ibm|windows)[-_]?(932|936|949|950)$/i, (_, page: string) => CODE_PAGES[page] ?? '');
  try {
    return new TextDecoder(/^(?:us-?|iso646-us|ansi_x3\.4-1968)?ascii$/i.test(plain) ? FALLBACK : plain).encoding;
  } catch {
    return null;
  }
}

interface MailPart {
  /** Such as `text/html`, in lower case. */
  readonly type: string;
  /** The whole value of its `Content-Type`, with its parameters; empty if the header is missing. */
  readonly contentType: string;
  /** Such as `base64`, in lower case; empty if it isn't given. */
  readonly encoding: string;
  readonly isAttached: boolean;
  /** Whether it says one thing twice, so that programs may read it in different ways. */
  readonly isAmbiguous: boolean;
  /** The lines of its header, and of its body behind the blank line. */
  readonly header: Stretch;
  readonly body: Stretch;
  readonly children: readonly MailPart[];
}

/** The lines of a mail, from one to before another. */
interface Stretch {
  readonly lines: readonly string[];
  readonly from: number;
  readonly to: number;
}

/** One field of a header, unfolded, with its lines from one to before another. */
interface HeaderField {
  readonly name: string;
  readonly value: string;
  readonly from: number;
  readonly to: number;
}

/** A mail that nests deeper is not read at all. */
const MAX_DEPTH = 50;
/** No mail that a person reads has more parts side by side. */
const MAX_PARTS = 1000;
const ONCE: readonly string[] = ['content-type', 'content-transfer-encoding', 'content-disposition'];
/**
 * Types that honest mails have next to a text as another version of it: the two that are read, and those that no
 * program shows in its place.
 */
const USUAL = /^(?:text\/(?:plain|html|calendar)|image\/.*|application\/(?!xhtml).*)$/;
const READ = /^text\/(?:plain|html)$/;

/**
 * Returns why some programs may show another text than the one that is read, in a few words. A mail may have versions
 * of which each program shows one, or say twice what a part is. Null if there is no sign of that.
 */
export function versionDoubt(bytes: Uint8Array): string | null {
  return doubtOf(mailParts(latin1(bytes).split(/\r\n|\n|\r/)));
}

/** Returns a mail as the tree of its parts. `lines`: its bytes as Latin-1, without line ends. */
function mailParts(lines: readonly string[]): MailPart {
  return partIn({ lines, from: 0, to: lines.length }, 0);
}

function allParts(part: MailPart): readonly MailPart[] {
  return [part, ...part.children.flatMap(allParts)];
}

/** Returns bytes as a text of as many characters. */
function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function doubtOf(part: MailPart): string | null {
  if (part.isAmbiguous) return 'it gives a part of it two types';
  if (part.children.length >= MAX_PARTS) return 'it has more parts than the limit';
  const shown = part.children.filter(({ isAttached }) => !isAttached).map(shownAs);
  const texts = shown.filter((type) => READ.test(type));
  const isDoubled = part.type === 'multipart/alternative' && new Set(texts).size < texts.length;
  const isOdd = part.type === 'multipart/alternative' && !shown.every((type) => USUAL.test(type));
  if (isDoubled || isOdd || (part.type === 'multipart/related' && texts.length > 1))
    return 'some programs show another version of it';
  return part.children.map(doubtOf).find((doubt) => doubt !== null) ?? null;
}

/** Of parts that belong together the first one says what they are. */
function shownAs({ type, children: [first] }: MailPart): string {
  return first !== undefined && type.startsWith('multipart/') ? shownAs(first) : type;
}

function partIn({ lines, from, to }: Stretch, depth: number): MailPart {
  const end = headerEnd({ lines, from, to });
  const header = { lines, from, to: end };
  const fields = headerFields(header);
  const valueIn = (name: string) => fields.find((field) => field.name === name)?.value ?? '';
  const contentType = valueIn('content-type');
  const type = /^\s*([^\s;]+)/.exec(contentType)?.[1]?.toLowerCase() ?? 'text/plain';
  const boundaries = [...contentType.matchAll(/;\s*boundary(\*[\d*]*)?\s*=\s*(?:"([^"]*)"|([^\s;]*))/gi)];
  const [first] = boundaries;
  const boundary = (first?.[2] ?? first?.[3] ?? '').trimEnd();
  const isTwice = ONCE.some((name) => fields.filter((field) => field.name === name).length > 1);
  const isSplit = type.startsWith('multipart/') && (boundaries.length > 1 || first?.[1] !== undefined);
  const hasParts = type.startsWith('multipart/') && boundary !== '' && depth < MAX_DEPTH;
  const body = { lines, from: Math.min(end + 1, to), to };
  return {
    type,
    contentType,
    encoding: /[\w-]+/.exec(valueIn('content-transfer-encoding'))?.[0].toLowerCase() ?? '',
    isAttached: /^\s*attachment\b/i.test(valueIn('content-disposition')),
    isAmbiguous: isTwice || isSplit,
    header,
    body,
    children: hasParts ? partsIn(body, boundary).map((one) => partIn(one, depth + 1)) : [],
  };
}

function headerEnd({ lines, from, to }: Stretch): number {
  let end = from;
  while (end < to && lines[end] !== '') end += 1;
  return end;
}

/** Returns the fields of a header, in order, with their names in lower case. */
function headerFields({ lines, from, to }: Stretch): readonly HeaderField[] {
  const starts: number[] = [];
  for (let at = from; at < to; at += 1) if (starts.length === 0 || !/^[ \t]/.test(lines[at] ?? '')) starts.push(at);
  return starts.map((start, nth) => {
    const end = starts[nth + 1] ?? to;
    const text = lines.slice(start, end).join('');
    const colon = text.indexOf(':');
    const name = text.slice(0, Math.max(0, colon)).trim().toLowerCase();
    return { name, value: text.slice(colon + 1), from: start, to: end };
  });
}

function partsIn({ lines, from, to }: Stretch, boundary: string): readonly Stretch[] {
  const marks: number[] = [];
  for (let at = from; at < to && marks.length <= MAX_PARTS; at += 1) {
    if (lines[at]?.startsWith('--') !== true) continue;
    const line = lines[at]?.trimEnd() ?? '';
    if (line === `--${boundary}`) marks.push(at);
    if (line === `--${boundary}--`) {
      marks.push(at);
      break;
    }
  }
  const last = lines[marks.at(-1) ?? to]?.trimEnd() === `--${boundary}--` ? [] : [to];
  const ends = [...marks.slice(1), ...last];
  return ends.map((end, nth) => ({ lines, from: (marks[nth] ?? from) + 1, to: end }));
}

/** Words of a mail that aren't read, and what a shorter copy of the mail needs so that the same is seen in it. */
export interface UnreadMail {
  readonly unread: Unread;
  /** The `Content-Type` of the part with the words; null if the text itself shows it. */
  readonly contentType: string | null;
}

interface MailWords {
  readonly root: MailPart;
  /** Its text with what it only carries, and the author's own words in it. */
  readonly text: string;
  readonly own: string;
  readonly html: string;
  /** The charset of words that can't be decoded; null if all words can. */
  readonly hiddenCharset: string | null;
}

const PGP = 'encrypted with PGP';
const PGP_BLOCK = /^-----BEGIN PGP MESSAGE-----[^\n]*\n(?:[^\n]*\n)*?(?:-----END PGP MESSAGE-----|(?![\s\S]))/gm;

/** The types of parts whose words can't be read, and why. */
const SEALED: readonly (readonly [type: RegExp, reason: string])[] = [
  [/^\s*application\/(?:x-)?pkcs7-mime\b.*\bsmime-type="?signed-data/i, 'packed in a signature (S/MIME)'],
  [/^\s*application\/(?:x-)?pkcs7-mime\b.*\bsmime-type="?certs-only/i, 'only a certificate (S/MIME)'],
  [/^\s*application\/(?:x-)?pkcs7-mime\b.*\bsmime-type="?(?:auth-?)?enveloped/i, 'encrypted with S/MIME'],
  // Some servers leave the kind away, or the whole type.
  [/^\s*application\/(?:x-)?pkcs7-mime\b/i, 'encrypted or packed in a signature (S/MIME)'],
  [/^\s*application\/octet-stream\b.*\bname="?smime\.p7m\b/i, 'encrypted or packed in a signature (S/MIME)'],
  [/^\s*(?:multipart\/encrypted|application\/pgp-encrypted)\b/i, PGP],
  [/^\s*application\/x-microsoft-rpmsg-message\b/i, 'encrypted by Microsoft 365'],
];

/** Parts without words of their own: signatures, receipts, and appointments, which are read elsewhere. */
const WORDLESS =
  /^(?:multipart\/.*|text\/(?:plain|html|calendar)|application\/(?:ics|pgp-(?:signature|keys)|(?:x-)?pkcs7-signature))$/;

/** Returns the words of a mail that aren't read, and why; null if all are read. */
export function unreadInMail({ root, text, own, html, hiddenCharset }: MailWords): UnreadMail | null {
  const parts = allParts(root);
  const isWordless = own.trim() === '';
  for (const [type, reason] of SEALED) {
    const sealed = parts.find((part) => type.test(part.contentType) && (part === root || isBody(part)));
    if (sealed !== undefined) return unreadPart(reason, isWordless, sealed);
  }
  if (hiddenCharset !== null)
    return unreadPart(`written in the charset ${hiddenCharset.slice(0, 40)}`, isWordless, null);
  if (withoutPgp(text) !== text) return unreadPart(PGP, isWordless, null);
  if (!isWordless) return null;
  const mail = parts.find(({ type }) => /^message\/(?:rfc822|global)$/.test(type));
  if (mail !== undefined) return unreadPart('only an attached mail', true, mail);
  const other = parts.filter(({ type, isAttached }) => isAttached || !WORDLESS.test(type));
  const picture = other.find(({ type }) => type.startsWith('image/'));
  if (picture !== undefined) return unreadPart('only a picture', false, picture);
  if (text.trim() === '' && /<img\b/i.test(html))
    return { unread: { reason: 'only a picture', isWhole: false }, contentType: 'image/png' };
  const [file] = other;
  return file === undefined ? null : unreadPart('only an attached file', false, file);
}

/** Whether a part is what the mail says, and not a file that was signed or encrypted by itself, such as an invoice. */
function isBody({ isAttached, contentType }: MailPart): boolean {
  // Mail servers that turn an encrypted mail into attachments keep these two as they are.
  return !isAttached || /\bsmime\.p7m\b|^\s*application\/pgp-encrypted\b/i.test(contentType);
}

/** Returns a text without the blocks that PGP has encrypted. */
export function withoutPgp(text: string): string {
  return text.includes('-----BEGIN PGP MESSAGE-----') ? `${text}\n`.replace(PGP_BLOCK, '') : text;
}

function unreadPart(reason: string, isWhole: boolean, part: MailPart | null): UnreadMail {
  return { unread: { reason, isWhole }, contentType: part?.contentType.trim() ?? null };
}

/** A mail whose charsets are declared as they are. */
interface ReadableMail {
  /** The same bytes if no correction was needed. */
  readonly bytes: Uint8Array;
  readonly root: MailPart;
  /** The charset, in capitals, of words that can't be decoded, such as UTF-7; null if all words can. */
  readonly hiddenCharset: string | null;
}

/**
 * Returns a mail as a parser of mails can decode it: each part in text declares the charset that its bytes have, header words
 * are joined as bytes and decoded, and lines that end in a bare CR end in LF. A part in a charset that hides letters in ASCII,
 * such as UTF-7, is no longer text.
 */
export function readableMail(bytes: Uint8Array): ReadableMail {
  const ended = withLineEnds(bytes);
  const lines = latin1(ended).split('\n').map(withoutEnd);
  const root = mailParts(lines);
  const corrected = new CorrectedLines(root);
  return { bytes: corrected.isChanged ? corrected.bytes(lines) : ended, root, hiddenCharset: corrected.hiddenCharset };
}

const [CR, LF] = [0x0d, 0x0a];

/** A mail with bare CR line ends comes from an old Mac program: its first line ends so, and then all do. */
function withLineEnds(bytes: Uint8Array): Uint8Array {
  const [cr, lf] = [bytes.indexOf(CR), bytes.indexOf(LF)];
  const isBare = cr >= 0 && (lf === -1 || cr < lf) && lf !== cr + 1;
  if (!isBare) return bytes;
  return Buffer.from(latin1(bytes).replace(/\r\n?/g, '\n'), 'latin1');
}

/** Returns a line without the CRs at its end. */
export function withoutEnd(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end -= 1;
  return line.slice(0, end);
}

/** The fields of a mail's header that have words. */
const WORD_FIELDS: ReadonlySet<string> = new Set(['subject', 'from', 'sender', 'reply-to', 'to', 'cc']);
const TEXT = /^text\/(?:plain|html|calendar)$/;
const CHARSET = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]*))/i;
/** Declared by programs that write anything else as well. */
const ASCII = /^(?:us-?|iso646-us|ansi_x3\.4-1968)?ascii$/i;

/** The lines of a mail that have to be others. */
class CorrectedLines {
  readonly #lines = new Map<number, string | null>();
  hiddenCharset: string | null = null;

  constructor(root: MailPart) {
    const texts = allParts(root).filter(isReadAsText);
    for (const part of texts) this.#part(part);
    this.#header(root.header, texts.map(declaredCharset).find((name) => name !== null) ?? null);
  }

  get isChanged(): boolean {
    return this.#lines.size > 0;
  }

  bytes(lines: readonly string[]): Buffer {
    const all = lines.flatMap((line, nth) => this.#lines.get(nth) ?? (this.#lines.has(nth) ? [] : [line]));
    return Buffer.from(all.join('\n'), 'latin1');
  }

  #part(part: MailPart): void {
    const declared = declaredCharset(part);
    if (declared !== null && isHiddenCharset(declared)) {
      this.hiddenCharset = declared.toUpperCase();
      this.#retype(part, 'application/octet-stream');
      return;
    }
    const bytes = bodyBytes(part);
    if (!bytes.some((byte) => byte > 127 || byte === 0x1b) || /^utf-?16/i.test(declared ?? '')) return;
    const charset = detectCharset(bytes, declared === null || ASCII.test(declared) ? null : declared);
    if (charset !== declared?.toLowerCase()) this.#retype(part, withCharset(part.contentType, charset));
  }

  #retype({ header }: MailPart, contentType: string): void {
    const field = headerFields(header).find(({ name }) => name === 'content-type');
    const line = `Content-Type: ${contentType.trim()}`;
    if (field !== undefined) this.#replace(field, line);
    else if (header.to < header.lines.length) this.#lines.set(header.to, `${line}\n`);
  }

  #header(header: Stretch, charset: string | null): void {
    for (const field of headerFields(header)) {
      if (!WORD_FIELDS.has(field.name)) continue;
      const { text, hiddenCharset } = readableWords(field.value, charset);
      this.hiddenCharset = hiddenCharset ?? this.hiddenCharset;
      if (text !== field.value) this.#replace(field, `${field.name}:${text}`);
    }
  }

  #replace({ from, to }: { readonly from: number; readonly to: number }, line: string): void {
    for (let at = from; at < to; at += 1) this.#lines.set(at, at === from ? line : null);
  }
}

function isReadAsText({ type, isAttached, children }: MailPart): boolean {
  return children.length === 0 && TEXT.test(type) && (!isAttached || type === 'text/calendar');
}

function declaredCharset({ contentType }: MailPart): string | null {
  const [, quoted, bare] = CHARSET.exec(contentType) ?? [];
  const name = (quoted ?? bare ?? '').trim();
  return name === '' ? null : name;
}

function withCharset(contentType: string, charset: string): string {
  const rest = contentType.trim() === '' ? 'text/plain' : contentType.replace(CHARSET, '');
  return `${rest}; charset=${charset}`;
}

function bodyBytes({ body: { lines, from, to }, encoding }: MailPart): Uint8Array {
  const own = lines.slice(from, to);
  if (encoding === 'base64') return fromBase64(own.join(''));
  const text = own.join('\n');
  return Buffer.from(encoding === 'quoted-printable' ? fromQuoted(text.replace(/=\n/g, '')) : text, 'latin1');
}

/** Some programs pad every line: each unit is decoded by itself. */
function fromBase64(text: string): Buffer {
  return Buffer.concat(text.split(/=+/).map((unit) => Buffer.from(unit, 'base64')));
}

function fromQuoted(text: string): string {
  return text.replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** `=?utf-8?B?R3LDvMOfZQ==?=`, with or without a language behind the charset. */
const WORD = /=\?([^?\s*]{1,100})(?:\*[^?\s]{0,100})?\?([bq])\?([^?]*)\?=/gi;

interface EncodedWord {
  readonly charset: string;
  readonly isBase64: boolean;
  readonly payload: string;
  readonly from: number;
  readonly to: number;
}

/** The words of a header field, and the charset of words in it that can't be decoded. */
interface ReadableWords {
  readonly text: string;
  readonly hiddenCharset: string | null;
}

/**
 * Returns a header field with each run of encoded words as one word in UTF-8: many programs cut them inside a character. Bytes
 * beyond ASCII outside of them are decoded as `charset`, that of the mail's text, or as what they look like.
 */
function readableWords(written: string, charset: string | null): ReadableWords {
  const runs = runsOfWords(written);
  let [text, at] = ['', 0];
  for (const run of runs) {
    const [from, to] = [run[0]?.from ?? at, run.at(-1)?.to ?? at];
    text += `${inUtf8(written.slice(at, from), charset)}=?utf-8?B?${Buffer.from(wordsOfRun(run)).toString('base64')}?=`;
    at = to;
  }
  const hidden = runs.flat().find((word) => isHiddenCharset(word.charset));
  return { text: text + inUtf8(written.slice(at), charset), hiddenCharset: hidden?.charset.toUpperCase() ?? null };
}

/** Blanks between two encoded words are no part of the text. */
function runsOfWords(written: string): readonly (readonly EncodedWord[])[] {
  const runs: EncodedWord[][] = [];
  for (const found of written.matchAll(WORD)) {
    const [all, charset = '', encoding, payload = ''] = found;
    const word = { charset: charset.toLowerCase(), isBase64: /b/i.test(encoding ?? ''), payload };
    const placed = { ...word, from: found.index, to: found.index + all.length };
    const last = runs.at(-1);
    if (last !== undefined && /^\s*$/.test(written.slice(last.at(-1)?.to ?? 0, placed.from))) last.push(placed);
    else runs.push([placed]);
  }
  return runs;
}

function wordsOfRun(run: readonly EncodedWord[]): string {
  const groups: EncodedWord[][] = [];
  for (const word of run) {
    const last = groups.at(-1);
    if (last !== undefined && last[0]?.charset === word.charset) last.push(word);
    else groups.push([word]);
  }
  return groups.map(decodedWords).join('');
}

/** Each word in ISO-2022-JP ends in ASCII. A decoder takes a switch back without a letter before it for an error. */
const BACK_AND_FORTH = '\u001b(B\u001b$B';

function decodedWords(words: readonly EncodedWord[]): string {
  const [{ charset } = { charset: '' }] = words;
  // As it is written: its letters would be guessed.
  if (isHiddenCharset(charset)) return words.map(({ payload }) => `=?${charset}?${payload}?=`).join(' ');
  const joined = latin1(bytesOfWords(words)).replaceAll(BACK_AND_FORTH, '');
  return decode(Buffer.from(joined, 'latin1'), ASCII.test(charset) ? null : charset);
}

/** Base64 that was cut inside a group of four goes on in the next word. */
function bytesOfWords(words: readonly EncodedWord[]): Buffer {
  const bytes: Buffer[] = [];
  let open = '';
  for (const { isBase64, payload } of words) {
    if (!isBase64) {
      bytes.push(fromBase64(open), Buffer.from(fromQuoted(payload.replaceAll('_', ' ')), 'latin1'));
      open = '';
      continue;
    }
    open += payload.replace(/\s+/g, '');
    if (open.length % 4 !== 0) continue;
    bytes.push(fromBase64(open));
    open = '';
  }
  return Buffer.concat([...bytes, fromBase64(open)]);
}

/** Returns a text in UTF-8, its bytes as Latin-1 characters. `written`: its bytes in the charset, in the same form. */
function inUtf8(written: string, charset: string | null): string {
  const bytes = Buffer.from(written, 'latin1');
  if (isUtf8(bytes)) return written;
  return Buffer.from(decode(bytes, charset)).toString('latin1');
}
