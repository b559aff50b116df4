import { fileName } from '../../steward/learning/instinct-note.ts';
import { figuresIn, lessonStep } from '../../steward/learning/lessons.ts';
import { instinctAsLeft, instinctFrom, isOfOldRule } from '../../steward/learning/sources.ts';
import { sourceOf } from '../../vault/index/index-keys.ts';
import { nameTimeExact } from '../../vault/time.ts';
import type { WriteAccess } from '../context/ports.ts';

/**
 * Brings an instinct note up to date with what a person did to its pin: a pruned source that is pinned counts again, and
 * a pin that was removed stays away. A note of before only outcomes taught is carried over (contract, section 7).
 * Returns when to try again (epoch ms) where the note is being edited, else null.
 */
export function followInstinct(space: WriteAccess, path: string): number | null {
  const record = space.vault.catalogue.get(path);
  const note = record?.kind === 'instinct' ? space.notes.fresh(path) : null;
  if (record?.kind !== 'instinct' || note === null) return null;
  space.transactions.finishHeldUp([path]);
  const fields = figuresIn(note);
  if (fields === null) return null;
  const source = sourceOf(record);
  const instinct = instinctFrom(fields, source);
  const left = instinctAsLeft(fields, source);
  // The history shows what the note said, not what is read out of it.
  const isOld = isOfOldRule(fields);
  const before = isOld ? { ...left, confidence: fields.confidence ?? left.confidence } : left;
  const pin = instinct.pinned ? 'pinned by hand: heard again' : 'the pin was taken away by hand';
  const what = isOld ? 'carried over: from now on only what you confirm, dismiss, do or take back teaches' : pin;
  const step = lessonStep(space, note, before, { at: space.context.now(), what, move: () => instinct });
  if (step === null) return null;
  if (note.settledAt > space.context.now()) return note.settledAt;
  const id = `instinct-${nameTimeExact(space.context.now())}-${fileName(source)}`;
  space.transactions.commit(id, [step]);
  return null;
}
