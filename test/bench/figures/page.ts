import { cellsOf, HEAD } from './cells.ts';
import { headLines, type Report } from './report.ts';

const BEGIN = '<!-- `npm run bench -- --write` writes from here';
const END = 'to here -->';
const MARKED = new RegExp(`^${BEGIN} -->\\n([\\s\\S]*?)^<!-- ${END}$`, 'm');

/** What a page shows of a run: the lines above its table, and the cells of each row. */
export interface Shown {
  readonly head: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Returns what a page shows of a run. */
export function shownOf(report: Report): Shown {
  return { head: headLines(report), columns: HEAD, rows: report.rows.map(cellsOf) };
}

/** Returns a page with its marked part made anew. Throws where the page has no such part. */
export function written(page: string, shown: Shown): string {
  if (!MARKED.test(page)) throw new Error(`the page has no part between "${BEGIN} -->" and "<!-- ${END}"`);
  return page.replace(MARKED, () => `${BEGIN} -->\n${partOf(shown)}<!-- ${END}`);
}

/** Returns what the marked part of a page shows; null where it has none, or one that no run has written. */
export function readPart(page: string): Shown | null {
  const part = MARKED.exec(page)?.[1];
  if (part === undefined) return null;
  const [above = '', table = ''] = part.split('\n\n');
  const [columns = [], , ...rows] = table.trimEnd().split('\n').map(cellsIn);
  const shown = { head: above.split('\n').filter(Boolean).map(unescaped), columns, rows };
  return `${HEAD}` === `${columns}` && partOf(shown) === part ? shown : null;
}

function partOf({ head, columns, rows }: Shown): string {
  const lines = [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.map(escaped).join(' | ')} |`);
  return `${head.map(escaped).join('\n')}\n\n${lines.join('\n')}\n`;
}

function cellsIn(line: string): string[] {
  return line.slice(2, -2).split(' | ').map(unescaped);
}

/** A cell is one line and ends at no bar of its own; an angle bracket begins no HTML. */
function escaped(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().replaceAll('&', '&amp;').replaceAll('|', '&#124;').replaceAll('<', '&lt;');
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&#124;', '|').replaceAll('&amp;', '&');
}
