import { decode } from '../decode.ts';
import { type ByteSource, FileRefusal, wholeFile } from '../items.ts';

const LOOKED_AT = 4096;

/** Returns a file as text, each of its lines ended by LF. Throws `FileRefusal` where it is too long, or no text. */
export function wholeText(source: ByteSource, most: number): string {
  return plainLines(decode(wholeFile(source, most)));
}

/** Returns a text, each of its lines ended by LF. Throws `FileRefusal` where it is no text. */
export function plainLines(text: string): string {
  // A NUL that somebody sends is no reason to refuse what the others say; text in UTF-32 is full of them.
  if (isMostlyNul(text)) throw new FileRefusal('It is not text in UTF-8 or UTF-16.', 'Save it again as UTF-8.');
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

function isMostlyNul(text: string): boolean {
  const head = text.slice(0, LOOKED_AT);
  return head.split('\0').length > head.length / 8 + 1;
}
