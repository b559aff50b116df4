import { z } from 'zod';
import { readNote } from './frontmatter-parse.ts';
import { eolOf } from './parsed-note.ts';
import { utc } from './time.ts';

/** One change of an instinct, as the table in its note shows it. */
export const historyRow = z.object({
  /** UTC with `Z`. */
  at: z.string(),
  /** What happened, in one line of Markdown without a pipe. */
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
/** As earlier versions wrote it. */
const FORMER_HEAD = '| when (UTC) | what happened | confidence | times right |';

/** What a person may change in an instinct note, as the last line of its opening says it. */
export const MAY_EDIT =
  'You may edit `confidence`, `prior`, `observations` and `pinned` above: they count as you write them.';
/** The second is as earlier versions wrote it. */
const OPENING = [
  /^What (?:came|[^|]+ said) by [^|]+ was right \d+ of \d+ times\.(?: [^|]+)?$/,
  /^How often [^|]+ (?:was|were) right: in \d+ of \d+ outcomes\.(?: [^|]+)?$/,
  MAY_EDIT,
] as const;
const ROWS = 20;

const ROW =
  /^\| (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d) \| ([^|]+) \| ([01](?:\.\d+)?) → ([01](?:\.\d+)?) \| (\d+) \|$/;
const CHART = [
  /^```mermaid$/,
  /^xychart-beta$/,
  /^ {2}x-axis "changes, oldest first" 0 --> \d+$/,
  /^ {2}y-axis "confidence" 0 --> 1$/,
  /^ {2}line \[[\d., ]*\]$/,
  /^```$/,
] as const;

/**
 * Returns the note with these changes in its history: what is measured (`opening`, a line each; absent where it stays as it
 * is), a table of the last twenty and a chart of the confidence, between two comment lines. LAW: nothing outside the two lines changes, and nothing that the program did not write is lost:
 * what somebody wrote between them moves below them. A note that cannot be read is returned as it is.
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
  const eol = eolOf(text, block);
  const found = findHistory(text, block?.end ?? 0);
  if (found === null) return `${text}${gapAfter(text, eol)}${drawn(bounded(added), opening ?? []).join(eol)}${eol}`;
  const { rows, strangers, said } = found;
  const kept = strangers.length === 0 ? [] : ['', ...strangers];
  const lines = [...drawn(bounded([...rows, ...byHand(rows, added), ...added]), opening ?? said), ...kept];
  return text.slice(0, found.start) + lines.join(eol) + text.slice(found.end);
}

/** Returns the changes in a note's history, oldest first; empty where it has none. */
export function historyOf(file: string, text: string): readonly HistoryRow[] {
  const read = readNote(file, Buffer.from(text));
  return read.ok ? (findHistory(text, read.note.block?.end ?? 0)?.rows ?? []) : [];
}

// A person's own edit between two changes gets a row of its own, before the next change.
function byHand(rows: readonly HistoryRow[], [next]: readonly HistoryRow[]): HistoryRow[] {
  const last = rows.at(-1);
  if (last === undefined || next === undefined || last.after === next.before) return [];
  return [{ ...next, what: 'edited by hand', before: last.after, after: next.before, observations: last.observations }];
}

function bounded(rows: readonly HistoryRow[]): readonly HistoryRow[] {
  return rows.slice(-ROWS);
}

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
  /** What it says first, a line each. */
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
  if ([...HEAD, FORMER_HEAD].some((line) => line === text) || isOpening(text)) return 1;
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
  return Date.parse(zone === undefined ? written : `${day}T${time}${zone}`);
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
