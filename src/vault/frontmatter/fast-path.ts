import type { ParsedNote } from './parsed-note.ts';
import { plainYaml } from './plain-yaml.ts';

const OPENING = /^---\r?\n/;
const CLOSING = '\n---';
const CLOSING_LINE = /\n---\r?(?:\n|$)/y;

/**
 * Returns a note whose frontmatter is plain YAML between two bare lines of three dashes; null for any other.
 */
export function parsePlainNote(text: string): ParsedNote | null {
  const start = text.startsWith('---\n') ? 4 : (OPENING.exec(text)?.[0].length ?? 0);
  const end = start === 0 ? 0 : text.indexOf(CLOSING, start - 1) + 1;
  CLOSING_LINE.lastIndex = end - 1;
  if (end === 0 || !CLOSING_LINE.test(text)) return null;
  const eol = start === 4 ? '\n' : '\r\n';
  const data = eol === '\n' ? plainYaml(text, start, end) : plainYaml(text.slice(start, end).replaceAll(eol, '\n'));
  return data === null ? null : { data, block: { start, end, firstLine: 2, eol }, text };
}
