import type { PlaneAction } from '../../plane/order.ts';
import type { Calibration } from '../../steward/learning/calibration.ts';
import { NOTHING_TAUGHT, type Taught } from '../../steward/learning/lessons.ts';
import { teachOutcome } from '../../steward/learning/outcomes.ts';
import type { EventRecord } from '../../vault/index/record.ts';
import { stem } from '../../vault/note-names.ts';
import { linkTo } from '../../vault/notes/escape.ts';
import type { UndoRecipe } from '../../vault/records/event.ts';
import type { EditStep } from '../../vault/transaction/intent.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import type { Becoming } from '../../vault/words/becoming.ts';
import { closingStep } from '../attention/flags.ts';
import { modeOf } from '../context/effective-mode.ts';
import { eventTarget } from '../context/event-target.ts';
import type { WriteAccess } from '../context/ports.ts';
import { stampSteps } from '../decide/signal-stamps.ts';
import { planeActionFor } from '../plane/plane-action.ts';
import { answerNotePath, answerNoteStep } from './answer-note.ts';
import type { AnswerOrder } from './answer-order.ts';

/** What an answer changes, and what it teaches the sources behind the proposal. */
interface AnswerAction {
  readonly what: 'confirmed' | 'dismissed';
  /** The edit of the note that the proposal is about; empty where that note stays as it is. */
  readonly edits: readonly EditStep[];
  /** How the change is taken back; null for a dismissal. */
  readonly recipe: UndoRecipe | null;
  /** Whether the note's flag is taken away. */
  readonly cleared: boolean;
}

/** What was written: the answer note's path, and how far each source moved. */
interface CommittedAnswer {
  readonly path: string;
  readonly calibrations: readonly Calibration[];
}

/**
 * Publishes an answer as one transaction: the edit of the note, which decides, then the answer note, the stamps in the
 * signals and the lesson for the sources. Returns null where a note changed in between: then nothing was written.
 */
export function commitAnswer(space: WriteAccess, order: AnswerOrder, action: AnswerAction): CommittedAnswer | null {
  const { event, by, file } = order;
  const { what, edits, recipe, cleared } = action;
  const now = space.context.now();
  const path = answerNotePath(space.transactions, { event, what, file, now });
  const { calibrations, steps: lesson } = lessonOf(space, event, { ...action, path, now });
  const plane = edits.length === 0 ? null : confirmedToPlane(space, event);
  const note = answerNoteStep(space, path, { event, what, by, file, now, recipe, plane, calibrations, cleared });
  if (note === null) return null;
  const status = what === 'confirmed' ? 'applied' : 'skipped';
  const stamps = stampSteps(space.notes, signalPaths(space.vault, event), path, now, status);
  // A person may still be writing in the note whose box they ticked: that one is closed when it has been quiet.
  const closing = by === 'checkbox' ? null : closingStep(space, event, what, answeredBy(path, now, action));
  const following = closing === null ? stamps : [closing, ...stamps];
  return space.transactions.commit(path, [...edits, note, ...following, ...lesson]) ? { path, calibrations } : null;
}

function answeredBy(path: string, at: number, { what, recipe }: AnswerAction): Becoming {
  const by = stem(path);
  if (what === 'dismissed') return { kind: 'dismissed', by, at };
  return { kind: 'confirmed', by, at, until: recipe === null ? null : Date.parse(recipe.expires_at) };
}

// What is confirmed in shadow stays in the vault.
function confirmedToPlane(space: WriteAccess, event: EventRecord): PlaneAction | null {
  const target = modeOf(space.context, null) === 'shadow' ? null : eventTarget(space.vault, event);
  return target === null ? null : planeActionFor(space, target, event.fields.changes);
}

// To have seen a question to is no judgement of who raised it.
function lessonOf(
  space: WriteAccess,
  { fields }: EventRecord,
  { what, path, now }: Pick<AnswerAction, 'what'> & { path: string; now: number },
): Taught {
  if (Object.keys(fields.changes).length === 0) return NOTHING_TAUGHT;
  const outcome = what === 'confirmed' ? 'right' : 'dismissed';
  return teachOutcome(space, fields.source_contributions, {
    outcome,
    at: now,
    what: `${what} in ${linkTo(stem(path))}`,
  });
}

function signalPaths(vault: Vault, event: EventRecord): { path: string }[] {
  return event.fields.signals.flatMap((link) => {
    const signal = vault.catalogue.resolve(link, ['signal']);
    return signal?.kind === 'signal' ? [{ path: signal.path }] : [];
  });
}
