import { same } from '../../vault/frontmatter/equal.ts';
import type { EventRecord, TargetRecord } from '../../vault/index/record.ts';
import { EVENT_TYPES } from '../../vault/records/event.ts';
import { isOwnEvent } from '../../vault/records/seals.ts';
import type { NoteSnapshot } from '../../vault/transaction/note-snapshot.ts';
import { heldIn, isStateField } from '../changes/held-value.ts';
import type { Outcome } from '../learning/outcomes.ts';
import type { Seals } from '../ports/space.ts';
import { answerOf, comesAfter, fitOn, isPast, type Proposals } from '../proposals/proposal-status.ts';
import { isReversed } from '../proposals/reversed.ts';

/** How long a decision can be shown wrong by hand: as long as it can be taken back. */
const WEEK = 7 * 24 * 60 * 60 * 1000;

/** A decision that a person's own hand has shown to be right or wrong. */
export interface HandOutcome {
  readonly event: EventRecord;
  readonly outcome: Extract<Outcome, 'right' | 'dismissed' | 'contradicted'>;
}

/**
 * Returns what a person's own hand says about the decisions on a note that nothing else has answered (contract, section
 * 7), judged by a snapshot of it. Of several decisions about one field, only the latest is judged: what was decided
 * before it may have been put right by the program itself.
 */
export function outcomesByHand(space: Proposals & Seals, target: TargetRecord, note: NoteSnapshot): HandOutcome[] {
  const events = space.vault.catalogue.eventsAbout(target.path).filter((event) => isPast(space, event));
  const decided = new Set<string>();
  return events
    .toSorted((one, other) => (comesAfter(one, other) ? -1 : 1))
    .flatMap((event): HandOutcome[] => {
      if (event.fields.dismisses !== null) return [];
      const fields = Object.keys(event.fields.changes);
      const isLatest = !fields.some((field) => decided.has(field));
      for (const field of fields) decided.add(field);
      if (!isLatest || !isUnanswered(space, event)) return [];
      const outcome = outcomeOf(space, event, target, note);
      return outcome === null ? [] : [{ event, outcome }];
    });
}

/** Whether an event is a decision of the program's own that has taught nothing, and that nobody has answered. */
export function isUnanswered(space: Proposals & Seals, event: EventRecord): boolean {
  const { type, taught, changes } = event.fields;
  if (taught !== null || Object.keys(changes).length === 0 || !EVENT_TYPES.some((one) => one === type)) return false;
  if (answerOf(space.vault.catalogue, event) !== null || isReversed(space, event)) return false;
  if (isTakenBackElsewhere(space, event)) return false;
  return isOwnEvent(space.context.seal, event);
}

// Somebody has asked to have it taken back, and the reversal that does so, and teaches, may still be on its way here.
function isTakenBackElsewhere({ vault: { catalogue } }: Proposals, event: EventRecord): boolean {
  const reversals = catalogue.answersTo(event.name).filter((answer) => answer.kind === 'reversal');
  return reversals.some(({ fields: { outcome } }) => outcome === null || outcome === 'already-reversed');
}

function outcomeOf(
  space: Proposals,
  event: EventRecord,
  target: TargetRecord,
  note: NoteSnapshot,
): HandOutcome['outcome'] | null {
  const isRecent = space.context.now() - Date.parse(event.fields.timestamp) < WEEK;
  if (event.fields.undo_recipe !== null) return isRecent && !stands(event, note) ? 'contradicted' : null;
  const fit = fitOn(event, target, note);
  if (fit.kind === 'made') return 'right';
  const isOther = fit.kind === 'moved' ? Object.hasOwn(event.fields.changes, fit.field) : setsState(event);
  return isRecent && fit.kind !== 'fits' && isOther ? 'dismissed' : null;
}

/** Whether a note still holds what an action wrote into it. */
export function stands({ fields }: EventRecord, { data }: NoteSnapshot): boolean {
  const written = Object.entries(fields.changes).filter(([field]) => field !== 'completedDate');
  return written.every(([field, { after }]) => same(heldIn(data, field), after));
}

function setsState({ fields }: EventRecord): boolean {
  return Object.keys(fields.changes).some(isStateField);
}
