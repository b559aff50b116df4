import { isAscii, isUtf8 } from 'node:buffer';
import grayMatter from 'gray-matter';
import { CORE_SCHEMA, type DumpOptions, dump, load, YAMLException } from 'js-yaml';
import { z } from 'zod';
import { type Diagnostic, diagnostic, errorReason } from './errors.ts';
import { MAX_NOTE_BYTES } from './layout.ts';

// Reads the frontmatter of notes, and writes values as YAML.

/** A value as YAML's core schema reads it: no dates, no classes, no functions. */
export type Yaml = string | number | boolean | null | readonly Yaml[] | { readonly [key: string]: Yaml };
/** A note's frontmatter as read: the keys and values that a person or the program wrote. */
export type Frontmatter = Readonly<Record<string, Yaml>>;

/** Any YAML value. Checked by a function: a schema that contains itself cannot be compiled. */
export const yamlValue: z.ZodType<Yaml> = z.custom<Yaml>(isYaml);

function isYaml(value: unknown): boolean {
  if (typeof value !== 'object' || value === null)
    return ['string', 'number', 'boolean', 'object'].includes(typeof value);
  return Object.values(value).every(isYaml);
}

/** A field's value before and after a change; null if the field is absent. */
export interface BeforeAfter {
  readonly before: Yaml;
  readonly after: Yaml;
}
export type Changes = Readonly<Record<string, BeforeAfter>>;

interface Block {
  readonly start: number;
  readonly end: number;
  /** 1-based line in the file of the first YAML line. */
  readonly firstLine: number;
  /** The line end of the opening fence: `\n` or `\r\n`. */
  readonly eol: string;
}

/** A note that could be read: its fields, their places, and its whole text. */
export interface ParsedNote {
  readonly data: Frontmatter;
  /** Null if the note has no frontmatter. */
  readonly block: Block | null;
  readonly text: string;
}

/** Event notes carry their undo recipe, so frontmatter may be long; people write less than this by hand. */
export const MAX_FRONTMATTER_CHARS = 256 * 1024;
/** The approximate number of values allowed in a frontmatter: reading more would block the program for too long. */
const MAX_VALUES = 10_000;
/** The sum of the squares of all runs of blanks: roughly the steps gray-matter takes over them. */
const MAX_DESERT = 2_000_000;

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
  if (!/\S/.test(text)) return { ok: false, trouble: empty(file) };
  const block = findBlock(file, text);
  if (block === null) return { ok: true, note: { data: ownOnly({}), block, text } };
  if ('code' in block) return { ok: false, trouble: block };
  return readBlock(file, text, block);
}

// --- the fences -----------------------------------------------------------------------------------------------------

const BLANK_REST = /^[ \t]*\r?$/;
const LANGUAGE_REST = /^[ \t]*([A-Za-z][\w+.-]*)[ \t]*\r?$/;
// No `m` flag: with it `^` and `$` would also match at a lone CR, U+2028 and U+2029, which are no line ends for an
// editor.
const CLOSING = /\n(?:---|\.\.\.)[ \t]*\r?(?:\n|$)/g;

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
  if (hasBlankDesert(text, start, end)) return blockTooLarge(file, text, start, 'has too many spaces in a row');
  return { start, end, firstLine: 2, eol: rest.endsWith('\r') ? '\r\n' : '\n' };
}

/** Returns the diagnostic of a frontmatter that is too large to be read; `how` says why, in words. */
function blockTooLarge(file: string, text: string, offset: number, how: string): Diagnostic {
  return diagnostic({
    code: 'frontmatter-too-large',
    file,
    line: positionAt(text, offset).line,
    message: `The frontmatter ${how}; at most ${MAX_FRONTMATTER_CHARS} characters and some ${MAX_VALUES} values are read.`,
    hint: 'Keep the fields in the frontmatter and move long text below the closing ---.',
  });
}

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
    message: `The frontmatter says it is written in "${language}"; Steward reads only YAML, and runs no code from a note.`,
    hint: 'Make the first line --- alone and write the fields as YAML.',
  });
}

