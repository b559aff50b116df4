import { hash } from 'node:crypto';
import { z } from 'zod';
import { type Changes, detectEol, type Frontmatter, readNote, stringifyYaml, type Yaml } from './frontmatter.ts';
import { stem } from './layout.ts';
import { linkKey } from './links.ts';
import { nameTime, nameTimeExact, utc } from './time.ts';

// Markdown that the program writes into notes, and text from outside that is made safe for it.

/**
 * Bidirectional overrides, zero-width characters, fillers, tags (U+E0000 and after) and the like, which make a text
 * look different from what it says, or carry an invisible one.
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

/** Returns the SHA-256 of the bytes in lower-case hex. Text counts as its UTF-8 bytes. */
export function sha256(bytes: Uint8Array | string): string {
  return hash('sha256', bytes);
}

/** The checkboxes of a note's body. */
export interface Checkboxes {
  readonly open: number;
  /** Ticked, or crossed out (`[-]`). */
  readonly ticked: number;
}

/** `- [x] text`, also numbered, indented and quoted: the mark is the text in the brackets. */
const BOX = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[(.)\](?:[ \t]|$)/u;
const FENCE = /^[ \t>]*(`{3,}|~{3,})/;
/** Themes know many more marks: started, put off, a question. A box with any other mark is still open. */
const TICKED: ReadonlySet<string> = new Set(['x', 'X', '-']);

/** Returns how many checkboxes a note's body has; null if it has no boxes. A box in a block of code doesn't count. */
export function countCheckboxes(body: string): Checkboxes | null {
  const marks = boxesOf(body).map(({ mark }) => mark);
  const ticked = marks.filter((mark) => TICKED.has(mark)).length;
  return marks.length === 0 ? null : { open: marks.length - ticked, ticked };
}

/** Returns the last line with a ticked checkbox, without the spaces around it; null if no box is ticked. */
export function lastTicked(body: string): string | null {
  return boxesOf(body).findLast(({ mark }) => TICKED.has(mark))?.line ?? null;
}

/** Returns each line with a checkbox that is ticked with an x, without the spaces around it. */
function tickedLines(body: string): string[] {
  return boxesOf(body).flatMap(({ mark, line }) => (mark === 'x' || mark === 'X' ? [line] : []));
}

const MAX_NUMBERS_CHARACTERS = 500;

/** Returns the lines of a note's body that have a number, as far as they fit in 500 characters. */
export function linesWithNumbers(body: string): string {
  const lines = body.split('\n').filter((line) => /\d/.test(line));
  return cutAt(lines.map((line) => line.trim()).join('\n'), MAX_NUMBERS_CHARACTERS);
}

/** So much of a note's open checkboxes is read: a longer line is cut, and later ones are left out. */
const MAX_BOX_CHARACTERS = 120;
const MAX_BOXES_CHARACTERS = 1000;
const BOX_MARK = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[.\][ \t]*/u;
/** The marks of other programs behind a task: its dates, and its block id. */
const BEHIND_BOX = / (?:\p{Extended_Pictographic}.{0,3}?\d{4}-\d\d-\d\d|\^[\w-]{1,40}$)/u;

/** Returns the texts of the open checkboxes in a note's body, one on a line, at most 1,000 characters. */
export function formatOpenBoxes(body: string): string {
  const lines = boxesOf(body)
    .filter(({ mark }) => !TICKED.has(mark))
    .map(({ line }) => oneLine(boxText(line), MAX_BOX_CHARACTERS))
    .filter((text) => text !== '');
  let room = MAX_BOXES_CHARACTERS;
  const fits = lines.filter((text) => {
    room -= text.length + 1;
    return room >= 0;
  });
  return fits.join('\n');
}

function boxText(line: string): string {
  const text = line.replace(BOX_MARK, '').slice(0, 2 * MAX_BOX_CHARACTERS);
  const end = text.search(BEHIND_BOX);
  return end === -1 ? text : text.slice(0, end);
}

interface Box {
  readonly line: string;
  readonly mark: string;
}

function boxesOf(body: string): Box[] {
  if (!body.includes('[')) return []; // most notes have no link, and are read often
  const boxes: Box[] = [];
  let fence: string | null = null;
  for (const line of body.split(/\r\n|\r|\n/)) {
    const marks = FENCE.exec(line)?.[1] ?? null;
    if (fence !== null) {
      if (marks?.startsWith(fence)) fence = null;
      continue;
    }
    fence = marks;
    const mark = marks === null ? BOX.exec(line)?.[1] : undefined;
    if (mark !== undefined) boxes.push({ line: line.trim(), mark });
  }
  return boxes;
}

const UNSEEN = /[\p{Cf}\p{Co}\p{Cs}]/gu;
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/**
 * Characters that begin a link, an embed, HTML, code, a cell, a tag, a formula or a block's name anywhere in a line.
 */
const MARKS = /[\\`[\]<>|#$^]/g;
/**
 * Characters that are a mark only next to another: addresses, inline fields, comments, templates, fences, entities.
 * Some programs search the bytes for these and ignore Markdown's backslashes, so no two of them stay together.
 */
const PAIRS =
  /:(?=[:/])|(?<=:):|%(?=[%<>])|(?<=[%<>])%|~(?=~)|(?<=~)~|&(?=#|\w+;)|(?<=\w)@(?=\w)|(?<=\bwww)\.|(?<=\bmailto):/gi;
/** The beginnings that turn a line into a heading, a list, a quote or a rule. */
const LINE_START = /^(?:[-+*=_]|\d+(?=[.)]))/;

/**
 * Returns text from outside for a note's body: one line that reads the same, and is only text to Obsidian, its usual
 * plugins and other readers of Markdown. Links to the notes in `names` stay links.
 */
export function escapeMarkdown(text: string, names: readonly string[] = []): string {
  const line = visible(text);
  const own = new Set(names.map(linkTo));
  return line
    .split(/(\[\[[^[\]]*\]\])/)
    .map((part) => (own.has(part) ? part : part.replace(MARKS, '\\$&').replace(PAIRS, '\\$&')))
    .join('')
    .replace(LINE_START, escapedStart);
}

/** Returns a link to a note for a body; if the name would break the link or change its meaning, the plain name. */
export function linkTo(name: string): string {
  return /[[\]|#^%`\\<>\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|::/u.test(name) ? escapeMarkdown(name) : `[[${name}]]`;
}

/**
 * Returns text from outside for a place in which marks cannot be escaped, such as a field: one line, without those
 * characters.
 */
export function unmarked(text: string): string {
  return visible(text)
    .replace(/[[\]<>`|]/g, '')
    .trim();
}

/** Returns text from outside as one line of at most `max` characters that makes no link, embed or tag in a note. */
export function plainLine(text: string, max: number): string {
  const line = unmarked(text);
  const characters = [...line];
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : line;
}

/** Names what in a text a program would render when it shows a field's value as Markdown; null if it is only text. */
export function liveMark(text: string): string | null {
  return FIELD_MARKS.find(([, mark]) => mark.test(text))?.[0] ?? null;
}

const FIELD_MARKS: readonly (readonly [what: string, mark: RegExp])[] = [
  ['an embed', /!\[/],
  ['a link with a text', /\]\(|\]\[/],
  ['an address', /[a-z]:\/\/|\bmailto:/i],
  ['HTML', /<[a-z!/?]/i],
  ['code', /`|~~~/],
  ['a template', /<%|%>|\{\{/],
  ['a comment', /%%/],
  ['an inline field', /::/],
  ['hidden text', /[\u200b\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u],
];

/** One line of visible text: direction marks, tag characters and the like can hide text from a reader. */
function visible(text: string): string {
  return text.replace(BREAKS, ' ').replace(UNSEEN, '').trim();
}

function escapedStart(mark: string): string {
  return /\d/.test(mark) ? `${mark}\\` : `\\${mark}`;
}

/** Returns the notes that could be meant as a list of checkboxes: on a phone, one tick there is the whole answer. */
export function choiceList(links: readonly string[]): string {
  // A name that would break the link is there as text: it is chosen by writing it.
  return links.map((link) => `- [ ] ${linkTo(link.slice(2, -2))}`).join('\n');
}

/**
 * Returns which of the candidates are ticked in a note's body, each once and as the candidates spell it. A line counts
 * if it contains only the link and the day that a plugin puts behind a ticked box: with other words it is a line of
 * somebody's own. A link with a shown name doesn't count: it may show another note than it means.
 */
export function tickedCandidates(body: string, candidates: readonly string[]): string[] {
  if (candidates.length === 0) return [];
  const links = tickedLines(body).flatMap((line) => LINE.exec(line)?.[1] ?? []);
  const ticked = new Set(links.map(linkKey));
  return candidates.filter((link) => ticked.has(linkKey(link)));
}

const LINE = /^[^[]*\[.\][ \t]+(\[\[[^[\]|]+\]\])(?:[ \t]+(?:✅|\[completion::)[ \t]*\d{4}-\d\d-\d\d\]?)?$/u;

/**
 * Returns the note that a person has chosen: by what they wrote, else by the only tick. Null if they haven't chosen
 * yet, or if written word and ticks, or two ticks, mean different notes.
 */
export function findChosen({ choose, ticked }: Choosing): string | null {
  const chosen = choose === null ? [] : [choose];
  const [first, ...others] = new Map([...chosen, ...ticked].map((link) => [linkKey(link), link])).values();
  return others.length > 0 ? null : (first ?? null);
}

/** Whether a person has said something of which note is meant, even if it is unclear which. */
export function hasChosen({ choose, ticked }: Choosing): boolean {
  return choose !== null || ticked.length > 0;
}

interface Choosing {
  readonly choose: string | null;
  readonly ticked: readonly string[];
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

const WRITTEN = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d))?/;

/** Returns the name of a month, 0 to 11. */
export function monthName(month: number): string {
  return MONTHS[month] ?? '';
}

/**
 * Returns a date as a field has it, as people say it: `16 December 2026`, `16 December 2026, 9:20`. Text that is no
 * date stays as it is.
 */
export function dateInWords(written: string): string {
  const [, year, month, day, hour, minute] = WRITTEN.exec(written) ?? [];
  const name = MONTHS[Number(month) - 1];
  if (year === undefined || name === undefined) return written;
  const time = hour === undefined ? '' : `, ${Number(hour)}:${minute}`;
  return `${Number(day)} ${name} ${year}${time}`;
}

/**
 * The times in the names of event notes: to the second, or to the millisecond where another was named within the same
 * second, so that the names show in which order things happened.
 */
class EventClock {
  #last = Number.NEGATIVE_INFINITY;

  /** Returns the time for a name; `isFree` says whether no note has that name yet. `now` in epoch ms. */
  next(now: number, isFree: (time: string) => boolean): string {
    const isFirst = Math.floor(now / 1000) !== Math.floor(this.#last / 1000);
    if (isFirst && isFree(nameTime(now))) {
      this.#last = now;
      return nameTime(now);
    }
    let at = isFirst ? now : Math.max(now, this.#last + 1);
    while (!isFree(nameTimeExact(at))) at += 1;
    this.#last = at;
    return nameTimeExact(at);
  }
}

/** File names are limited to 255 bytes, and the parts before and after a slug need room too. */
const MAX_SLUG_BYTES = 150;

/** Names event notes so that each name is later than the ones before. */
export class EventNames {
  readonly #isFree: (name: string) => boolean;
  readonly #clock = new EventClock();

  /** `isFree`: whether no note has this name yet, in whatever folder: links lead to names. */
  constructor(isFree: (name: string) => boolean) {
    this.#isFree = isFree;
  }

  /** Returns a name for an event note of a type about a target that no note has yet. `now` in epoch ms. */
  free(type: string, target: string, now: number): string {
    const name = (time: string) => `${type}-${time}-${short(stem(target))}`;
    return name(this.#clock.next(now, (time) => this.#isFree(name(time))));
  }
}

/** Whether a name is one that an event note about this target may have. */
export function isNamedAfter(name: string, target: string): boolean {
  return name.endsWith(`-${short(stem(target))}`);
}

const NAME_TIME = /(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)(?:-(\d{3}))?Z/;
/** A name may contain a moment slightly later than the timestamp; one further off was not given by the program. */
const APART_MS = 2000;

/**
 * Returns the moment of an event note in epoch ms: its timestamp holds seconds, and where two things happened within
 * one second, its name holds the milliseconds. NaN if neither can be read.
 */
export function noteMoment(name: string, timestamp: string | null): number {
  const written = Date.parse(timestamp ?? '');
  const [, hour, minute, second, ms = '000'] = NAME_TIME.exec(name) ?? [];
  const named = Date.parse(`${hour}:${minute}:${second}.${ms}Z`);
  return Math.abs(named - written) <= APART_MS ? named : written;
}

/**
 * Returns an intent's name in the journal and the history: that of the event note it leads to, cut to a safe length.
 */
export function intentId(eventPath: string): string {
  const name = stem(eventPath);
  return Buffer.byteLength(name) <= MAX_SLUG_BYTES + 60 ? name : `${short(name)}-${sha256(name).slice(0, 8)}`;
}

function short(name: string): string {
  let cut = name;
  while (Buffer.byteLength(cut) > MAX_SLUG_BYTES) cut = cut.slice(0, -1);
  return cut;
}

/** Returns the text of a note that the program writes: frontmatter in the given order, and a body. */
export function noteText(frontmatter: Readonly<Record<string, unknown>>, body: string): string {
  return `---\n${stringifyYaml(frontmatter)}---\n\n${body.trim()}\n`;
}

/** Longer values, in characters of JSON, are cut short if they need not be exact. */
const LONG = 4096;
/** How much of the former frontmatter is written down in all, in characters of JSON. */
const MUCH = 16 * 1024;
const HINT = 200;

/**
 * Returns changes for reading: long values are cut short, since the recipe has the exact ones and notes are limited.
 */
export function briefly(changes: Changes): Changes {
  return Object.fromEntries(
    Object.entries(changes).map(([field, { before, after }]) => [
      field,
      { before: brief(before), after: brief(after) },
    ]),
  );
}

/** Returns a note's fields for reading: long values cut short, and only as many as an event note has room for. */
export function brieflyAll(fields: Frontmatter): Frontmatter {
  let room = MUCH;
  const shown = Object.entries(fields).map(([field, value]): [string, Yaml] => [field, brief(value)]);
  return Object.fromEntries(
    shown.filter(([field, value]) => {
      room -= field.length + JSON.stringify(value).length;
      return room >= 0;
    }),
  );
}

/** Returns a value, or its beginning as text if it is long. */
export function brief(value: Yaml): Yaml {
  const json = JSON.stringify(value);
  if (json.length <= LONG) return value;
  const text = typeof value === 'string' ? value : json;
  return `${clipped(text, HINT)} (${text.length} characters)`;
}

/** Returns at most `max` characters of a text, with `…` if it was cut. */
export function clipped(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Returns changes as a small before/after table in Markdown. */
export function changeTable(changes: Changes): string {
  const rows = Object.entries(changes).map(
    ([field, { before, after }]) =>
      `| ${escapeMarkdown(field)} | ${escapeMarkdown(shown(before))} | ${escapeMarkdown(shown(after))} |`,
  );
  if (rows.length === 0) return 'No change proposed.';
  return ['| field | before | after |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The longest line that says what is to be changed. */
const MAX_LINE = 200;

/** Returns changes in one line for a field: `due 2026-12-09 → 2026-12-16`; null without changes. */
export function changeLine(changes: Changes): string | null {
  const parts = Object.entries(changes).map(
    ([field, { before, after }]) => `${field} ${shown(before)} → ${shown(after)}`,
  );
  return parts.length === 0 ? null : fieldLine(parts.join('; '));
}

/** Returns text from outside as the value of a field that a person reads: one short line without live markup. */
export function fieldLine(text: string): string | null {
  const line = unmarked(
    joinLines(text)
      .replaceAll(' <', ' (')
      .replace(/>(?=\s*$)/, ')'),
  ).replaceAll('://', ': //');
  return line === '' ? null : clipped(line, MAX_LINE);
}

/** Returns a value in one line for a person; a dash if it is absent. */
export function shown(value: Yaml): string {
  if (value === null) return '–';
  if (Array.isArray(value)) return value.length === 0 ? '(empty)' : value.map(shown).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Returns text from outside in one line, without line breaks and control characters. */
export function joinLines(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is the point
  return text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').trim();
}

/** The two comments between which the program keeps a part of a note's body. */
export interface PartMarks {
  readonly begin: string;
  readonly end: string;
}

/** A kept part as it is in a note. `unclear`: its marks are not there once each, so its contents aren't known. */
type FoundPart =
  | { readonly kind: 'absent' | 'unclear' }
  | {
      readonly kind: 'found';
      /** Offsets of the whole part, its marks included. */
      readonly start: number;
      readonly end: number;
      /** Whether the text is as the program wrote it; null if the line that tells is gone. */
      readonly isOwn: boolean | null;
    };

/** Returns a text between its marks. The line before the last says later whether it is still the program's. */
export function keptPart({ begin, end }: PartMarks, text: string): string {
  return `${begin}\n\n${text}\n\n%% ${fingerprint(text)} %%\n${end}`;
}

/** Returns the offsets of a kept part in a note, and whether anybody has edited it. */
export function findPart(note: string, { begin, end }: PartMarks): FoundPart {
  const body = FRONTMATTER.exec(note)?.[0].length ?? 0;
  const [begins, ends] = [offsetsOf(note, begin, body), offsetsOf(note, end, body)];
  const [first, last] = [begins[0], ends[0]];
  if (first === undefined && last === undefined) return { kind: 'absent' };
  if (first === undefined || last === undefined || begins.length + ends.length > 2 || last < first)
    return { kind: 'unclear' };
  const isOwn = isAsWritten(note.slice(first + begin.length, last));
  return { kind: 'found', start: first, end: last + end.length, isOwn };
}

/**
 * Returns a note with another text in its kept part, and every other byte as it was; null if the part is not there as
 * the program wrote it: then it stays as it is.
 */
export function withPart(note: string, marks: PartMarks, text: string): string | null {
  const part = findPart(note, marks);
  if (part.kind !== 'found' || part.isOwn !== true) return null;
  const eol = note.startsWith('\r\n', part.start + marks.begin.length) ? '\r\n' : '\n';
  return note.slice(0, part.start) + keptPart(marks, text).replaceAll('\n', eol) + note.slice(part.end);
}

/** A field's value is no mark, whoever wrote it. */
const FRONTMATTER = /^\uFEFF?---\r?\n[\s\S]*?\n---(?=\r?\n|$)/;

function offsetsOf(note: string, mark: string, from: number): number[] {
  const offsets: number[] = [];
  for (let at = note.indexOf(mark, from); at >= 0; at = note.indexOf(mark, at + 1)) offsets.push(at);
  return offsets;
}

function isAsWritten(inside: string): boolean | null {
  const { index, 0: line, 1: said } = /^%% ([0-9a-f]{16}) %%\s*$/m.exec(inside) ?? { index: 0, 0: '', 1: undefined };
  if (said === undefined) return null;
  return inside.slice(index + line.length).trim() === '' && fingerprint(inside.slice(0, index)) === said;
}

function fingerprint(text: string): string {
  return sha256(text.replaceAll('\r\n', '\n').trim()).slice(0, 16);
}

/** Returns a word as a person can paste it into a shell: as it is, or quoted if the shell would read something else. */
export function shellWord(word: string): string {
  if (/^[\p{L}\p{N}_@%+:,./][\p{L}\p{N}_@%+=:,./-]*$/u.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Who spoke and in which words. */
export interface SaidBy {
  readonly from: string | null;
  /** How many others spoke in addition to that one. */
  readonly others?: number;
  readonly quote: string | null;
}

/** Who spoke and the quote, as an event note has them. */
type SpokenFields = Readonly<Record<'from' | 'quote', string | null>>;

/** The fields for a change without a speaker. */
export const NOBODY_SPOKE: SaidBy = { from: null, quote: null };

/** Returns who spoke and the quote as the fields of an event note: texts from outside, without live markup. */
export function spokenFields({ from, others = 0, quote }: SaidBy): SpokenFields {
  const sender = from === null ? null : fieldLine(from);
  const beside = others === 0 ? '' : `, and ${others} ${others === 1 ? 'other' : 'others'}`;
  return { from: sender === null ? null : `${sender}${beside}`, quote: quote === null ? null : fieldLine(quote) };
}

/** One change of an instinct, as the table in its note shows it. */
export const historyRow = z.object({
  /** UTC with `Z`. */
  at: z.string(),
  /** The event in one line of Markdown without a pipe. */
  what: z.string(),
  before: z.number(),
  after: z.number(),
  /** How often the source had been right after this change. */
  observations: z.number(),
});
export type HistoryRow = z.infer<typeof historyRow>;

const OPEN = '%% steward: history %%';
const CLOSE = '%% /steward %%';
const HEAD = ['| when | what happened | confidence | times right |', '| --- | --- | --- | --- |'] as const;

/** The fields that a person may change in an instinct note, as the last line of its opening says it. */
export const MAY_EDIT =
  'You may edit `confidence`, `prior`, `observations` and `pinned` above: they count as you write them.';
const OPENING = [/^News (?:from [^|]+ )?by [^|]+ was right \d+ of \d+ times?\.(?: [^|]+)?$/, MAY_EDIT] as const;
const ROWS = 20;

const ROW =
  /^\| (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d) \| ([^|]+) \| ([01](?:\.\d+)?) → ([01](?:\.\d+)?) \| (\d+) \|$/;
const CHART = [
  /^```mermaid$/,
  /^xychart-beta$/,
  /^ {2}x-axis "changes, oldest first" 0 --> \d+$/,
  /^ {2}y-axis "confidence" 0 --> 1$/,
  /^ {2}line \[[\d., ]*\]$/,
  /^```$/,
] as const;

/**
 * Returns the note with these changes in its history. It has an opening that says what is measured (`opening`, a line
 * each; absent if it stays as it is). Between two comment lines, a table of the last twenty changes, with all before
 * them in one row, and a chart of the confidence follow. LAW: text outside the two lines stays, and text by others
 * between them moves below them. A note that cannot be read is returned as it is.
 */
export function withHistory(
  file: string,
  text: string,
  added: readonly HistoryRow[],
  opening?: readonly string[],
): string {
  const read = readNote(file, Buffer.from(text));
  if (!read.ok || added.length === 0) return text;
  const { block } = read.note;
  const eol = detectEol(text, block);
  const found = findHistory(text, block?.end ?? 0);
  if (found === null) return `${text}${gapAfter(text, eol)}${drawn(bounded(added), opening ?? []).join(eol)}${eol}`;
  const { rows, strangers, said } = found;
  const kept = strangers.length === 0 ? [] : ['', ...strangers];
  const lines = [...drawn(bounded([...rows, ...byHand(rows, added), ...added]), opening ?? said), ...kept];
  return text.slice(0, found.start) + lines.join(eol) + text.slice(found.end);
}

/** Returns the changes in a note's history, oldest first; empty without a history. */
export function readHistory(file: string, text: string): readonly HistoryRow[] {
  const read = readNote(file, Buffer.from(text));
  return read.ok ? (findHistory(text, read.note.block?.end ?? 0)?.rows ?? []) : [];
}

/** Returns what an instinct note says above its history, a line each. */
export function readOpening(file: string, text: string): readonly string[] {
  const read = readNote(file, Buffer.from(text));
  return read.ok ? (findHistory(text, read.note.block?.end ?? 0)?.said ?? []) : [];
}

// A person's own edit between two changes gets a row of its own, before the next change.
function byHand(rows: readonly HistoryRow[], [next]: readonly HistoryRow[]): HistoryRow[] {
  const last = rows.at(-1);
  if (last === undefined || next === undefined || last.after === next.before) return [];
  return [{ ...next, what: 'edited by hand', before: last.after, after: next.before, observations: last.observations }];
}

// The oldest rows become one, so that the sum of all rows stays what the figures are.
function bounded(rows: readonly HistoryRow[]): readonly HistoryRow[] {
  const folded = rows.slice(0, Math.max(0, rows.length - ROWS + 1));
  const [first, last] = [folded[0], folded.at(-1)];
  if (rows.length <= ROWS || first === undefined || last === undefined) return rows;
  const count = folded.reduce((sum, { what }) => sum + Number(FOLDED.exec(what)?.[1] ?? 1), 0);
  return [{ ...last, what: `${count} earlier changes`, before: first.before }, ...rows.slice(folded.length)];
}

const FOLDED = /^(\d+) earlier changes$/;

function drawn(rows: readonly HistoryRow[], opening: readonly string[]): string[] {
  const points = [rows[0]?.before ?? 0, ...rows.map(({ after }) => after)];
  return [
    OPEN,
    '',
    ...opening.flatMap((line) => [line, '']),
    ...HEAD,
    ...rows.map(
      ({ at, what, before, after, observations }) =>
        `| ${localMoment(at)} | ${what} | ${before} → ${after} | ${observations} |`,
    ),
    '',
    '```mermaid',
    'xychart-beta',
    `  x-axis "changes, oldest first" 0 --> ${rows.length}`,
    '  y-axis "confidence" 0 --> 1',
    `  line [${points.join(', ')}]`,
    '```',
    '',
    CLOSE,
  ];
}

function gapAfter(text: string, eol: string): string {
  if (/\n\r?\n$/.test(text)) return '';
  return text.endsWith('\n') ? eol : `${eol}${eol}`;
}

// --- reading the history ---------------------------------------------------------------------------------------------

interface Line {
  readonly text: string;
  readonly start: number;
  /** After the last character, before the line end. */
  readonly end: number;
}

interface HistoryBlock {
  readonly start: number;
  readonly end: number;
  readonly rows: readonly HistoryRow[];
  readonly said: readonly string[];
  /** Lines between the two marks that the program did not write. */
  readonly strangers: readonly string[];
}

function findHistory(text: string, from: number): HistoryBlock | null {
  const lines = linesOf(text, from);
  const open = lines.findIndex((line) => line.text.trim() === OPEN);
  const start = lines[open];
  if (start === undefined) return null;
  const beyond = lines.slice(open + 1);
  const mark = beyond.findIndex((line) => [OPEN, CLOSE].includes(line.text.trim()));
  const close = beyond[mark]?.text.trim() === CLOSE ? beyond[mark] : undefined;
  // Without a closing line, only the lines that are clearly the program's own belong to the block; the rest stays.
  const { rows, said, strangers, last } =
    close === undefined ? classified(beyond, true) : classified(beyond.slice(0, mark), false);
  return { start: start.start, end: (close ?? last ?? start).end, rows, said, strangers: trimmed(strangers) };
}

/** Splits lines into the rows, the lines of others, and the last line that is the program's own. */
function classified(
  lines: readonly Line[],
  isLeading: boolean,
): Pick<HistoryBlock, 'rows' | 'said' | 'strangers'> & { last?: Line } {
  const rows: HistoryRow[] = [];
  const said: string[] = [];
  const strangers: string[] = [];
  let last: Line | undefined;
  for (let at = 0; at < lines.length; ) {
    const text = lines[at]?.text ?? '';
    const row = rowOf(text);
    const own = row === null ? ownLines(lines, at) : 1;
    const isBlank = text.trim() === '';
    if (own === 0 && !isBlank && isLeading) break;
    if (row !== null) rows.push(row);
    if (isOpening(text)) said.push(text);
    if (own > 0) last = lines[at + own - 1];
    else strangers.push(isBlank ? '' : text);
    at += Math.max(1, own);
  }
  return { rows, said, strangers, ...(last === undefined ? {} : { last }) };
}

/** How many lines from here on the program drew itself: a line of the opening or of the table's head, or the whole chart. */
function ownLines(lines: readonly Line[], at: number): number {
  const text = lines[at]?.text ?? '';
  if (HEAD.some((line) => line === text) || isOpening(text)) return 1;
  return CHART.every((pattern, nth) => pattern.test(lines[at + nth]?.text ?? '')) ? CHART.length : 0;
}

function isOpening(line: string): boolean {
  return OPENING.some((own) => (typeof own === 'string' ? own === line : own.test(line)));
}

// The time is the reader's own, with what it is apart from UTC, so that it can be read again wherever that is.
function localMoment(at: string): string {
  const ms = Date.parse(at);
  const apart = -new Date(ms).getTimezoneOffset();
  const [hours, minutes] = [Math.trunc(Math.abs(apart) / 60), Math.abs(apart) % 60];
  const zone = `${apart < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
  return `${utc(ms + apart * 60_000)
    .slice(0, 19)
    .replace('T', ' ')} ${zone}`;
}

function momentIn(written: string): number {
  const [day, time, zone] = written.split(' ');
  return Date.parse(`${day}T${time}${zone}`);
}

function rowOf(line: string): HistoryRow | null {
  const [, at, what, before, after, observations] = ROW.exec(line) ?? [];
  if (at === undefined || what === undefined || Number(before) > 1 || Number(after) > 1) return null;
  const ms = momentIn(at);
  if (Number.isNaN(ms)) return null;
  return { at: utc(ms), what, before: Number(before), after: Number(after), observations: Number(observations) };
}

// Drops blank lines at the end, and all but one of several in a row: they are only layout.
function trimmed(lines: readonly string[]): string[] {
  const single = lines.filter((line, nth) => line !== '' || (lines[nth - 1] ?? '') !== '');
  return single.at(-1) === '' ? single.slice(0, -1) : single;
}

function linesOf(text: string, from: number): Line[] {
  const lines: Line[] = [];
  for (let start = from; start < text.length; ) {
    const next = text.indexOf('\n', start);
    const stop = next === -1 ? text.length : next;
    const end = stop > start && text[stop - 1] === '\r' ? stop - 1 : stop;
    lines.push({ text: text.slice(start, end), start, end });
    start = stop + 1;
  }
  return lines;
}

/** The time in the names of the program's notes, which begins with its month. */
const MONTH = /(?:^|-)(\d{4}-(?:0[1-9]|1[0-2]))-\d\dT\d\d-\d\d-\d\d(?:-\d{3})?Z/;

/**
 * Returns the folder in which a new signal or event note lies: in the folder of its kind, that of the month (UTC) in
 * its own name, so that name and folder never disagree; the folder of its kind itself if the name has no time.
 */
export function monthFolder(folder: string, name: string): string {
  const month = MONTH.exec(name)?.[1];
  return month === undefined ? folder : `${folder}/${month}`;
}

/**
 * Returns the places at which the program writes a note of this name: beside its month if a file or a link is in the place of
 * that folder.
 */
export function writtenPlaces(folder: string, name: string): string[] {
  return [...new Set([monthFolder(folder, name), folder])].map((place) => `${place}/${name}.md`);
}

/**
 * Warnings about a mail that shows another sender than its own, or gives orders to Steward. A signal keeps them as sentences, so
 * each begins with words of its own.
 */
const BEGINS = {
  otherName: 'The name of the sender shows ',
  lookAlike: 'The address looks like ',
  otherScript: 'The address has letters of another script',
  orders: 'It gives orders to Steward',
} as const;

/** The sentences of these warnings. Addresses are text from outside, in one line. */
export const MAIL_WARNINGS = {
  otherName: (shown: string, from: string) => `${BEGINS.otherName}${shown}, and the mail is from ${from}.`,
  lookAlike: (known: string) => `${BEGINS.lookAlike}${known}, which this vault names, and is not it.`,
  otherScript: (plain: string) => `${BEGINS.otherScript}: it reads like ${plain}.`,
  orders: `${BEGINS.orders}, as if it were addressed to the program. Steward ignores them.`,
} as const;

/** The words of a gate if the user's own mail server rejected the sender; they follow its name. */
export function rejectedWords(from: string): string {
  return `not from ${from}: your mail server rejected the sender.`;
}

/**
 * Returns the most serious of a signal's warnings about its sender or about orders to Steward; null without a warning.
 */
export function gravestWarning(warnings: readonly string[]): string | null {
  const found = Object.values(BEGINS).flatMap((begin) => warnings.find((one) => one.startsWith(begin)) ?? []);
  return found[0] ?? null;
}
