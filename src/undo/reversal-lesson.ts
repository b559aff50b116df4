import { round4 } from '../steward/gates/rounding.ts';
import { calibrationFigures } from '../steward/learning/calibration.ts';
import { afterReversalUndone, type Instinct, withConfidence, withoutRight } from '../steward/learning/instinct.ts';
import { type Taught, teach } from '../steward/learning/lessons.ts';
import { teachOutcome } from '../steward/learning/outcomes.ts';
import type { EventRecord, ReversalRecord } from '../vault/index/record.ts';
import { stem } from '../vault/note-names.ts';
import { linkTo } from '../vault/notes/escape.ts';
import { channelOf, patternOf, sourceKey } from '../vault/source-names.ts';
import type { Answerable } from './order.ts';
import type { UndoSpace } from './undo-space.ts';

/**
 * Returns what the reversal of an event teaches the sources behind it. Reversing a reversal gives them back what the
 * first one took. `path` is the path of the reversal note, which the history names.
 */
export function reversalLesson(space: UndoSpace, event: Answerable, path: string): Taught {
  const at = space.context.now();
  const by = linkTo(stem(path));
  if (event.kind === 'reversal') return givenBack(space, event, { at, what: `given back by ${by}` });
  const lesson = { outcome: 'reversed', at, what: `taken back by ${by}` } as const;
  return teachOutcome(space, event.fields.source_contributions, lesson, wasRight(event) ? withoutRight : undefined);
}

/** Whether an event has counted as a right outcome: a confirmation does at once, an action once its week was over. */
function wasRight({ fields }: EventRecord): boolean {
  return fields.type.endsWith('-confirmed') || fields.taught === 'right';
}

// What a reversal moved is recorded in it: source → `before → after`.
function givenBack(space: UndoSpace, reversal: ReversalRecord, lesson: { at: number; what: string }) {
  const { calibration, observations } = reversal.fields;
  const sources = Object.keys(calibration);
  const counts = new Map(Object.entries(observations).map(([source, moved]) => [sourceKey(source), moved]));
  const moves = new Map(Object.entries(calibration).map(([source, moved]) => [sourceKey(source), moved]));
  const patterned = sources.filter((source) => patternOf(source) !== null);
  const bearing = new Set(bearersOf(space, reversal).map(sourceKey));
  // A channel that only followed its patterns has counted nothing itself.
  const followers = new Set(patterned.map((source) => sourceKey(channelOf(source))).filter((one) => !bearing.has(one)));
  const move = (instinct: Instinct) => {
    const key = sourceKey(instinct.source);
    const moved = calibrationFigures(moves.get(key) ?? '');
    if (moved === null) return instinct;
    const former = formerOf(instinct, moved);
    return followers.has(key)
      ? withConfidence(instinct, former)
      : undone(instinct, former, moved, calibrationFigures(counts.get(key) ?? ''));
  };
  return teach(space, sources, { ...lesson, move });
}

/** The sources that bore the event at the root of a row of reversals; none where that event is gone. */
function bearersOf(space: UndoSpace, reversal: ReversalRecord, seen: readonly string[] = []): string[] {
  const { reverses } = reversal.fields;
  const subject = reverses === null ? null : space.vault.catalogue.resolve(reverses, ['event', 'reversal']);
  if (subject?.kind === 'event') return Object.keys(subject.fields.source_contributions);
  if (subject?.kind !== 'reversal' || seen.includes(subject.path)) return [];
  return bearersOf(space, subject, [...seen, subject.path]);
}

interface Figures {
  readonly before: number;
  readonly after: number;
}

// The exact former confidence where nothing has moved it since; otherwise only the step itself is taken back.
function formerOf({ confidence }: Instinct, { before, after }: Figures): number {
  return confidence === after ? before : round4(confidence + before - after);
}

function undone(instinct: Instinct, former: number, moved: Figures, counted: Figures | null): Instinct {
  const given = afterReversalUndone(instinct, former);
  const observations = Math.max(0, instinct.observations + (counted === null ? 0 : counted.before - counted.after));
  // A step that raised the confidence had itself undone a reversal: that reversal holds again, and counts, and the source
  // owes what it owed.
  if (moved.before >= moved.after) return { ...given, observations };
  const [reversals, wrong] = [instinct.reversals + 1, instinct.wrong + 1];
  return { ...given, observations, reversals, wrong, wrongInARow: instinct.wrongInARow + 1, rightSinceReversal: 0 };
}
