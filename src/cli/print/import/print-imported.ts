import type { ImportCounts } from '../../../daemon/import/counts.ts';
import type { Imported } from '../../../daemon/import/imported.ts';
import { readableKinds } from '../../../daemon/import/understanding.ts';
import { count } from '../plain-text.ts';
import type { Printer } from '../printer.ts';
import { grouped } from './sizes.ts';

/** How many signals of a file are named. */
const MOST_SIGNALS = 20;

/** Prints the signals of each imported file, or why it has none. */
export function printImported(out: Printer, files: readonly Imported[]): void {
  for (const one of files) {
    out.plain(`${one.file ?? one.from}: ${cameTo(one)}`);
    for (const signal of one.signals.slice(0, MOST_SIGNALS)) out.plain(`  ${signal}`);
    if (one.signals.length > MOST_SIGNALS) out.plain(`  and ${grouped(one.signals.length - MOST_SIGNALS)} more`);
  }
  if (files.some(({ understood, file }) => !understood && file === null)) {
    out.styled('dim', readableWords());
  }
  if (files.some(({ complete }) => !complete)) {
    out.styled('dim', 'It ended early; the daemon reads the rest, or the same command does.');
  }
}

function cameTo({ file, items, signals, reason, complete }: Imported): string {
  if (file === null) return notImportedWords(reason ?? '');
  if (items !== null) return manyWords(items, reason, complete);
  return signals.length === 0 ? `no signal (${reason ?? 'nothing new'})` : count(signals.length, 'signal');
}

function manyWords(items: ImportCounts, reason: string | null, isComplete: boolean): string {
  const words = `${countWords(items)}${isComplete ? '' : ', and there are more'}`;
  return reason === null ? words : `${reason} (${words})`;
}

/** Returns how it is said that a file is not put into the vault. */
export function notImportedWords(reason: string): string {
  return `not imported: ${reason}`;
}

/** Returns the kinds of file that are read, in a sentence. */
export function readableWords(): string {
  return `Files that are read: ${readableKinds().join(', ')}.`;
}

/** Returns what became of a file's events: `212 events read: 3 signals, 198 say nothing for the vault, 9 known`. */
export function countWords({ read, signals, none, past, known, refused, waiting, troubles }: ImportCounts): string {
  const all = read + known + refused;
  const [first] = troubles;
  const why = first === undefined ? '' : ` (${first.place}: ${first.reason})`;
  const parts = [
    count(signals, 'signal'),
    ...(none === 0 ? [] : [`${grouped(none)} say${none === 1 ? 's' : ''} nothing for the vault`]),
    ...(past === 0 ? [] : [`${grouped(past)} too old to look into`]),
    ...(known === 0 ? [] : [`${grouped(known)} known`]),
    ...(waiting === 0 ? [] : [`${grouped(waiting)} wait${waiting === 1 ? 's' : ''} for a model`]),
    ...(refused === 0 ? [] : [`${grouped(refused)} refused${why}`]),
  ];
  return `${grouped(all)} event${all === 1 ? '' : 's'} read: ${parts.join(', ')}`;
}
