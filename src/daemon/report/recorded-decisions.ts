import { isChoice } from '../../steward/attention/asking.ts';
import type { Outcome } from '../../steward/hindsight/scorecard.ts';
import type { EventRecord } from '../../vault/index/record.ts';
import { momentOf } from '../../vault/notes/event-names.ts';
import { EVENT_TYPES } from '../../vault/records/event.ts';
import type { Vault } from '../../vault/watch/vault.ts';

/** Returns the event notes that record a decision, oldest first: actions, proposals and records, not their answers. */
export function decisionsIn(vault: Vault): EventRecord[] {
  const decisions = vault.catalogue
    .events()
    .filter(({ fields }) => EVENT_TYPES.some((type) => type === fields.type))
    .filter(({ fields }) => fields.decision !== 'proposal_closed')
    // What was seen without a signal is decided by a person alone: it says nothing of how far the steward may go.
    .filter((event) => !isChoice(event) && event.fields.perceived === null);
  return inOrder(decisions);
}

/** Returns events oldest first, whatever order they were read in. Leaves out those without a readable time. */
export function inOrder(events: readonly EventRecord[]): EventRecord[] {
  return events
    .map((event) => ({ event, at: momentOf(event.name, event.fields.timestamp) }))
    .filter(({ at }) => Number.isFinite(at))
    .sort((one, other) => one.at - other.at || byName(one.event, other.event))
    .map(({ event }) => event);
}

function byName(one: EventRecord, other: EventRecord): number {
  if (one.name !== other.name) return one.name < other.name ? -1 : 1;
  return one.path < other.path ? -1 : 1;
}

/** Whether an event note says only that the rate guard or the budget had no room. */
export function isGuarded(event: EventRecord): boolean {
  return event.fields.decision === 'rate_guarded';
}

/** Returns what became of a decision at the time it was made. */
export function recordedOutcome({ fields }: EventRecord): Outcome {
  if (fields.undo_recipe !== null) return 'acted';
  if (Object.keys(fields.changes).length === 0) return 'nothing';
  return fields.mode === 'shadow' ? 'recorded' : 'proposed';
}
