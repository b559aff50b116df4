import { isAscii, isUtf8 } from 'node:buffer';
import { CORE_SCHEMA, load, YAMLException } from 'js-yaml';
import { type Diagnostic, diagnostic, reasonOf } from './errors.ts';
import { positionAt } from './frontmatter/position.ts';
import { plainYaml } from './frontmatter-plain.ts';
import { grayMatter } from './lazy-packages.ts';
import type { Block, ParsedNote } from './parsed-note.ts';
import type { Frontmatter } from './records/values.ts';

/** Event notes carry their undo recipe, so frontmatter may be long; nobody writes more than this by hand. */
export const MAX_FRONTMATTER_CHARS = 256 * 1024;
/** The approximate number of values a frontmatter may hold: reading more would block the program for too long. */
const MAX_VALUES = 10_000;
/** The sum of the squares of all runs of blanks: roughly the steps gray-matter takes over them. */
const MAX_DESERT = 2_000_000;

const BLANK_REST = /^[ \t]*\r?$/;
const LANGUAGE_REST = /^[ \t]*([A-Za-z][\w+.-]*)[ \t]*\r?$/;
// No `m` flag: with it `^` and `$` would also match at a lone CR, U+2028 and U+2029, where no line ends for an editor.
const CLOSING = /\n(?:---|\.\.\.)[ \t]*\r?(?:\n|$)/g;