/** A line of dashes, with only blanks, invisible marks and directives above it; a comment may follow it. */
const MISPLACED = /^(?:\s|%[^\r\n]*[\r\n])*---[ \t]*(?:#[^\r\n]*)?(?:\r\n?|\n)/;
const ANY_CLOSING = /[\r\n](?:---|\.\.\.)[ \t]*(?:[\r\n]|$)/g;
const FIELD = /^["']?[^\s:#"'-][^:\r\n]{0,100}["']?[ \t]*:(?:[ \t]|$)/;
const MORE_OF_FIELD = /^(?:[ \t#]|-(?:[ \t]|$))/;

/**
 * Refuses fields in a place in which no editor sees frontmatter, such as below an empty line. They are meant as
 * frontmatter, `steward: false` among them; if they were ignored, others would be put above them.
 */
function misplaced(file: string, text: string): Diagnostic | null {
  const opening = MISPLACED.exec(text)?.[0];
  if (opening === undefined) return null;
  const closing = new RegExp(ANY_CLOSING);
  closing.lastIndex = opening.length - 1;
  const end = closing.exec(text)?.index ?? opening.length;
  const lines = text.slice(opening.length, Math.min(end, opening.length + MAX_FRONTMATTER_CHARS)).split(/\r\n?|\n/);
  if (!areFields(lines)) return null;
  return diagnostic({
    code: 'frontmatter-misplaced',
    file,
    ...positionAt(text, opening.indexOf('---')),
    message: "These fields aren't frontmatter, which begins with --- alone on the very first line.",
    hint: 'Remove the characters before the --- (an empty line, a space, an invisible mark) or after it on its line.',
  });
}

function areFields(lines: readonly string[]): boolean {
  const written = lines.filter((line) => line.trim() !== '');
  return (
    written.some((line) => FIELD.test(line)) && written.every((line) => FIELD.test(line) || MORE_OF_FIELD.test(line))
  );
}

const FENCE = /^---[ \t]*$/;
const END_FENCE = /^(?:---|\.\.\.)[ \t]*$/;
const CODE_FENCE = /^ {0,3}(?:```|~~~)/;
/** Between two lines across the page, people also write `Place: Berlin`. */
const TELLING_FIELD =
  /^["']?(?:steward|state|status|type|parent_matter|projects|due|scheduled|snoozed_until|completedDate|senders|steward_schedule)["']?[ \t]*:/;

/**
 * Returns the problem of fields that a note has in a second block, which no program reads; null if there is no such
 * block. Such a block is right below the first one, whatever fields it has, or anywhere in the text with a field that
 * Steward knows.
 */
export function findSecondBlock(file: string, { text, block }: ParsedNote): Diagnostic | null {
  const start = block === null ? 0 : text.indexOf('\n', block.end) + 1;
  if ((block !== null && start === 0) || !/^---/m.test(text.slice(start))) return null;
  const lines = text
    .slice(start)
    .split('\n')
    .map((line) => line.replace(/\r$/, ''));
  const first = lines.findIndex((line) => line.trim() !== '');
  let isCode = false;
  for (const [at, line] of lines.entries()) {
    if (CODE_FENCE.test(line)) isCode = !isCode;
    if (isCode || !FENCE.test(line)) continue;
    const length = lines.slice(at + 1).findIndex((one) => END_FENCE.test(one));
    const fields = length === -1 ? [] : lines.slice(at + 1, at + 1 + length);
    const isMeant = (block !== null && at === first) || fields.some((one) => TELLING_FIELD.test(one));
    if (isMeant && areFields(fields)) return unreadBlock(file, text, start, lines, at, fields);
  }
  return null;
}

const MAX_NAMED = 5;

function unreadBlock(
  file: string,
  text: string,
  start: number,
  lines: readonly string[],
  at: number,
  fields: readonly string[],
): Diagnostic {
  const offset = lines.slice(0, at).reduce((sum, line) => text.indexOf('\n', sum + line.length) + 1, start);
  const names = fields.flatMap((line) => (FIELD.test(line) ? [(line.split(':', 1)[0] ?? '').trim()] : []));
  const more = names.length > MAX_NAMED ? ', …' : '';
  return diagnostic({
    code: 'frontmatter-misplaced',
    file,
    ...positionAt(text, offset),
    message: `These fields are ignored (${names.slice(0, MAX_NAMED).join(', ')}${more}): only the block on the first line is frontmatter.`,
    hint: 'Move them into the first block and delete this one. Until then Steward leaves the note alone.',
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
      message: "This file contains NUL bytes, so it isn't a Markdown note.",
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
  try {
    const loaded: unknown = grayMatter(`---\n${yaml}\n\0`, SPLITTING).data.boxed;
    const data = plain(loaded, { left: yaml.includes('*') ? MAX_NODES : Number.POSITIVE_INFINITY }, 0);
    if (data === null || data === undefined) return { ok: true, note: { data: ownOnly({}), block, text } };
    if (!isMapping(data)) return { ok: false, trouble: notAMapping(file, text, block) };
    return { ok: true, note: { data: ownOnly(data), block, text } };
  } catch (error) {
    if (error instanceof TooManyNodes) return { ok: false, trouble: aliasBomb(file, text, block) };
    if (error instanceof TooManyValues) {
      return { ok: false, trouble: blockTooLarge(file, text, block.start, 'has too many values') };
    }
    return { ok: false, trouble: yamlTrouble(file, text, block, error) };
  }
}

class TooManyNodes extends Error {}
class TooManyValues extends Error {}

/**
 * Returns the value with everything that JSON cannot represent turned into text. A shared object counts each time it
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
  const reason = error instanceof YAMLException ? error.reason : errorReason(error);
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
    message: `The field "${name}" appears twice in the frontmatter.`,
    hint: 'Keep one of the two and delete the other.',
  });
}

const TABS = 'Use spaces, not tabs, at the beginning of the line.';
const HINTS: readonly (readonly [RegExp, string])[] = [
  [/tab characters/, TABS],
  [/within a (single|double) quoted/, 'A quote that opens must also close: look for the missing one.'],
  [/unidentified alias/, 'A value that begins with * must be in "quotes".'],
  [/tag/, 'A value that begins with ! must be in "quotes".'],
  [/flow collection/, 'A bracket that opens must also close; a value that begins with [ or { must be in "quotes".'],
  [/nesting exceeded/, 'Fields are flat: a value is a text, a number or a list.'],
  [/implicit mapping pair|colon is missed/, 'Every field is written as "name: value", with the colon.'],
];

function hintFor(reason: string, text: string, at: number): string {
  const known = HINTS.find(([pattern]) => pattern.test(reason));
  if (known !== undefined) return known[1];
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at + 1);
  if (/^ *\t/.test(line)) return TABS;
  if (/:\s.*:\s?/.test(line)) return 'A value that contains a colon and a space must be in "quotes".';
  return 'Write one field a line, as in "state: open", and put values with special characters in "quotes".';
}

// --- values and places in a note that was read ----------------------------------------------------------------------

/** Returns what is below the frontmatter of a note, its closing fence included. */
export function noteBody({ text, block }: ParsedNote): string {
  return block === null ? text : text.slice(block.end);
}

/** Returns the position of a top-level key's value (of the key itself if the value begins on a later line), or null. */
export function fieldPosition(note: ParsedNote, key: string): Position | null {
  const offsets = offsetsOf(note, key);
  return offsets === null ? null : positionAt(note.text, offsets.value);
}

/** Returns the position of a top-level key itself, or null. */
export function keyPosition(note: ParsedNote, key: string): Position | null {
  const offsets = offsetsOf(note, key);
  return offsets === null ? null : positionAt(note.text, offsets.key);
}

/** Returns the line end a note uses: that of its opening fence, or without frontmatter that of its text. */
export function detectEol(text: string, block: Block | null): string {
  return block?.eol ?? (text.includes('\r\n') ? '\r\n' : '\n');
}

function offsetsOf({ text, block }: ParsedNote, key: string): { key: number; value: number } | null {
  if (block === null) return null;
  const yaml = text.slice(block.start, block.end);
  const indent = /^[ ]*(?=[^\s#])/gm.exec(yaml)?.[0] ?? '';
  const names = [key, JSON.stringify(key), `'${key.replaceAll("'", "''")}'`].map((name) =>
    name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  const found = new RegExp(`(?<=^|\\n)${indent}(?:${names.join('|')})[ \\t]*:(?=\\s|$)[ \\t]*`).exec(yaml);
  if (found === null) return null;
  const behind = found.index + found[0].length;
  const onThisLine = behind < yaml.length && !/[\r\n#]/.test(yaml.charAt(behind));
  const start = found.index + indent.length;
  return { key: block.start + start, value: block.start + (onThisLine ? behind : start) };
}

/** Returns how many values a value contains, itself included. */
export function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, part) => sum + countValues(part), 1);
}

/** Whether two frontmatter values are deeply the same, whatever the order of their keys. */
export function same(one: Yaml, other: Yaml): boolean {
  if (one === other) return true;
  if (one === null || other === null || typeof one !== 'object' || typeof other !== 'object') return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, index) => same(item, other[index] ?? null));
  }
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  const [left, right] = [one as Readonly<Record<string, Yaml>>, other as Readonly<Record<string, Yaml>>];
  return keys.every((key) => Object.hasOwn(right, key) && same(left[key] ?? null, right[key] ?? null));
}

