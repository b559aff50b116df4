import { stem } from '../../vault/note-names.ts';
import type { IndexAccess } from './ports.ts';
import type { StreamRead } from './remembered/stream-read.ts';
import type { State } from './state.ts';

/** How long the schedule of a removed matter is remembered, so that a note that comes back continues its schedule. */
const KEEP_SCHEDULE_MS = 30 * 24 * 60 * 60 * 1000;

/** So long it is known of a signal that its mail lies in the account. */
const KEEP_CLEARED_MS = 400 * 24 * 60 * 60 * 1000;

/**
 * Forgets what is remembered about notes and files that are gone, so that the state grows no larger than the vault.
 * Pauses after each part of it.
 */
export function* pruneState(space: IndexAccess): Generator<void> {
  const {
    vault,
    context: { state },
  } = space;
  const { now } = space.context;
  const isThere = (path: string) => vault.catalogue.saved.has(path); // without parsing any record
  const signals = new Set([...vault.catalogue.pathsOf('signal')].map(stem));
  const retired = state.get('retired');
  for (const name of gone(state.get('weighed'), (name) => signals.has(name) || retired[name] !== undefined))
    state.touch('weighed', name);
  yield;
  const isYoung = ({ at }: StreamRead) => Math.abs(now() - at) < KEEP_SCHEDULE_MS;
  for (const file of gone(state.get('streams'), (file, read) => vault.streams.has(file) || isYoung(read)))
    state.touch('streams', file);
  yield;
  for (const file of gone(state.get('cleared'), (_, at) => now() - at <= KEEP_CLEARED_MS)) state.touch('cleared', file);
  for (const key of gone(state.get('guarded'), (_, until) => until >= now())) state.touch('guarded', key);
  yield;
  for (const path of gone(state.get('cursors'), isThere)) state.touch('cursors', path);
  yield;
  const isKept = ({ path, last }: { path: string; last: number | null }) =>
    isThere(path) || (last !== null && now() - last < KEEP_SCHEDULE_MS);
  for (const name of gone(state.get('schedules'), (_, known) => isKept(known))) state.touch('schedules', name);
  yield;
  for (const path of gone(state.get('perceived'), isThere)) state.touch('perceived', path);
  yield;
  for (const path of gone(state.get('touched'), isThere)) state.touch('touched', path);
  yield;
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

/** Deletes what is not wanted, and returns the keys of it. */
function gone<Value>(record: Record<string, Value>, wanted: (key: string, value: Value) => boolean): string[] {
  const over = Object.keys(record).filter((key) => {
    const value = record[key];
    return value !== undefined && !wanted(key, value);
  });
  for (const key of over) delete record[key];
  return over;
}
