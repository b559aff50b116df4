/**
 * Bidirectional overrides, zero-width characters, fillers, tags (U+E0000 and after) and the like, which make a text look
 * different from what it says, or carry one that nobody sees.
 */
const INVISIBLE =
  /\u034F|[\u17B4\u17B5]|[\u180B-\u180F]|[\u00AD\u061C\u115F\u1160\u200B-\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uFEFF\uFFA0\uFFF0-\uFFFB\u{E0000}-\u{E0FFF}]/gu;
const LINE_ENDS = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove.
const CONTROL = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/g;

/** Returns the text in NFC, with LF line ends and without control characters, invisible characters and lone surrogates. */
export function plainText(text: string): string {
  const lines = text.toWellFormed().replace(LINE_ENDS, '\n').replace(/\t/g, ' ');
  return lines.replace(CONTROL, '').replace(INVISIBLE, '').normalize('NFC');
}

/** Returns the text as one line of at most `limit` characters that is safe in a note. An ellipsis marks a cut. */
export function oneLine(text: string, limit: number): string {
  const line = plainText(text).replace(/\s+/g, ' ').trim();
  return line.length <= limit ? line : `${cutAt(line, limit - 1).trimEnd()}…`;
}

/** Returns the first `limit` UTF-16 units, without half a character at the end. */
export function cutAt(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? limit - 1 : limit);
}
