import { type Waiting, waitingIn } from '../../steward/attention-waiting.ts';
import type { Diagnostic } from '../../vault/errors.ts';
import { isUnknownEntry } from '../../vault/journal.ts';
import type { WriteAccess } from '../context.ts';
import { waitingUnfinished } from '../unfinished/unfinished.ts';

/** Returns everything that waits for the person. An unfinished action is one entry, and no problem besides. */
export function waitingNow(space: WriteAccess, trouble: readonly Diagnostic[]): Waiting[] {
  return waitingIn(space, {
    kept: space.context.state.get('kept'),
    trouble: trouble.filter((one) => !isUnknownEntry(one)),
    unfinished: waitingUnfinished(space),
  });
}
