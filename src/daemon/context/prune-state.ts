import type { IndexAccess } from './ports.ts';
import type { StreamRead } from './remembered/stream-read.ts';
import type { Name } from './remembered/values.ts';
import type { State } from './state.ts';

/** How long the schedule of a removed matter is remembered, so that a note that comes back continues its schedule. */
const KEEP_SCHEDULE_MS = 30 * 24 * 60 * 60 * 1000;

/** So long it is known of a signal that its mail lies in the account. */
const KEEP_CLEARED_MS = 400 * 24 * 60 * 60 * 1000;

/**
 * Forgets what is remembered about notes and files that are gone, so that the state grows no larger than the vault.
 * Pauses after each entry.
 */
export function* pruneState(space: IndexAccess): Generator<void> {
  const {
    vault,
    context: { state },
  } = space;
  const { now } = space.context;
  const isThere = (path: string) => vault.catalogue.saved.has(path); // without parsing any record
  const retired = state.get('retired');
  const isSignal = (name: string) => vault.catalogue.named(name).some(({ kind }) => kind === 'signal');
  yield* forget(state, 'weighed', state.get('weighed'), (name) => retired[name] === undefined && !isSignal(name));
  const isYoung = ({ at }: StreamRead) => Math.abs(now() - at) < KEEP_SCHEDULE_MS;
  yield* forget(state, 'streams', state.get('streams'), (file, read) => !vault.streams.has(file) && !isYoung(read));
  yield* forget(state, 'cleared', state.get('cleared'), (_, at) => now() - at > KEEP_CLEARED_MS);
  yield* forget(state, 'guarded', state.get('guarded'), (_, until) => until < now());
  yield* forget(state, 'cursors', state.get('cursors'), (path) => !isThere(path));
  const isKept = ({ path, last }: { path: string; last: number | null }) =>
    isThere(path) || (last !== null && now() - last < KEEP_SCHEDULE_MS);
  yield* forget(state, 'schedules', state.get('schedules'), (_, known) => !isKept(known));
  yield* forget(state, 'perceived', state.get('perceived'), (path) => !isThere(path));
  yield* forget(state, 'touched', state.get('touched'), (path) => !isThere(path));
  followMoves(state, vault.catalogue.moves.toRecord(isThere));
}

// A note that was gone may be back, and the moves that lead to it with it.
function followMoves(state: State, moves: Readonly<Record<string, string>>): void {
  const known = state.get('moves');
  const wanted = new Map(Object.entries(moves));
  for (const former of new Set([...Object.keys(known), ...wanted.keys()])) {
    const to = wanted.get(former);
    if (known[former] === to) continue;
    if (to === undefined) delete known[former];
    else known[former] = to;
    state.touch('moves', former);
  }
}

/** Deletes of the entries under a name what is over, and pauses after each. */
function* forget<Value>(
  state: State,
  name: Name,
  entries: Record<string, Value>,
  isOver: (key: string, value: Value) => boolean,
): Generator<void> {
  for (const key of state.keysOf(name)) {
    const value = entries[key];
    if (value !== undefined && isOver(key, value)) {
      delete entries[key];
      state.touch(name, key);
    }
    yield;
  }
}
