import { type Calibration, recorded } from '../../steward/learning/calibration.ts';
import { type Answer, ONLY_ASKED } from '../../undo/order.ts';
import type { EventRecord } from '../../vault/index/record.ts';

/** Says that a proposal was confirmed or dismissed. `note`: the path of the answer note, or null in a dry run. */
export function carriedOut(
  event: EventRecord,
  outcome: 'confirmed' | 'dismissed',
  note: string | null,
  calibrations: readonly Calibration[],
): Answer {
  return {
    event: event.name,
    outcome,
    note,
    target: event.fields.target_path,
    changes: outcome === 'confirmed' ? event.fields.changes : {},
    calibration: recorded(calibrations).calibration,
    message: doneMessage(event, outcome),
    until: null,
  };
}

function doneMessage({ fields }: EventRecord, outcome: 'confirmed' | 'dismissed'): string {
  const proposes = Object.keys(fields.changes).length > 0;
  if (outcome === 'dismissed') return `${proposes ? 'The proposal' : 'It'} is closed; the note stays as it is.`;
  return proposes ? 'The change is made.' : 'It is settled; no change proposed.';
}

/** The same for a dry run. */
export function wouldCarryOut(event: EventRecord, outcome: 'confirmed' | 'dismissed'): Answer {
  return { ...carriedOut(event, outcome, null, []), message: ONLY_ASKED };
}

/** Says that the proposal no longer fits its note, and what the person can do next. */
export function conflict(event: EventRecord, reason: string, next: string): Answer {
  return unanswered(subjectOf(event), 'conflict', `Nothing was changed. ${reason} ${next}`);
}

/** Says that the event is no proposal that can still be answered. */
export function notOpen(event: EventRecord, reason: string): Answer {
  return unanswered(subjectOf(event), 'not-a-proposal', reason);
}

/** Says that the note is being edited; `until` is when to try again (epoch ms). */
export function beingEdited(event: EventRecord, until: number): Answer {
  const message = `${event.fields.target_path} is being edited; the answer is carried out as soon as the note is quiet.`;
  return unanswered(subjectOf(event), 'settling', message, until);
}

/** Says why an order was not carried out. `until` is when to try again (epoch ms), or null where that is pointless. */
export function unanswered(
  { event, target }: Pick<Answer, 'event' | 'target'>,
  outcome: Answer['outcome'],
  message: string,
  until: number | null = null,
): Answer {
  return { event, outcome, note: null, target, changes: {}, calibration: {}, message, until };
}

function subjectOf({ name, fields }: EventRecord): Pick<Answer, 'event' | 'target'> {
  return { event: name, target: fields.target_path };
}
