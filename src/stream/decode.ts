import { isUtf8 } from 'node:buffer';
import { detect } from 'jschardet';

/** How much of a text is looked at to find out its charset. */
const LOOKED_AT = 16 * 1024;
/** How much is looked at for the zeros of UTF-16. */
const ZEROS_IN = 4096;
const FALLBACK = 'windows-1252';
/** What is guessed: not what looks like one of these, and is hardly ever written. */
const GUESSED = [
  ...['windows-1250', 'windows-1251', 'windows-1252', 'windows-1253', 'windows-1254', 'windows-1257'],
  ...['iso-8859-2', 'koi8-r', 'ibm866', 'gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr'],
];
const ONE_BYTE = /^(?:windows-|iso-8859-|koi8-|ibm866|macintosh|x-mac-)/;

/**
 * Returns a text as it was written: UTF-8 or UTF-16 by its mark, else in the charset that the file declares, else as
 * UTF-8 where it is valid, else in what its bytes look like. `declared`: as the file's own header names it, or null.
 */
export function decode(bytes: Uint8Array, declared: string | null = null): string {
  return new TextDecoder(charsetOf(bytes, declared)).decode(bytes);
}

/**
 * Returns the name of the charset of a text, as `TextDecoder` knows it. Programs often declare one and write UTF-8: what
 * is valid UTF-8 beyond ASCII is UTF-8, whatever charset of one byte a character is declared.
 */
export function charsetOf(bytes: Uint8Array, declared: string | null = null): string {
  return markOf(bytes) ?? zerosOf(bytes) ?? asDeclared(bytes, known(declared)) ?? guessed(bytes);
}

function markOf(bytes: Uint8Array): string | null {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  return a === 0xfe && b === 0xff ? 'utf-16be' : null;
}

/** UTF-16 without a mark is believed only where every second byte of Western text is zero, and no other one is. */
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
  if (declared === 'utf-8') return isUtf8(whole(bytes)) ? declared : null;
  return ONE_BYTE.test(declared) && isUtf8(whole(bytes)) && bytes.some((byte) => byte > 127) ? 'utf-8' : declared;
}

function guessed(bytes: Uint8Array): string {
  if (isUtf8(whole(bytes))) return 'utf-8';
  const { encoding } = detect(Buffer.from(oddLines(bytes)), { detectEncodings: GUESSED, minimumThreshold: 0 });
  const name = known(encoding);
  return name !== null && GUESSED.includes(name) ? name : FALLBACK;
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

/** Returns the name that the decoder knows a charset by: `1252`, `CP1252` and `USASCII` too. Null where it knows none. */
function known(name: string | null): string | null {
  if (name === null) return null;
  const plain = name
    .trim()
    .replace(/^(?:cp|ansi|win|windows)?[-_ ]?(125\d)$/i, 'windows-$1')
    .replace(/^(?:iso)?[-_ ]?8859[-_ ]?(\d{1,2})$/i, 'iso-8859-$1');
  try {
    return new TextDecoder(/^(?:us-?|iso646-us|ansi_x3\.4-1968)?ascii$/i.test(plain) ? FALLBACK : plain).encoding;
  } catch {
    return null;
  }
}
