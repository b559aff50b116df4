import { fileName } from '../../steward/learning/instinct-note.ts';
import { figuresIn, lessonStep } from '../../steward/learning/lessons.ts';
import { instinctAsLeft, instinctFrom } from '../../steward/learning/sources.ts';
import { nameTimeExact } from '../../vault/time.ts';
import type { WriteAccess } from '../context/ports.ts';

/**
 * Updates an instinct note after a person set or removed its pin: a pruned source that is pinned counts again, and a
 * pin of the program that was removed is no longer the program's. Returns when to try again (epoch ms) where the note
 * is being edited, else null.
 */
export function handlePin(space: WriteAccess, path: string): number | null {
  const record = space.vault.catalogue.get(path);
  const note = record?.kind === 'instinct' ? space.notes.fresh(path) : null;
  if (record?.kind !== 'instinct' || note === null) return null;
  space.transactions.finishHeldUp();
  const source = record.fields.source_type ?? record.name;
  const fields = figuresIn(note);
  if (fields === null) return null;
  const instinct = instinctFrom(fields, source);
  const what = instinct.pinned ? 'pinned by hand: heard again' : 'the pin was taken away by hand';
  const left = instinctAsLeft(fields, source);
  const step = lessonStep(space, note, left, { at: space.context.now(), what, move: () => instinct });
  if (step === null) return null;
  if (note.settledAt > space.context.now()) return note.settledAt;
  const id = `instinct-${nameTimeExact(space.context.now())}-${fileName(source)}`;
  space.transactions.commit(id, [step]);
  return null;
}
