import { isOwnNote } from '../../steward/ports/own-notes.ts';
import { waitingAbout } from '../../steward/proposals/proposal-status.ts';
import { sentAt } from '../../steward/trust/speaker.ts';
import { type AgentProposal, isSameChange, mutationOf } from '../../stream/agents/proposal.ts';
import type { EventRecord, SignalRecord, TargetRecord } from '../../vault/index/record.ts';
import type { Changes } from '../../vault/records/mutation.ts';
import { AGENT, sourceKey, sourceName } from '../../vault/source-names.ts';
import { outcomeNow } from '../attention/outcome-now.ts';
import type { ReadAccess } from '../context/ports.ts';

/** For so long (ms) what a person has refused is not asked again. */
const WEEK = 7 * 24 * 60 * 60 * 1000;

/** Returns the event of an open proposal that would change just this, whoever made it; null where there is none. */
export function waitingAlready(space: ReadAccess, { path }: TargetRecord, changes: Changes): EventRecord | null {
  const same = comparable(changes);
  const open = waitingAbout(space, path).filter(({ standing }) => standing.kind === 'waiting');
  return open.find(({ event }) => comparable(event.fields.changes) === same)?.event ?? null;
}

function comparable(changes: Changes): string {
  return JSON.stringify(Object.entries(changes).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Returns the newest signal by which the same agent has handed in the same in the last week, or null. */
export function earlierSignal(space: ReadAccess, target: TargetRecord, order: AgentProposal): SignalRecord | null {
  const source = sourceKey(sourceName(AGENT, order.client));
  const mutation = mutationOf(order);
  const since = space.context.now() - WEEK;
  const isIt = (signal: SignalRecord) => {
    const { source_type: channel, pattern, mutation_proposal: proposed } = signal.fields;
    if (proposed === null || sourceKey(sourceName(channel, pattern)) !== source) return false;
    return isSameChange(proposed, mutation) && (sentAt(signal) ?? 0) > since && isOwnNote(space, signal);
  };
  const found = space.vault.catalogue.signalsFor(target).filter(isIt);
  return found.toSorted((one, other) => (sentAt(other) ?? 0) - (sentAt(one) ?? 0))[0] ?? null;
}

/** Returns what a person has said against what a signal led to, `dismissed` or `reversed`; null where they have not. */
export function fateOf(space: ReadAccess, signal: SignalRecord): 'dismissed' | 'reversed' | null {
  for (const event of space.vault.catalogue.eventsOfSignal(signal.name)) {
    const outcome = outcomeNow(space, event).flags?.outcome;
    if (outcome === 'dismissed' || outcome === 'reversed') return outcome;
  }
  return null;
}