/** Returns where the frontmatter is, null where there is none, or what is wrong with its fences. */
function findBlock(file: string, text: string): Block | Diagnostic | null {
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
function blockTooLarge(file: string, text: string, offset: number, how: string): Diagnostic {
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

/** Notes over 1 MiB are not records. */
export const MAX_NOTE_BYTES = 1024 * 1024;
/** How many nodes a frontmatter may have once each alias is written out. */
const MAX_NODES = 50_000;
/** js-yaml calls its listener at the start and end of each value, and tries many values twice. */
const CALLS_PER_VALUE = 4;
const MAX_DEPTH = 500;

type ReadResult = { ok: true; note: ParsedNote } | { ok: false; trouble: Diagnostic };

/**
 * Returns a note's frontmatter as plain data, or what is wrong with it. Never throws, never executes anything in it.
 */
export function readNote(file: string, bytes: Buffer): ReadResult {
  if (bytes.length > MAX_NOTE_BYTES) return { ok: false, trouble: noteTooLarge(file, bytes.length) };
  const text = textOf(bytes);
  if (text === null || text.includes('\0')) return { ok: false, trouble: notText(file, bytes) };
  const note = parsePlainNote(text);
  return note === null ? readText(file, text) : { ok: true, note };
}

function readText(file: string, text: string): ReadResult {
  if (!/\S/.test(text)) return { ok: false, trouble: empty(file) };
  const block = findBlock(file, text);
  if (block === null) return { ok: true, note: { data: ownOnly({}), block, text, isPlain: false } };
  if ('code' in block) return { ok: false, trouble: block };
  return readBlock(file, text, block);
}

// --- the fast way ------------------------------------------------------------------------------------------

const OPENING = /^---\r?\n/;
const CLOSING_PARSE = '\n---';
const CLOSING_LINE = /\n---\r?(?:\n|$)/y;

/**
 * Returns a note whose frontmatter is plain YAML between two bare lines of three dashes; null for any other.
 */
export function parsePlainNote(text: string): ParsedNote | null {
  const start = text.startsWith('---\n') ? 4 : (OPENING.exec(text)?.[0].length ?? 0);
  const end = start === 0 ? 0 : text.indexOf(CLOSING_PARSE, start - 1) + 1;
  CLOSING_LINE.lastIndex = end - 1;
  if (end === 0 || !CLOSING_LINE.test(text)) return null;
  const eol = start === 4 ? '\n' : '\r\n';
  const data = eol === '\n' ? plainYaml(text, start, end) : plainYaml(text.slice(start, end).replaceAll(eol, '\n'));
  return data === null ? null : { data, block: { start, end, firstLine: 2, eol }, text, isPlain: true };
}

// --- bytes that are not text -----------------------------------------------------------------------------------------

function textOf(bytes: Buffer): string | null {
  if (isAscii(bytes)) return bytes.toString('latin1'); // copied as it is, where UTF-8 would be decoded
  return isUtf8(bytes) ? bytes.toString('utf8') : null;
}

function notText(file: string, bytes: Buffer): Diagnostic {
  if (bytes.includes(0)) {
    return diagnostic({
      code: 'note-binary',
      file,
      message: 'This file holds NUL bytes, so it is not a Markdown note.',
      hint: 'If it is text in UTF-16, save it as UTF-8; otherwise move it out of this folder.',
    });
  }
  return diagnostic({
    code: 'note-not-utf8',
    file,
    message: 'This note is not valid UTF-8.',
    hint: 'Save it again with the encoding UTF-8.',
  });
}

function noteTooLarge(file: string, size: number): Diagnostic {
  return diagnostic({
    code: 'note-too-large',
    file,
    message: `This note has ${size} bytes; a record may have at most ${MAX_NOTE_BYTES}.`,
    hint: 'Move the long part of it into another note, outside the record folders.',
  });
}

function empty(file: string): Diagnostic {
  return diagnostic({
    code: 'note-empty',
    file,
    message: 'This note is empty.',
    hint: 'Wait if it is still being written or synced; otherwise fill or delete it.',
  });
}

// --- the YAML --------------------------------------------------------------------------------------------------------

function refuseCode(): never {
  throw new Error('only YAML frontmatter is read');
}

/**
 * The closing delimiter is NUL, which no note that got this far contains: gray-matter would also stop at a line that
 * merely begins with `---`. The loaded value travels in a box, since gray-matter replaces null with an empty object and
 * treats a field named `excerpt_separator` as an option.
 */
const SPLITTING = {
  language: 'yaml',
  delimiters: ['---', '\0'] satisfies [string, string],
  engines: {
    yaml: (input: string) => ({ boxed: load(input, { schema: CORE_SCHEMA, json: false, listener: valueCounter() }) }),
    yml: refuseCode,
    json: refuseCode,
    js: refuseCode,
    javascript: refuseCode,
    coffee: refuseCode,
    coffeescript: refuseCode,
    cson: refuseCode,
    toml: refuseCode,
  },
};

function valueCounter(): () => void {
  let calls = 0;
  return () => {
    calls += 1;
    if (calls > CALLS_PER_VALUE * MAX_VALUES) throw new TooManyValues();
  };
}

function readBlock(file: string, text: string, block: Block): ReadResult {
  const yaml = text.slice(block.start, block.end);
  const split = grayMatter(); // a package that cannot be loaded now says nothing of the note
  try {
    const loaded: unknown = split(`---\n${yaml}\n\0`, SPLITTING).data.boxed;
    const data = plain(loaded, { left: yaml.includes('*') ? MAX_NODES : Number.POSITIVE_INFINITY }, 0);
    if (data === null || data === undefined)
      return { ok: true, note: { data: ownOnly({}), block, text, isPlain: false } };
    if (!isMapping(data)) return { ok: false, trouble: notAMapping(file, text, block) };
    return { ok: true, note: { data: ownOnly(data), block, text, isPlain: false } };
  } catch (error) {
    if (error instanceof TooManyNodes) return { ok: false, trouble: aliasBomb(file, text, block) };
    if (error instanceof TooManyValues) {
      return { ok: false, trouble: blockTooLarge(file, text, block.start, 'holds too many values') };
    }
    return { ok: false, trouble: yamlTrouble(file, text, block, error) };
  }
}

class TooManyNodes extends Error {}
class TooManyValues extends Error {}

/**
 * Returns the value with everything that JSON cannot hold turned into text. A shared object counts each time it
 * appears, since it is written out each time; a circular one runs into the depth limit.
 */
function plain(value: unknown, budget: { left: number }, depth: number): unknown {
  if (--budget.left < 0 || depth > MAX_DEPTH) throw new TooManyNodes();
  if (typeof value === 'number') return Number.isFinite(value) ? value : nonFinite(value);
  if (typeof value !== 'object' || value === null) return value;
  const holder: { [key: string]: unknown } = value as { [key: string]: unknown }; // an array is indexed the same way
  for (const key of Object.keys(value)) {
    const child = holder[key];
    if (typeof child !== 'number' && typeof child !== 'object') budget.left--;
    else {
      const made = plain(child, budget, depth + 1);
      if (made !== child) holder[key] = made;
    }
  }
  return value;
}

function nonFinite(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  return value > 0 ? '.inf' : '-.inf';
}

/** Without a prototype: a note without a field `constructor` must not seem to have one, as every plain object does. */
function ownOnly(data: Frontmatter): Frontmatter {
  return Object.setPrototypeOf(data, null);
}

/** js-yaml's core schema makes only texts, numbers, booleans, null, lists and plain objects. */
function isMapping(value: unknown): value is Frontmatter {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function notAMapping(file: string, text: string, block: Block): Diagnostic {
  const first = /[^\s]/.exec(text.slice(block.start, block.end))?.index ?? 0;
  return diagnostic({
    code: 'frontmatter-not-a-mapping',
    file,
    ...positionAt(text, block.start + first),
    message: 'The frontmatter is not a list of fields.',
    hint: 'Write one field a line, as in "state: open". If --- is a line across the page, put a blank line above it.',
  });
}

function aliasBomb(file: string, text: string, block: Block): Diagnostic {
  const at = /(?<![^\s,[{])\*[^\s*]/.exec(text.slice(block.start, block.end))?.index ?? 0;
  return diagnostic({
    code: 'frontmatter-aliases',
    file,
    ...positionAt(text, block.start + at),
    message: 'The aliases (*name) in the frontmatter grow without bound.',
    hint: 'Write the values themselves in place of the aliases.',
  });
}

// --- what YAML says, in plain words ----------------------------------------------------------------------------------

function yamlTrouble(file: string, text: string, block: Block, error: unknown): Diagnostic {
  const at = errorOffset(text, block, error);
  const reason = error instanceof YAMLException ? error.reason : reasonOf(error);
  if (reason === 'duplicated mapping key') return duplicateKey(file, text, at);
  return diagnostic({
    code: 'frontmatter-yaml',
    file,
    ...positionAt(text, at),
    message: `The frontmatter is not valid YAML here: ${reason}.`,
    hint: hintFor(reason, text, at),
  });
}

/** js-yaml's offsets count from the line break of the opening fence, just before the YAML. */
function errorOffset(text: string, block: Block, error: unknown): number {
  const position = error instanceof YAMLException && error.mark ? error.mark.position : 1;
  const offset = Math.min(block.start + Math.max(position - 1, 0), Math.max(block.end - 1, block.start));
  return stepBackFromLineEnd(text, block, offset);
}

/** An error at the end of a line is shown after its last character, not under the line break. */
function stepBackFromLineEnd(text: string, block: Block, offset: number): number {
  return offset > block.start && text[offset] === '\n' && text[offset - 1] === '\r' ? offset - 1 : offset;
}

function duplicateKey(file: string, text: string, at: number): Diagnostic {
  const key = /^(?:"([^"\n]*)"|'([^'\n]*)'|([^:\n]*))/.exec(text.slice(at, at + 200));
  const name = (key?.[1] ?? key?.[2] ?? key?.[3] ?? '').trim();
  return diagnostic({
    code: 'frontmatter-duplicate-key',
    file,
    ...positionAt(text, at),
    message: `The field "${name}" stands twice in the frontmatter.`,
    hint: 'Keep one of the two and delete the other.',
  });
}

const TABS = 'Use spaces, not tabs, at the beginning of the line.';
const HINTS: readonly (readonly [RegExp, string])[] = [
  [/tab characters/, TABS],
  [/within a (single|double) quoted/, 'A quote that opens must also close: look for the missing one.'],
  [/unidentified alias/, 'A value that begins with * must stand in "quotes".'],
  [/tag/, 'A value that begins with ! must stand in "quotes".'],
  [/flow collection/, 'A bracket that opens must also close; a value that begins with [ or { must stand in "quotes".'],
  [/nesting exceeded/, 'Fields are flat: a value holds a text, a number or a list.'],
  [/implicit mapping pair|colon is missed/, 'Every field is written as "name: value", with the colon.'],
];

function hintFor(reason: string, text: string, at: number): string {
  const known = HINTS.find(([pattern]) => pattern.test(reason));
  if (known !== undefined) return known[1];
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at + 1);
  if (/^ *\t/.test(line)) return TABS;
  if (/:\s.*:\s?/.test(line)) return 'A value that contains a colon and a blank must stand in "quotes".';
  return 'Write one field a line, as in "state: open", and put values with special characters in "quotes".';
}
