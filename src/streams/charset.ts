import { isUtf8 } from 'node:buffer';
import { detect } from 'jschardet';

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
export function isHiddenCharset(declared: string): boolean {
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
