import { cellsOf, figureText } from './cells.ts';
import { headLines, type Report } from './report.ts';
import type { Row } from './row.ts';

const BEGIN = '<!-- `npm run bench -- --write` writes from here';
const END = 'to here -->';
const MARKED = new RegExp(`^${BEGIN} -->\\n([\\s\\S]*?)^<!-- ${END}$`, 'm');

/** The columns of a page. It names the floors in a separate table, and a ratio says how far from its floor a figure is. */
export const COLUMNS = ['what', 'figure', 'goal', 'n'] as const;

/** What a page shows of a run: the lines above its table, and the cells of each row. */
export interface Shown {
  readonly head: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * Returns what a page shows of a run: the figures with a goal, of the blocks of one daemon the longest, and what could not be measured.
 * `--json` has them all.
 */
export function shownOf(report: Report): Shown {
  return { head: headLines(report), columns: COLUMNS, rows: selectRows(report.rows).map(pageCells) };
}

function pageCells(row: Row): string[] {
  const [what = '', , , , goal = '', rounds = ''] = cellsOf(row);
  return [what, figureText(row), goal, rounds];
}

function selectRows(rows: readonly Row[]): Row[] {
  const isSelected = (row: Row) => (row.aim !== null || row.measured === null) && !isShorterBlock(row, rows);
  return rows.filter((row, nth) => isSelected(row) || (!isContinued(row) && partsBelow(rows, nth).some(isSelected)));
}

/** If the longest block of a daemon's life meets its goal, the others do too. */
function isShorterBlock(row: Row, rows: readonly Row[]): boolean {
  const life = /^(blocks\.\d+\.)(?!loading)/.exec(row.id)?.[1];
  if (life === undefined) return false;
  const others = rows.filter(({ id }) => id.startsWith(life) && !id.endsWith('.loading'));
  return others.some((other) => (other.measured?.value ?? 0) > (row.measured?.value ?? 0));
}

/** A name such as "… with cache" continues that of the row above it, which therefore stays. */
function isContinued({ what }: Row): boolean {
  return what.startsWith('…');
}

function partsBelow(rows: readonly Row[], nth: number): readonly Row[] {
  const below = rows.slice(nth + 1);
  const end = below.findIndex((row) => !isContinued(row));
  return end < 0 ? below : below.slice(0, end);
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
  return `${COLUMNS}` === `${columns}` && partOf(shown) === part ? shown : null;
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
