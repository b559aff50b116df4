import type { LoggedEvent } from '../../features/audit-log.ts';
import { EXIT, StewardError } from '../../vault/errors.ts';
import { stem } from '../../vault/layout.ts';
import { askDaemon, presentVaultDir } from '../client.ts';
import { changeLines, outcomeStyle, outcomeWord } from '../print.ts';
import {
  type CommandContext,
  type CommandResult,
  type CommonOptions,
  clean,
  figure,
  formatMoment,
  type Printer,
} from '../terminal.ts';

/** `steward log [-n N] [--matter M]`: the audit trail, newest first. */
export async function log(
  options: CommonOptions & { readonly count: number; readonly matter?: string },
  context: CommandContext,
): CommandResult {
  const root = presentVaultDir(options, context);
  const events = await newestEvents(context, root, options.count, options.matter ?? null);
  if (options.json === true) context.out.json({ schemaVersion: 1, events });
  else printLog(context.out, events);
  return EXIT.done;
}

/**
 * Returns the newest entries of the audit trail. A daemon knows them at once; without one, or if it does not answer,
 * the vault itself is read.
 */
export async function newestEvents(
  context: CommandContext,
  root: string,
  count: number,
  matter: string | null,
): Promise<readonly LoggedEvent[]> {
  const asked = await askDaemon(context, root, { op: 'log', count, matter });
  if (typeof asked === 'object' && asked.ok) return asked.result as LoggedEvent[]; // by the same function
  if (typeof asked === 'object' && asked.trouble.code === 'matter-unknown') throw new StewardError(asked.trouble);
  const [{ auditLog }, { readNotes }] = await Promise.all([
    import('../../features/audit-log.ts'),
    import('../vault.ts'),
  ]);
  return auditLog(await readNotes(context, root), count, matter);
}

/** Prints the audit trail: for each event its time, outcome, target and decision, then its changes or what it asks, and its note. */
export function printLog(out: Printer, events: readonly LoggedEvent[]): void {
  if (events.length === 0) out.line('No entries yet.');
  for (const logged of events) {
    const { time, outcome, target, candidates, decision, confidence, changes, asks, event } = logged;
    const about = target === null ? (candidates ?? []).join(' or ') : stem(target); // a daemon of an earlier version does not say which
    const what = `${out.paint(outcomeStyle(outcome), clean(outcomeWord(outcome)))}${reasonText(logged)}`;
    const words = `${out.paint('dim', formatMoment(time))}  ${what}  ${clean(about)}${decision === UNDO ? '' : `  ${clean(decision)} ${figure(confidence)}`}`;
    for (const line of out.folded(words)) out.line(line);
    for (const change of changeLines(changes)) out.plain(`    ${change}`);
    if (asks != null) out.plain(`    ${asks}`); // a daemon of an earlier version has no such field
    out.line(`    ${out.paint('dim', clean(event))}`);
  }
}

/** A reversal has no confidence. */
const UNDO = 'reversal';

/** What closed a proposal, or what keeps it waiting. */
function reasonText({ outcome, by, reason }: LoggedEvent): string {
  if (outcome === 'superseded' && by !== null) return ` by ${clean(by)}`;
  if (reason === null) return '';
  return reason.startsWith(outcome) ? clean(reason.slice(outcome.length)) : ` (${clean(reason)})`;
}
