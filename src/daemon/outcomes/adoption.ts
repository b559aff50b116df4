import { randomUUID } from 'node:crypto';
import type { Answerable } from '../../undo/order.ts';
import { StewardError } from '../../vault/errors.ts';
import { saysItWaits } from '../../vault/index/index-keys.ts';
import type { VaultRecord } from '../../vault/index/record.ts';
import { adoptionSeal, isAnswerable } from '../../vault/index/seals.ts';
import { isSiblingType } from '../../vault/records/event.ts';
import { nameTimeExact } from '../../vault/time.ts';
import { followStep } from '../../vault/transaction/steps.ts';
import type { Context, WriteAccess } from '../context/ports.ts';
import { isFirstMeeting, rememberMeeting } from '../context/seal-key.ts';
import { stepsAlone } from '../runtime/each-alone.ts';

/**
 * Lets what waits in a vault, what has been answered there, and what can still be taken back, count as if it were the
 * program's own, the first time that this machine's key meets the vault: it may be from before notes were marked, or from
 * another machine. What such a note says of its sources is not believed, and what it gives back keeps to the rules of
 * writing, since anybody may have laid it there for this day. Whatever comes later without the mark is somebody else's.
 * Pauses after each note.
 */
export function* adoptEvents(space: WriteAccess): Generator<void> {
  const file = space.context.env.sealKey ?? null;
  if (file === null) return;
  const vault = { root: space.vault.root, id: identityOf(space.context) };
  if (isFirstMeeting(file, vault)) {
    const { catalogue } = space.vault;
    // One after the other: all of them parsed at once would be many times what is kept.
    yield* stepsAlone([...catalogue.pathsOf('event'), ...catalogue.pathsOf('reversal')], (path) => {
      const record = catalogue.get(path);
      if (isAnswerableKind(record) && stillCounts(space, record)) adoptOne(space, record);
    });
  }
  rememberMeeting(file, vault);
}

// One note that may not be marked does not keep the door open for what is laid there later: it stays without the mark.
function adoptOne(space: WriteAccess, event: Answerable): void {
  try {
    adopt(space, event);
  } catch (error) {
    if (!(error instanceof StewardError) || error.trouble.code !== 'no-permission') throw error;
  }
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

function isAnswerableKind(record: VaultRecord | undefined): record is Answerable {
  return record?.kind === 'event' || record?.kind === 'reversal';
}

// It waits, can still be taken back, or says what has become of another.
function stillCounts({ context }: WriteAccess, record: Answerable): boolean {
  if (record.kind === 'reversal') return record.fields.outcome !== null;
  const { fields } = record;
  const expires = Date.parse(fields.undo_recipe?.expires_at ?? '');
  return expires > context.now() || saysItWaits(fields) || isSiblingType(fields.type);
}

function adopt(space: WriteAccess, event: Answerable): void {
  if (isAnswerable(space.context.seal, event)) return;
  const mark = adoptionSeal(space.context.seal, event);
  // The mark of the machine that wrote it stays: there it is still its own.
  const step = followStep(space.notes, event.path, () => [{ op: 'add', field: 'adopted', members: [mark] }]);
  const id = `seal-${nameTimeExact(space.context.now())}-${event.name}`;
  if (step !== null) space.transactions.commit(id, [step]);
}
