import type { LoggedEvent } from '../../features/audit-log.ts';
import { EXIT, StewardError } from '../../vault/errors.ts';
import { askDaemon, presentVaultDir } from '../client.ts';
import { parseTitle } from '../inbox-view.ts';
import { changeLines, outcomeStyle } from '../print.ts';
import {
  type CommandContext,
  type CommandResult,
  type CommonOptions,
  clean,
  figure,
  formatMoment,
  type Printer,
  type Style,
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

/**
 * Prints the audit trail, a line for each thing that happened: its time, what was done and to which note, then the changes
 * or the question, and the note that records it. A proposal whose answer is listed is part of the answer's line.
 */
export function printLog(out: Printer, events: readonly LoggedEvent[]): void {
  if (events.length === 0) out.line('No entries yet.');
  const names = new Set(events.map(({ event }) => event));
  const isJoined = ({ outcome, by }: LoggedEvent) => ANSWERED.includes(outcome) && by !== null && names.has(by);
  const proposals = new Map(events.filter(isJoined).map((logged) => [logged.by, logged]));
  for (const logged of events.filter((one) => !isJoined(one))) {
    const { time, target, candidates, decision, confidence, changes, asks, event } = logged;
    // A daemon of an earlier version does not say which.
    const about = target === null ? (candidates ?? []).map(parseTitle).join(' or ') : parseTitle(target);
    const [word, style] = happening(logged);
    const figures = WITHOUT_FIGURES.includes(decision) ? '' : `  ${clean(decision)} ${figure(confidence)}`;
    const what = `${out.paint(style, clean(word))}${reasonText(logged, proposals.get(event))}`;
    for (const line of out.folded(`${out.paint('dim', formatMoment(time))}  ${what}  ${clean(about)}${figures}`))
      out.line(line);
    for (const change of changeLines(changes)) out.plain(`    ${change}`);
    if (asks != null) out.plain(`    ${asks}`); // a daemon of an earlier version has no such field
    out.styled('dim', `    ${event}`);
  }
}

/** Decisions of the user, which have no confidence. */
const WITHOUT_FIGURES: readonly string[] = ['reversal', 'proposal_closed'];
const ANSWERED: readonly string[] = ['confirmed', 'dismissed'];

/** Returns the word for what happened at that time, and its colour. An undo since then is an entry itself. */
function happening({ outcome, decision, event }: LoggedEvent): readonly [string, Style] {
  if (decision === 'proposal_closed') return ['no longer waits', 'dim'];
  if (outcome !== 'reversed') return [outcome, outcomeStyle(outcome)];
  if (decision === 'reversal') return ['undone', outcomeStyle(outcome)];
  const [, answer = 'applied'] = /-action-(confirmed|dismissed)-/.exec(event) ?? [];
  return [answer, outcomeStyle(answer)];
}

/** What closed a proposal, what keeps it waiting, or when an answered one was made and whether it was undone. */
function reasonText({ outcome, decision, reason }: LoggedEvent, proposal: LoggedEvent | undefined): string {
  const notes = [
    ...(proposal === undefined ? [] : [`proposed ${formatMoment(proposal.time)}`]),
    ...(outcome === 'reversed' && decision !== 'reversal' ? ['undone since'] : []),
  ];
  if (notes.length > 0) return ` (${notes.join(', ')})`;
  if (outcome === 'superseded') return ' by a newer one';
  if (reason === null) return '';
  return reason.startsWith(outcome) ? clean(reason.slice(outcome.length)) : ` (${clean(reason)})`;
}
