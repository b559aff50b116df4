import { CORE_SCHEMA, dump } from 'js-yaml';
import type { Changes } from './records/mutation.ts';
import type { Yaml } from './records/values.ts';

/** A note of the program's own: frontmatter in the order given, and a body. */
export function noteText(frontmatter: Readonly<Record<string, unknown>>, body: string): string {
  const yaml = dump(frontmatter, { schema: CORE_SCHEMA, lineWidth: -1, noRefs: true, quotingType: '"' });
  return `---\n${yaml}---\n\n${body.trim()}\n`;
}

/** A change as a small before/after table. */
export function changeTable(changes: Changes): string {
  const rows = Object.entries(changes).map(
    ([field, { before, after }]) => `| ${cell(field)} | ${cell(shown(before))} | ${cell(shown(after))} |`,
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

function cell(text: string): string {
  return oneLine(text).replaceAll('\\', '\\\\').replaceAll('|', '\\|');
}
