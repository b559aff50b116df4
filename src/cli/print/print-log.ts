import type { LoggedEvent } from '../../daemon/explain/audit-log.ts';
import { changeLines } from './change-text.ts';
import { clean, figure, local } from './plain-text.ts';
import type { Printer, Style } from './printer.ts';

const MADE = ['applied', 'confirmed', 'reversed'];
const LEFT = ['proposed', 'asked', 'recorded', 'settling', 'dismissed'];

/** Prints the audit trail: for each event its time, outcome, target and decision, then its changes or what it asks, and its note. */
export function printLog(out: Printer, events: readonly LoggedEvent[]): void {
  if (events.length === 0) out.line('Nothing has happened yet.');
  for (const logged of events) {
    const { time, outcome, target, candidates, decision, confidence, changes, asks, event } = logged;
    const about = target ?? (candidates ?? []).join(' or '); // a daemon of an earlier version does not say which
    const what = `${out.paint(outcomeStyle(outcome), clean(outcome))}${reasonText(logged)}`;
    out.line(`${out.paint('dim', local(time))}  ${what}  ${clean(about)}  ${clean(decision)} ${figure(confidence)}`);
    for (const change of changeLines(changes)) out.line(`    ${change}`);
    if (asks != null) out.line(`    ${clean(asks)}`); // a daemon of an earlier version does not say it
    out.line(`    ${out.paint('dim', clean(event))}`);
  }
}

/** What closed a proposal, or what keeps it waiting. */
function reasonText({ outcome, by, reason }: LoggedEvent): string {
  if (outcome === 'superseded' && by !== null) return ` by ${clean(by)}`;
  return reason === null ? '' : ` (${clean(reason)})`;
}

/** Returns the colour of an outcome: green where the note was changed, yellow where it was left alone, else red. */
export function outcomeStyle(outcome: string): Style {
  if (MADE.includes(outcome)) return 'green';
  return LEFT.includes(outcome) ? 'yellow' : 'red';
}
