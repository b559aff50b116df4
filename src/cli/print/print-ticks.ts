import type { TickResult } from '../../daemon/schedule/tick.ts';
import { count } from './plain-text.ts';
import type { Printer } from './printer.ts';

/** Prints what each tick looked at, and the events it wrote. */
export function printTicks(out: Printer, results: readonly TickResult[]): void {
  for (const { matter, targets, events, retryAt } of results) {
    out.plain(`${matter}: ${count(targets, 'note')} looked at, ${count(events.length, 'event')}`);
    for (const event of events) out.plain(`  ${event}`);
    if (retryAt !== null) out.line('  a note is being edited; it is judged once it is quiet');
  }
  if (results.length === 0) out.line('No open matter to look at.');
}