/** Whether two frontmatter values are deeply the same, with their keys in the same order. */
export function sameInOrder(one: Yaml | undefined, other: Yaml | undefined): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [ours, theirs] = [Object.entries(one), Object.entries(other)];
  return (
    ours.length === theirs.length &&
    ours.every(([key, value], nth) => key === theirs[nth]?.[0] && sameInOrder(value, theirs[nth]?.[1]))
  );
}

/** A position in a file as shown to a person: 1-based, with the source line and a caret under the column. */
export interface Position {
  readonly line: number;
  readonly column: number;
  readonly excerpt: string;
}

/** Returns the line, the column and an excerpt for a character offset. */
export function positionAt(text: string, offset: number): Position {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const next = text.indexOf('\n', start);
  const line = text.slice(start, next === -1 ? text.length : next).replace(/^\uFEFF|\r$/g, '');
  const before = text.slice(start, offset).replace(/^\uFEFF/, '');
  return { line: countLines(text, start), column: [...before].length + 1, excerpt: excerptOf(line, before) };
}

const EXCERPT_WIDTH = 120;

/** The line with a caret after `before`: only a window of a long line, and without control characters. */
function excerptOf(line: string, before: string): string {
  const from = before.length > EXCERPT_WIDTH / 2 && line.length > EXCERPT_WIDTH ? before.length - EXCERPT_WIDTH / 2 : 0;
  const shown = line.slice(from, from + EXCERPT_WIDTH).replace(/(?!\t)\p{Cc}/gu, '?');
  const pad = [...before.slice(from)].map((char) => (char === '\t' ? '\t' : ' ')).join('');
  return `${shown}\n${pad}^`;
}

