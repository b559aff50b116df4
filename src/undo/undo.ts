import { NOTHING_TAUGHT } from '../steward/learning/lessons.ts';
import { answerOf } from '../steward/proposals/proposal-status.ts';
import type { Step } from '../vault/transaction/intent.ts';
import { textStep } from '../vault/transaction/steps.ts';
import { assessUndo, currentRecipe, type UndoAssessment } from './assessment.ts';
import { type Answer, type Answerable, ONLY_ASKED, type UndoOrder } from './order.ts';
import { reversalLesson } from './reversal-lesson.ts';
import { type AssessedOrder, reversalPath, reversalStep } from './reversal-note.ts';
import { settlingUntil } from './settling.ts';
import { settlingAnswer, undoAnswer } from './undo-answer.ts';
import type { UndoSpace } from './undo-space.ts';

/**
 * Takes an event back, or says why not, and leaves one reversal note either way (contract, section 8). Only `reversed`
 * teaches the sources. While somebody is editing the note, nothing is written and the answer says when to try again.
 */
export function undo(space: UndoSpace, order: UndoOrder): Answer {
  const subject = order.event === null ? null : changingEvent(space, order.event);
  const answer = space.transactions.attempt(concerned(space, subject, order), () => {
    const assessment = assessUndo(space, subject, order.force);
    const until = settlingUntil(space, assessment, subject, order);
    return until === null ? carryOut(space, { order, subject, assessment }) : settlingAnswer(order, subject, until);
  });
  return answer ?? settlingAnswer(order, subject, space.context.now() + 1000);
}

function concerned(space: UndoSpace, subject: Answerable | null, { file }: UndoOrder): string[] {
  const target = currentRecipe(space, subject)?.vault_patch.target;
  return [target, subject?.path, file?.path].filter((path) => path !== undefined);
}

/** Returns what an undo would do, as an answer without a note. Changes nothing. */
export function previewUndo(space: UndoSpace, event: Answerable, force: boolean): Answer {
  const subject = changingEvent(space, event);
  const assessment = assessUndo(space, subject, force);
  const answer = undoAnswer(event, subject, assessment, null, []);
  return assessment.outcome === 'reversed' ? { ...answer, message: ONLY_ASKED } : answer;
}

// A confirmed proposal is undone by undoing its confirmation: that is where the change was made.
function changingEvent(space: UndoSpace, event: Answerable): Answerable {
  if (event.kind !== 'event' || event.fields.undo_recipe !== null) return event;
  const answer = answerOf(space, event);
  return answer?.fields.undo_recipe ? answer : event;
}

/**
 * Writes the note, the reversal note and the lesson in one transaction; null where one of them has changed meanwhile.
 */
function carryOut(space: UndoSpace, assessed: AssessedOrder): Answer | null {
  const { order, subject, assessment } = assessed;
  const path = reversalPath(space, assessed);
  const isReversed = assessment.outcome === 'reversed' && subject !== null;
  const taught = isReversed ? reversalLesson(space, subject, path) : NOTHING_TAUGHT;
  const reversal = reversalStep(space, assessed, path, taught.calibrations);
  if (reversal === null) return null;
  const steps: Step[] = [...noteSteps(assessment), reversal, ...taught.steps];
  if (!space.transactions.commit(reversal.path, steps)) return null;
  const answer = undoAnswer(order.event, subject, assessment, reversal.path, taught.calibrations);
  space.context.emit({
    what: 'reversed',
    event: answer.event,
    outcome: assessment.outcome,
    target: answer.target ?? '',
    calibration: answer.calibration,
  });
  return answer;
}

function noteSteps({ note, text }: UndoAssessment): Step[] {
  return note === null || text === null || text === note.text ? [] : [textStep(note.path, note.text, text)];
}
