import { round4 } from '../steward/gates/rounding.ts';
import { calibrationFigures } from '../steward/learning/calibration.ts';
import { afterObservation, afterReversal, afterReversalUndone, type Instinct } from '../steward/learning/instinct.ts';
import { type Taught, teach } from '../steward/learning/lessons.ts';
import type { EventRecord } from '../vault/index/record.ts';
import { stem } from '../vault/note-names.ts';
import { linkTo } from '../vault/notes/escape.ts';
import type { Answerable } from './order.ts';
import type { UndoSpace } from './undo-space.ts';

/**
 * Returns what the reversal of an event teaches the sources behind it. Reversing a reversal gives them back what the
 * first one took. `path` is the path of the reversal note, which the history names.
 */
export function reversalLesson(space: UndoSpace, event: Answerable, path: string): Taught {
  const at = space.context.now();
  const by = linkTo(stem(path));
  if (event.kind === 'reversal') {
    const { calibration } = event.fields;
    const observations = new Map(Object.entries(event.fields.observations));
    const move = (instinct: Instinct) =>
      uncalibrated(instinct, calibration[instinct.source] ?? '', observations.get(instinct.source) ?? '');
    return teach(space, Object.keys(calibration), { at, what: `given back by ${by}`, move });
  }
  const move = (instinct: Instinct) => unobserved(afterReversal(instinct, at), event);
  return teach(space, Object.keys(event.fields.source_contributions), { at, what: `taken back by ${by}`, move });
}

// A confirmation counted as an observation at once. An action counted if its undo window was already taken as closed,
// which a clock that runs ahead can do too early.
function unobserved(instinct: Instinct, { fields }: EventRecord): Instinct {
  const closes = Date.parse(fields.undo_recipe?.expires_at ?? '');
  const wasCounted =
    fields.type.endsWith('-confirmed') || closes <= (instinct.countedUntil ?? Number.NEGATIVE_INFINITY);
  return wasCounted ? afterObservation(instinct, -1) : instinct;
}

// Gives back the exact former confidence where nothing has moved it since. Otherwise only the step itself is taken
// back.
function uncalibrated(before: Instinct, calibration: string, observations: string): Instinct {
  const confidence = calibrationFigures(calibration);
  if (confidence === null) return before;
  const observed = calibrationFigures(observations);
  const instinct = observed === null ? before : afterObservation(before, observed.before - observed.after);
  const isUnmoved = instinct.confidence === confidence.after;
  const former = isUnmoved ? confidence.before : instinct.confidence + confidence.before - confidence.after;
  const undone = afterReversalUndone(instinct, round4(former));
  // A step that raised the confidence had itself undone a reversal: that reversal holds again, and counts.
  return confidence.before < confidence.after ? { ...undone, reversals: instinct.reversals + 1 } : undone;
}
