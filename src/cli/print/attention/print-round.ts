import { NOUNS } from '../../../steward/attention/kinds.ts';
import type { Waiting } from '../../../steward/attention/waiting.ts';
import { stem } from '../../../vault/note-names.ts';
import { clean, count } from '../plain-text.ts';
import type { Printer } from '../printer.ts';

/** One thing that a person can say, and the key for it. */
export interface Way {
  readonly key: string;
  readonly words: string;
}

/**
 * Returns what can be said, in one line: `confirm (c), dismiss (d), skip (s), quit (q)?` `byName`: how a note that may be
 * chosen is named, where one may.
 */
export function waysText(ways: readonly Way[], byName: string | null): string {
  const shown = ways.map(({ key, words }) => {
    const keys = byName !== null && words === CHOOSE ? `${key}, ${byName}` : key;
    return `${clean(words)} (${keys})`;
  });
  return `${shown.join(', ')}?`;
}

/** The way that says which of several notes is meant. */
export const CHOOSE = 'choose';

/** Prints the entries that are answered together, each on a line. */
export function printTogether(out: Printer, entries: readonly Waiting[]): void {
  out.line();
  out.styled('bold', `${count(entries.length, 'entry').replace(/ys$/, 'ies')} together`);
  for (const { kind, target, change } of entries) {
    const what = [target === null ? '' : stem(target), change ?? ''].filter((part) => part !== '');
    out.line(out.fitted(`  ${out.paint('yellow', NOUNS[kind].padEnd(9))} ${clean(what.join('  '))}`));
  }
}

/** Words of a round through the list. */
export const ROUND = {
  held: (many: number) => `  Your next key dismisses ${many === 1 ? 'it' : `these ${many}`}; u takes that back.`,
  released: '  Still waiting.',
  nothingToUndo: '  Nothing to take back.',
  leftOut: (many: number) =>
    `  ${count(many, 'other')} ${many === 1 ? 'needs' : 'need'} another answer, and ${many === 1 ? 'waits' : 'wait'} on.`,
  over: 'That was all.',
  whichNote: '  which note? ',
  byWord: 'or the name of a note',
  byKey: 'or n for another by its name',
} as const;
