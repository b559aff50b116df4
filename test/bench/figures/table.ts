import { cellsOf, HEAD } from './cells.ts';
import { headLines, type Report } from './report.ts';

/** Returns the lines of a report for a terminal. */
export function tableLines(report: Report): string[] {
  const cells = report.rows.map(cellsOf);
  const widths = HEAD.map((_, column) => Math.max(...[HEAD, ...cells].map((line) => line[column]?.length ?? 0)));
  const padded = (one: readonly string[]) =>
    one
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width));
  return [...headLines(report), '', padded(HEAD), padded(rule), ...cells.map(padded)];
}
