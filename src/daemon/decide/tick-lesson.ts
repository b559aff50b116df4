import { afterSignal, afterTick, type Instinct } from '../../steward/learning/instinct.ts';
import { type Classroom, type Taught, teach } from '../../steward/learning/lessons.ts';
import { knownInstincts } from '../../steward/learning/sources.ts';
import { sourceKey, stem } from '../../vault/note-names.ts';
import { linkTo } from '../../vault/notes/escape.ts';
import type { Decision } from './decision.ts';

/**
 * Returns what a decision in a live mode teaches (contract, sections 7 and 16). After an evaluated tick the sources
 * that contribute to the conclusion move by the average, and pending sources count the tick. A signal that was acted
 * upon alone is no tick: it moves no average, and only shows that its source gives signals. Only the notes of sources
 * that move or are pending are touched; `now` in epoch ms.
 */
export function tickLesson(space: Classroom, decision: Decision, event: string, now: number): Taught {
  const gave = new Set(decision.signals.map(({ sourceType }) => sourceKey(sourceType)));
  const pending = knownInstincts(space).filter(({ status }) => status === 'pending');
  const lesson = { at: now, what: `weighed in ${linkTo(stem(event))}` };
  if (decision.type === 'signal-action') {
    const first = pending.filter(({ source }) => gave.has(sourceKey(source)));
    return teach(space, first.map(nameOf), { ...lesson, move: afterSignal });
  }
  // A source that an evaluator names and that gave no signal is not taught by it.
  const contributors = Object.entries(decision.contributions).filter(([source]) => gave.has(sourceKey(source)));
  const shares = new Map(contributors.map(([source, share]) => [sourceKey(source), share]));
  const move = (instinct: Instinct) => {
    const key = sourceKey(instinct.source);
    return afterTick(instinct, shares.get(key) ?? null, gave.has(key));
  };
  return teach(space, [...contributors.map(([source]) => source), ...pending.map(nameOf)], { ...lesson, move });
}

function nameOf({ source }: Instinct): string {
  return source;
}