function countLines(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

const STYLE: DumpOptions = { schema: CORE_SCHEMA, lineWidth: -1, noRefs: true, quotingType: '"' };

/** An escape breaks every longer run of blanks: a frontmatter with many of them is not read (`hasBlankDesert`). */
const MAX_BLANKS = 48;

/**
 * Returns fields as YAML for a note that the program itself writes. LAW: reading the YAML gives all texts back, even
 * after the note's line ends were changed. The bytes contain no template, since Obsidian's Templater runs any template
 * it finds in a new note.
 */
export function stringifyYaml(fields: Readonly<Record<string, unknown>>): string {
  const plain = dump(fields, STYLE);
  if (TEMPLATE.test(plain) || Object.values(fields).some(isJsonText)) {
    return Object.entries(fields).map(entryText).join('');
  }
  if (!DESERT.test(plain)) return plain;
  return dump(fields, { ...STYLE, forceQuotes: true }).replace(QUOTED, (value) => value.replace(RUN, broken));
}

/** One field. A template goes on one line in double quotes, so that its angle brackets can be escaped. */
function entryText([field, value]: [string, unknown]): string {
  const entry = { [field]: value };
  if (isJsonText(value)) return `${keySource(field)}: ${valueSource(value, 'single')}\n`;
  if (!TEMPLATE.test(dump(entry, STYLE))) return stringifyYaml(entry);
  const text = `${valueSource({ [field]: yamlValue.parse(value) }, 'double').slice(1, -1)}\n`;
  return text.replace(RUN, broken).replace(BRACKET, unicodeEscape);
}

/** A text that holds JSON behind a number goes into single quotes, in which JSON's own need no escape, so that it can be read. */
function isJsonText(value: unknown): value is string {
  return typeof value === 'string' && JSON_TEXT.test(value) && !TEMPLATE.test(value) && !DESERT.test(value);
}

const JSON_TEXT = /^\d+ \{"/;
const TEMPLATE = /<%|%>/;
const BRACKET = /<(?=%)|(?<=%)>/g;
const DESERT = new RegExp(`\\s{${MAX_BLANKS},}`);
/** A value in double quotes at the end of its line: a blank can be written as an escape in it, but not in a key. */
const QUOTED = /(?<=[:-] )"[^"\\\n]*(?:\\.[^"\\\n]*)*"$/gm;
const RUN = new RegExp(`\\s{${MAX_BLANKS},}`, 'g');

/** Writes one of every `MAX_BLANKS - 1` blanks as an escape. */
function broken(run: string): string {
  return run.replace(
    new RegExp(`.{${MAX_BLANKS - 1}}`, 'g'),
    (part) => part.slice(0, -1) + unicodeEscape(part.slice(-1)),
  );
}

/** How a text is written. Plain and single are preferences: double quotes are used where they could be misread. */
export type Quoting = 'plain' | 'single' | 'double';
/** Inside brackets a comma, a bracket or a colon would end a plain text. */
type Context = 'block' | 'flow';

/** Returns the value as YAML on one line, written so that YAML 1.1 and 1.2 readers agree on it. */
export function valueSource(value: Yaml, quoting: Quoting, context: Context = 'block'): string {
  if (typeof value === 'string') return textSource(value, quoting, context);
  if (value === null || typeof value !== 'object') return String(value);
  if (isList(value)) return `[${value.map((member) => valueSource(member, quoting, 'flow')).join(', ')}]`;
  const pairs = Object.entries(value).map(
    ([key, member]) => `${doubleQuoted(key)}: ${valueSource(member, quoting, 'flow')}`,
  );
  return `{${pairs.join(', ')}}`;
}

/** Returns the field's name as a key of a block mapping. */
export function keySource(field: string): string {
  const safe = /^[\p{L}_](?:[\p{L}\p{N}_ -]*[\p{L}\p{N}_-])?$/u.test(field) && !MISREAD.test(field);
  return safe ? field : doubleQuoted(field);
}

export function isList(value: Yaml): value is readonly Yaml[] {
  return Array.isArray(value);
}

/** Words that some YAML version reads as a boolean or null. */
const MISREAD = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?$/;
/** Begins with a letter, or like "3 rooms": never with a sign, so it is neither a number nor an indicator. */
const PLAIN = /^(?:\p{L}|\p{N}+ \p{L})[\p{L}\p{M}\p{N} _.,;:()/+@'"!?&%*=<>$€~^|#[\]{}–—-]*$/u;
const BREAKS_PLAIN = /: |:$| #| $/;
const FLOW_INDICATOR = /[,:[\]{}#]/;
const NEEDS_ESCAPES = /[\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]/u;

function textSource(text: string, quoting: Quoting, context: Context): string {
  if (quoting === 'double' || text.includes('[[') || NEEDS_ESCAPES.test(text)) return doubleQuoted(text);
  if (quoting === 'single') return `'${text.replaceAll("'", "''")}'`;
  return isPlain(text, context) ? text : doubleQuoted(text);
}

function isPlain(text: string, context: Context): boolean {
  if (context === 'flow' && FLOW_INDICATOR.test(text)) return false;
  if (DATE.test(text)) return true;
  return PLAIN.test(text) && !BREAKS_PLAIN.test(text) && !MISREAD.test(text);
}

/** JSON's escapes are YAML's; characters that JSON leaves raw and a YAML reader refuses or folds are escaped too. */
function doubleQuoted(text: string): string {
  return JSON.stringify(text).replace(/[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g, unicodeEscape);
}

/** Returns a character as an escape for double quotes: `\u` and four hexadecimal digits. */
export function unicodeEscape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
