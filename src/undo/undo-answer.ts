import { type Calibration, recorded } from '../steward/learning/calibration.ts';
import { stem } from '../vault/note-names.ts';
import { shown } from '../vault/notes/note-text.ts';
import { briefConflicts, changesMade, type UndoAssessment } from './assessment.ts';
import { type Answer, type Answerable, targetOf, type UndoOrder } from './order.ts';
import { outcomeSentence } from './outcome.ts';

/**
 * Returns the answer to an order: how taking `subject` back ended, or would end. `event` is the event the person named,
 * `note` the reversal note's path, null where none was written.
 */
export function undoAnswer(
  event: Answerable | null,
  subject: Answerable | null,
  assessment: UndoAssessment,
  note: string | null,
  calibrations: readonly Calibration[],
): Answer {
  const { outcome, why } = assessment;
  const conflicts = briefConflicts(assessment).map(
    ({ field, wrote, found }) => `${field} now holds ${shown(found)}, the steward had written ${shown(wrote)}.`,
  );
  return {
    event: event?.name ?? '(none)',
    outcome,
    note,
    target: subject === null ? null : targetOf(subject),
    changes: changesMade(assessment),
    calibration: recorded(calibrations).calibration,
    message: [outcomeSentence(outcome), ...(why === null ? [] : [why]), ...conflicts].join(' '),
    until: null,
  };
}

/** Returns the answer to an order that waits until the note has been quiet. `until`: when to try again, epoch ms. */
export function settlingAnswer(order: UndoOrder, subject: Answerable | null, until: number): Answer {
  const target = subject === null ? null : targetOf(subject);
  return {
    event: order.event?.name ?? stem(order.file?.path ?? ''),
    outcome: 'settling',
    note: null,
    target,
    changes: {},
    calibration: {},
    message: `${target ?? 'The note'} is being edited; the change is taken back as soon as the note is quiet.`,
    until,
  };
}
