import { randomUUID } from 'node:crypto';
import { isOpen } from '../../steward/proposals/proposal-status.ts';
import type { Answerable } from '../../undo/order.ts';
import { StewardError } from '../../vault/errors.ts';
import { adoptionSeal, isAnswerable } from '../../vault/index/seals.ts';
import { nameTimeExact } from '../../vault/time.ts';
import { followStep } from '../../vault/transaction/steps.ts';
import type { Context, WriteAccess } from '../context/ports.ts';
import { isFirstMeeting, rememberMeeting } from '../context/seal-key.ts';
import { eachAlone } from '../runtime/each-alone.ts';

/**
 * Lets what waits in a vault, and what can still be taken back there, be answered as if it were the program's own, the
 * first time that this machine's key meets the vault: it may be from before notes were marked, or from another machine.
 * What such a note says of its sources is not believed, since anybody may have laid it there for this day. Whatever comes
 * later without the mark is somebody else's.
 */
export function adoptEvents(space: WriteAccess): void {
  const file = space.context.env.sealKey ?? null;
  if (file === null) return;
  const vault = { root: space.vault.root, id: identityOf(space.context) };
  if (isFirstMeeting(file, vault)) {
    const { catalogue } = space.vault;
    const found = [...catalogue.events(), ...catalogue.reversals()].filter((event) => mayBeAnswered(space, event));
    adoptEach(space, found);
  }
  rememberMeeting(file, vault);
}

// One note that may not be marked does not keep the door open for what is laid there later: it stays without the mark.
function adoptEach(space: WriteAccess, found: readonly Answerable[]): void {
  eachAlone(found, (event) => {
    try {
      adopt(space, event);
    } catch (error) {
      if (!(error instanceof StewardError) || error.trouble.code !== 'no-permission') throw error;
    }
  });
}

// What the vault remembers of itself moves along with it.
function identityOf({ state }: Context): string {
  const known = state.get('identity');
  if (known.id === '') {
    state.set('identity', { id: randomUUID() });
    state.save('identity');
  }
  return state.get('identity').id;
}

function mayBeAnswered(space: WriteAccess, event: Answerable): boolean {
  if (isAnswerable(space.context.seal, event)) return false;
  const expires = Date.parse(event.fields.undo_recipe?.expires_at ?? '');
  return expires > space.context.now() || (event.kind === 'event' && isOpen(space, event));
}

function adopt(space: WriteAccess, event: Answerable): void {
  const seal = adoptionSeal(space.context.seal, event);
  const step = followStep(space.notes, event.path, () => [{ op: 'set', field: 'seal', value: seal }]);
  const id = `seal-${nameTimeExact(space.context.now())}-${event.name}`;
  if (step !== null) space.transactions.commit(id, [step]);
}
