import { stringifyYaml } from '../frontmatter/stringify.ts';
import type { Changes } from '../records/mutation.ts';
import type { Frontmatter, Yaml } from '../records/values.ts';
import { escapeMarkdown } from './escape.ts';

/** A note of the program's own: frontmatter in the order given, and a body. */
export function noteText(frontmatter: Readonly<Record<string, unknown>>, body: string): string {
  return `---\n${stringifyYaml(frontmatter)}---\n\n${body.trim()}\n`;
}

/** A value's length as JSON from which on it is only hinted at where it need not be exact. */
const LONG = 4096;
/** As much of the former frontmatter as is written down in all, in characters of JSON. */
const MUCH = 16 * 1024;
const HINT = 200;

/** Changes for reading: a long value is cut short, since the exact one stands in the recipe, and a note has its limits. */
export function briefly(changes: Changes): Changes {
  return Object.fromEntries(
    Object.entries(changes).map(([field, { before, after }]) => [
      field,
      { before: brief(before), after: brief(after) },
    ]),
  );
}

/** A note's fields for reading: long values cut short, and no more of them than an event note has room for. */
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

/** A value, or where it is long its beginning as text. */
export function brief(value: Yaml): Yaml {
  const json = JSON.stringify(value);
  if (json.length <= LONG) return value;
  const text = typeof value === 'string' ? value : json;
  return `${clipped(text, HINT)} (${text.length} characters)`;
}

/** Text from outside, at most `max` characters of it. */
export function clipped(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** A change as a small before/after table. */
export function changeTable(changes: Changes): string {
  const rows = Object.entries(changes).map(
    ([field, { before, after }]) =>
      `| ${escapeMarkdown(field)} | ${escapeMarkdown(shown(before))} | ${escapeMarkdown(shown(after))} |`,
  );
  if (rows.length === 0) return 'Nothing was to be changed.';
  return ['| field | before | after |', '| --- | --- | --- |', ...rows].join('\n');
}

/** A value in one line, as a person reads it; absent is a dash. */
export function shown(value: Yaml): string {
  if (value === null) return '–';
  if (Array.isArray(value)) return value.length === 0 ? '(empty)' : value.map(shown).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Text from outside in one line of a note: no line breaks, no control characters, nothing that draws as a table. */
export function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is the point
  return text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').trim();
}
