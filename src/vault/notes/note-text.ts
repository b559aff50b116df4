import { stringifyYaml } from '../frontmatter/stringify.ts';
import type { Changes } from '../records/mutation.ts';
import type { Frontmatter, Yaml } from '../records/values.ts';
import { escapeMarkdown, unmarked } from './escape.ts';

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
