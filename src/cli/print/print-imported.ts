import type { Imported } from '../../daemon/ingest/import.ts';
import { count } from './plain-text.ts';
import type { Printer } from './printer.ts';

/** Prints the signals of each imported file, or why it has none. */
export function printImported(out: Printer, files: readonly Imported[]): void {
  for (const { file, signals, reason } of files) {
    const found = signals.length === 0 ? `no signal (${reason ?? 'nothing new'})` : count(signals.length, 'signal');
    out.plain(`${file}: ${found}`);
    for (const signal of signals) out.plain(`  ${signal}`);
  }
}
