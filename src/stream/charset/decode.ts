import { isUtf8 } from 'node:buffer';
import { detect } from 'jschardet';

/** How much of a text is looked at to find out its charset. */
const LOOKED_AT = 256 * 1024;
/** What the detector must be sure of; below, the text is taken for Western European. */
const SURE = 0.5;
const FALLBACK = 'windows-1252';

/**
 * Returns a text as it was written: UTF-8 or UTF-16 by its mark, else in the charset that the file declares, else as
 * UTF-8 where it is valid, else in what its bytes look like. `declared`: as the file's own header names it, or null.
 */
export function decode(bytes: Uint8Array, declared: string | null = null): string {
  return textIn(bytes, markOf(bytes) ?? known(declared) ?? guessed(bytes));
}

function markOf(bytes: Uint8Array): string | null {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  return a === 0xfe && b === 0xff ? 'utf-16be' : null;
}

function guessed(bytes: Uint8Array): string {
  if (isUtf8(bytes)) return 'utf-8';
  const { encoding, confidence } = detect(Buffer.from(bytes.subarray(0, LOOKED_AT)));
  return (confidence >= SURE ? known(encoding) : null) ?? FALLBACK;
}

/** Returns the name that the decoder knows a charset by: `1252`, `CP1252` and `USASCII` too. Null where it knows none. */
function known(name: string | null): string | null {
  if (name === null) return null;
  const plain = name.trim().replace(/^(?:cp|ansi-?)?(125\d)$/i, 'windows-$1');
  const label = /^us-?ascii$/i.test(plain) ? FALLBACK : plain;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

function textIn(bytes: Uint8Array, charset: string): string {
  return new TextDecoder(charset).decode(bytes);
}
