import { stringifyYaml } from './frontmatter/stringify.ts';
import { sha256 } from './hash.ts';
import { stem } from './note-names.ts';
import { EventClock, escapeMarkdown, unmarked } from './notes.ts';
import type { Frontmatter, Yaml } from './records/values.ts';
import type { Changes } from './records.ts';

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
/** A name may hold a moment slightly later than the timestamp; one further off was not given by the program. */
const APART_MS = 2000;

/**
 * Returns the moment of an event note in epoch ms: its timestamp holds seconds, and where two things happened within
 * one second, its name holds the milliseconds. NaN where neither can be read.
 */
export function momentOf(name: string, timestamp: string | null): number {
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

/** Values longer than this, in characters of JSON, are only hinted at where they need not be exact. */
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

/** Returns a value, or its beginning as text where it is long. */
export function brief(value: Yaml): Yaml {
  const json = JSON.stringify(value);
  if (json.length <= LONG) return value;
  const text = typeof value === 'string' ? value : json;
  return `${clipped(text, HINT)} (${text.length} characters)`;
}

/** Returns at most `max` characters of a text, with `…` where it was cut. */
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

/** Returns changes in one line for a field: `due 2026-12-09 → 2026-12-16`; null where there are none. */
export function changeLine(changes: Changes): string | null {
  const parts = Object.entries(changes).map(
    ([field, { before, after }]) => `${field} ${shown(before)} → ${shown(after)}`,
  );
  return parts.length === 0 ? null : fieldLine(parts.join('; '));
}

/** Returns text from outside as the value of a field that a person reads: one short line with nothing live in it. */
export function fieldLine(text: string): string | null {
  const line = unmarked(
    oneLine(text)
      .replaceAll(' <', ' (')
      .replace(/>(?=\s*$)/, ')'),
  ).replaceAll('://', ': //');
  return line === '' ? null : clipped(line, MAX_LINE);
}

/** Returns a value in one line for a person; a dash where it is absent. */
export function shown(value: Yaml): string {
  if (value === null) return '–';
  if (Array.isArray(value)) return value.length === 0 ? '(empty)' : value.map(shown).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Returns text from outside in one line, without line breaks and control characters. */
export function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is the point
  return text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').trim();
}
