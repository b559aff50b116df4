import type { LivedEntry, LivedWeeks } from './weeks.ts';

/** Returns the figures of several stories side by side. */
export function weeksTable(lives: readonly LivedWeeks[]): string {
  const line = (name: string, figure: (life: LivedWeeks) => string) => [name, ...lives.map(figure)];
  return aligned([
    line('', ({ story }) => story.name),
    line('mails', ({ mails }) => String(mails.length)),
    line('entries in weeks 1, 2, 3, 4', ({ decisions }) => perWeek(decisions).join(', ')),
    line('still waiting at the end of each', ({ waitingAtEnd }) => waitingAtEnd.join(', ')),
    line('questions about what the mail is about', ({ decisions }) => shareText(decisions, ({ isReal }) => isReal)),
    line('questions with the change that it says', ({ decisions }) => shareText(decisions, ({ isMeant }) => isMeant)),
    line('warnings', ({ warnings }) => String(warnings.length)),
    line(
      'false statements, of those checked',
      ({ wrong, statements }) => `${wrong.length} of ${sum(statements.values())}`,
    ),
    line('minutes until a mail is in status', ({ minutesVisible: all }) => longest(all)),
    line('minutes until news is evaluated', ({ minutesEvaluated: all }) => longest(all)),
    line('answers with one gesture', ({ answers }) => {
      return `${answers.filter(({ gestures }) => gestures === 1).length} of ${answers.length}`;
    }),
    line('true news without an entry', ({ missed, mails }) => {
      return `${missed.length} of ${mails.filter(({ fact }) => fact !== null && fact.is !== 'open').length}`;
    }),
  ]);
}

function perWeek(entries: readonly LivedEntry[]): number[] {
  return [0, 1, 2, 3].map((week) => entries.filter((one) => one.week === week).length);
}

/** Returns which part of the entries are of a kind, 0–1. */
export function shareOf(entries: readonly LivedEntry[], isOne: (entry: LivedEntry) => boolean): number {
  return entries.filter(isOne).length / entries.length;
}

function shareText(entries: readonly LivedEntry[], isOne: (entry: LivedEntry) => boolean): string {
  return `${entries.filter(isOne).length} of ${entries.length} (${Math.round(100 * shareOf(entries, isOne))} %)`;
}

function longest(minutes: readonly number[]): string {
  return `at most ${Math.max(...minutes).toFixed(1)} (n = ${minutes.length})`;
}

function sum(counts: Iterable<number>): number {
  return [...counts].reduce((total, count) => total + count, 0);
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
