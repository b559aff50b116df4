import { EXIT, StewardError } from '../../../vault/errors.ts';
import { editFields } from '../../../vault/frontmatter.ts';
import { nameTimeExact } from '../../../vault/time.ts';
import { textStep } from '../../../vault/transaction/steps.ts';
import type { WriteAccess } from '../../context.ts';
import { knownNote } from '../../source-orders.ts';

interface PauseOrder {
  readonly name: string;
  readonly paused: boolean;
}

/**
 * Sets `paused` in the note of a source, and changes no other byte. Returns whether it was otherwise before. Throws
 * `source-unknown`, the trouble of a note that cannot be read or edited, and `source-changed` (75) where somebody is writing it.
 */
export function pauseSource(space: WriteAccess, { name, paused }: PauseOrder): { readonly changed: boolean } {
  const { path, settings } = knownNote(space, name);
  if (settings.paused === paused) return { changed: false };
  const done = space.transactions.attempt([path], () => withPause(space, path, paused));
  if (done !== null) return { changed: done };
  const message = `Somebody else is writing ${path}.`;
  throw new StewardError(
    { code: 'source-changed', file: path, message, hint: 'Try again in a moment.' },
    EXIT.tryAgain,
  );
}

function withPause(space: WriteAccess, path: string, paused: boolean): boolean | null {
  const note = space.notes.fresh(path);
  if (note === null) return null;
  if (note.refusal !== null) throw note.refusal;
  const { changed, text } = editFields(path, note.text, [{ op: 'set', field: 'paused', value: paused }]);
  const id = `source-pause-${nameTimeExact(space.context.now())}`;
  if (!changed) return false;
  return space.transactions.commit(id, [textStep(path, note.text, text)]) ? true : null;
}
