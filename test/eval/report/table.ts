import type { Share } from './share.ts';

/** The cells of one line. */
export type Row = readonly string[];

/** Returns lines with aligned columns, the first to the left; an empty row gives an empty line. */
export function table(head: Row, rows: readonly Row[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, at) => Math.max(...all.map((row) => (row[at] ?? '').length)));
  const line = (row: Row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** Returns the same as a table in Markdown. */
export function markdownTable(head: Row, rows: readonly Row[]): string {
  const line = (row: Row) => `| ${row.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** `85.3 %`, or a dash where there was nothing to count. */
export function percent({ share }: Share): string {
  return share === null ? '–' : `${(share * 100).toFixed(1)} %`;
}

/** `77–91`, the interval in percent. */
export function interval({ share, low, high }: Share): string {
  return share === null ? '' : `${(low * 100).toFixed(0)}–${(high * 100).toFixed(0)}`;
}
