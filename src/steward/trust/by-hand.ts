import type { EventRecord, TargetRecord } from '../../vault/index/record.ts';
import { linkKey } from '../../vault/links.ts';
import { EVENT_TYPES } from '../../vault/records/event.ts';
import type { NoteSnapshot } from '../../vault/transaction/note-snapshot.ts';
import { HAND_COUNTS_FOR, handSays } from '../learning/hand.ts';
import type { Outcome } from '../learning/outcomes.ts';
import { isOwnNote } from '../ports/own-notes.ts';
import type { Records } from '../ports/space.ts';
import { speakersOf } from '../proposals/overtaking.ts';
import { answerOf, comesAfter, isPast, type Proposals } from '../proposals/proposal-status.ts';
import { isReversed } from '../proposals/reversed.ts';

/** How an event note says that a person made the proposed change by their own hand. */
export const BY_HAND = 'made by hand';

/** A decision that a person's own hand has shown to be right or wrong. */
export interface HandOutcome {
  readonly event: EventRecord;
  readonly outcome: Extract<Outcome, 'right' | 'dismissed' | 'contradicted'>;
}

/** Stands for the program among those who spoke about a field: no source has this name. */
const PROGRAM = '';

/**
 * Returns what a person's own hand says about the decisions on a note that nothing else has answered (contract, section
 * 7), judged by a snapshot of it. Of several decisions about one field, only the latest of each source is judged, and
 * none of before the program itself wrote it: that may have been put right so. What a stranger proposes later takes no
 * outcome from anybody, and what one repeats counts once.
 */
export function outcomesByHand(space: Proposals, target: TargetRecord, note: NoteSnapshot): HandOutcome[] {
  const events = space.vault.catalogue.eventsAbout(target.path).filter((event) => isPast(space, event));
  const decided = new Set<string>();
  return events
    .toSorted((one, other) => (comesAfter(one, other) ? -1 : 1))
    .flatMap((event): HandOutcome[] => {
      if (event.fields.dismisses !== null) return [];
      const fields = Object.keys(event.fields.changes);
      const isMade = event.fields.undo_recipe !== null || event.fields.confirms !== null;
      const speakers = speakersOf(event.fields.source_contributions);
      const isLatest = !fields.some((field) => [PROGRAM, ...speakers].some((one) => decided.has(`${field} ${one}`)));
      for (const field of fields) {
        for (const one of isMade ? [PROGRAM, ...speakers] : speakers) decided.add(`${field} ${one}`);
      }
      if (!isLatest || !isUnanswered(space, event) || isRestoredSince(space, event, events)) return [];
      const outcome = outcomeOf(space, event, { note, mtimeMs: target.stat.mtimeMs });
      return outcome === null ? [] : [{ event, outcome }];
    });
}

/** Whether an event is a decision of the program's own that has taught nothing, and that nobody has answered. */
export function isUnanswered(space: Proposals, event: EventRecord): boolean {
  const { type, taught, changes } = event.fields;
  if (taught !== null || Object.keys(changes).length === 0 || !EVENT_TYPES.some((one) => one === type)) return false;
  if (answerOf(space, event) !== null || isReversed(space, event)) return false;
  if (isTakenBackElsewhere(space, event) || isCountedElsewhere(space, event)) return false;
  return isOwnNote(space, event);
}

// Somebody has asked to have it taken back, and the reversal that does so, and teaches, may still be on its way here.
function isTakenBackElsewhere({ vault: { catalogue } }: Proposals, event: EventRecord): boolean {
  const reversals = catalogue.answersTo(event.name).filter((answer) => answer.kind === 'reversal');
  return reversals.some(({ fields: { outcome } }) => outcome === null || outcome === 'already-reversed');
}

// Two machines may act on one signal before either hears of the other. That is one act, and the later record of it
// counts, on the machine that wrote it: as when a hand has changed the note since, where only the latest is judged.
function isCountedElsewhere(space: Proposals, event: EventRecord): boolean {
  const { target_path: target, undo_recipe: recipe, signals } = event.fields;
  if (target === null || recipe === null) return false;
  const weighed = new Set(signals.map(linkKey));
  return space.vault.catalogue
    .eventsAbout(target)
    .filter(({ fields }) => fields.undo_recipe !== null && fields.signals.some((link) => weighed.has(linkKey(link))))
    .some((other) => comesAfter(other, event) && !isOwnNote(space, other));
}

// What an undo of an earlier action has given back since was not moved by a hand.
function isRestoredSince({ vault: { catalogue } }: Proposals, event: EventRecord, events: readonly EventRecord[]) {
  const at = Date.parse(event.fields.timestamp);
  const fields = Object.keys(event.fields.changes);
  return events
    .filter((other) => other !== event && fields.some((field) => Object.hasOwn(other.fields.changes, field)))
    .flatMap((other) => catalogue.answersTo(other.name))
    .some((answer) => answer.kind === 'reversal' && Date.parse(answer.fields.settled_at ?? '') >= at);
}

/** A note as it is, and when its file was last changed (epoch ms). */
interface Seen {
  readonly note: NoteSnapshot;
  readonly mtimeMs: number;
}

function outcomeOf(space: Proposals, event: EventRecord, { note, mtimeMs }: Seen): HandOutcome['outcome'] | null {
  const acted = event.fields.undo_recipe !== null;
  const { words } = space.vault.catalogue;
  const said = handSays({ changes: event.fields.changes, acted }, { fields: note.data, isWhole: true, words });
  if (said === 'right') return 'right';
  const at = Date.parse(event.fields.timestamp);
  if (said === null || changedBy(space, mtimeMs, at) - at >= HAND_COUNTS_FOR) return null;
  return acted ? 'contradicted' : 'dismissed';
}

// By then the hand had done it at the latest, also where the program was away. An older file was brought back by nobody knows
// whom, and nobody knows when.
function changedBy({ context }: Proposals, mtimeMs: number, decided: number): number {
  return mtimeMs >= decided ? Math.min(mtimeMs, context.now()) : context.now();
}

/** Whether a note still holds what an action wrote into it. */
export function stands({ vault }: Records, { fields }: EventRecord, { data }: NoteSnapshot): boolean {
  const { words } = vault.catalogue;
  return handSays({ changes: fields.changes, acted: true }, { fields: data, isWhole: true, words }) === null;
}
