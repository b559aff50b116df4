import { type Diagnostic, diagnostic } from '../errors.ts';
import type { Block } from './parsed-note.ts';
import { positionAt } from './position.ts';

/** Event notes carry their undo recipe, so frontmatter may be long; nobody writes more than this by hand. */
export const MAX_FRONTMATTER_CHARS = 256 * 1024;
/** The approximate number of values a frontmatter may hold: reading more would block the program for too long. */
export const MAX_VALUES = 10_000;
/** The sum of the squares of all runs of blanks: roughly the steps gray-matter takes over them. */
const MAX_DESERT = 2_000_000;

const BLANK_REST = /^[ \t]*\r?$/;
const LANGUAGE_REST = /^[ \t]*([A-Za-z][\w+.-]*)[ \t]*\r?$/;
// No `m` flag: with it `^` and `$` would also match at a lone CR, U+2028 and U+2029, where no line ends for an editor.
const CLOSING = /\n(?:---|\.\.\.)[ \t]*\r?(?:\n|$)/g;

/** Returns where the frontmatter is, null where there is none, or what is wrong with its fences. */
export function findBlock(file: string, text: string): Block | Diagnostic | null {
  const bom = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  if (!text.startsWith('---', bom)) return misplaced(file, text);
  const lineEnd = text.indexOf('\n', bom);
  const rest = text.slice(bom + 3, lineEnd === -1 ? text.length : lineEnd);
  if (!BLANK_REST.test(rest)) return refuseLanguage(file, text, bom, rest) ?? misplaced(file, text);
  const end = lineEnd === -1 ? null : closingFence(text, lineEnd);
  if (end === null) return unclosed(file, text, bom);
  const start = lineEnd + 1;
  if (end - start > MAX_FRONTMATTER_CHARS) return blockTooLarge(file, text, start, 'is too long');
  if (hasBlankDesert(text, start, end)) return blockTooLarge(file, text, start, 'holds too many blanks in a row');
  return { start, end, firstLine: 2, eol: rest.endsWith('\r') ? '\r\n' : '\n' };
}

/** Returns the diagnostic of a frontmatter that holds too much to be read; `how` says of what, in words. */
export function blockTooLarge(file: string, text: string, offset: number, how: string): Diagnostic {
  return diagnostic({
    code: 'frontmatter-too-large',
    file,
    line: positionAt(text, offset).line,
    message: `The frontmatter ${how}; at most ${MAX_FRONTMATTER_CHARS} characters and some ${MAX_VALUES} values are read.`,
    hint: 'Keep the fields in the frontmatter and move long text below the closing ---.',
  });
}

/** Returns the offset where the closing fence's line begins. */
function closingFence(text: string, openingLineEnd: number): number | null {
  const closing = new RegExp(CLOSING);
  closing.lastIndex = openingLineEnd;
  const match = closing.exec(text);
  return match === null ? null : match.index + 1;
}

/** gray-matter looks for comment lines with a pattern that is quadratic in a run of blanks (256 KiB: a minute). */
function hasBlankDesert(text: string, start: number, end: number): boolean {
  let steps = 0;
  for (const [run] of text.slice(start, end).matchAll(/\s{16,}/g)) steps += run.length ** 2;
  return steps > MAX_DESERT;
}

function refuseLanguage(file: string, text: string, offset: number, rest: string): Diagnostic | null {
  const language = LANGUAGE_REST.exec(rest)?.[1];
  if (language === undefined) return null;
  const at = text.indexOf(language, offset);
  return diagnostic({
    code: 'frontmatter-language',
    file,
    ...positionAt(text, at),
    message: `The frontmatter says it is written in "${language}"; the steward reads only YAML, and runs nothing from a note.`,
    hint: 'Make the first line --- alone and write the fields as YAML.',
  });
}

/** A line of dashes, with nothing above it but blanks, marks that nobody sees, and directives; a remark may stand behind it. */
const MISPLACED = /^(?:\s|%[^\r\n]*[\r\n])*---[ \t]*(?:#[^\r\n]*)?(?:\r\n?|\n)/;
const ANY_CLOSING = /[\r\n](?:---|\.\.\.)[ \t]*(?:[\r\n]|$)/g;
const FIELD = /^["']?[^\s:#"'-][^:\r\n]{0,100}["']?[ \t]*:(?:[ \t]|$)/;
const MORE_OF_FIELD = /^(?:[ \t#]|-(?:[ \t]|$))/;

/**
 * Refuses fields that stand where no editor sees frontmatter: below an empty line, say. They are meant as such, `steward: false`
 * among them, and whoever took the note for one without fields would put others above them.
 */
function misplaced(file: string, text: string): Diagnostic | null {
  const opening = MISPLACED.exec(text)?.[0];
  if (opening === undefined) return null;
  const closing = new RegExp(ANY_CLOSING);
  closing.lastIndex = opening.length - 1;
  const end = closing.exec(text)?.index ?? opening.length;
  const lines = text.slice(opening.length, Math.min(end, opening.length + MAX_FRONTMATTER_CHARS)).split(/\r\n?|\n/);
  const written = lines.filter((line) => line.trim() !== '');
  const areFields =
    written.some((line) => FIELD.test(line)) && written.every((line) => FIELD.test(line) || MORE_OF_FIELD.test(line));
  if (!areFields) return null;
  return diagnostic({
    code: 'frontmatter-misplaced',
    file,
    ...positionAt(text, opening.indexOf('---')),
    message: 'These fields are no frontmatter: that begins with --- alone on the very first line.',
    hint: 'Take away what stands before the --- (an empty line, a blank, an invisible mark) or behind it on its line.',
  });
}

function unclosed(file: string, text: string, offset: number): Diagnostic {
  return diagnostic({
    code: 'frontmatter-unclosed',
    file,
    ...positionAt(text, offset),
    message: 'The frontmatter opens here, and its closing --- is missing.',
    hint: 'Put a line with --- after the last field. If the note is still being written, just wait.',
  });
}
