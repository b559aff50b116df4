import { BRIEF_HEAD, inShort } from './cells.ts';
import type { Shown } from './page.ts';
import { headLines, type Report } from './report.ts';

/** The rows that a person asks for first, in plain words, by their ids. */
const BRIEF = new Map([
  ['whole.10000.cached', 'start on 10,000 notes, until it listens'],
  ['rest.10000.memory', 'memory at rest with them'],
  ['signals', 'from a signal to the changed note, all of it on disk'],
  ['status.asked', '`steward status`, as a person runs it'],
]);

/** Returns what a page shows of a run in short. */
export function briefOf(report: Report): Shown {
  const rows = [...BRIEF].flatMap(([id, words]) =>
    report.rows.filter((row) => row.id === id).map((row) => [words, ...inShort(row)]),
  );
  return { head: headLines(report).slice(0, 1), columns: BRIEF_HEAD, rows };
}
