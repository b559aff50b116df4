import { stem } from '../../vault/note-names.ts';
import type { IndexAccess } from './ports.ts';

/** How long the schedule of a removed matter is remembered, so that a note that comes back continues its schedule. */
const KEEP_SCHEDULE_MS = 30 * 24 * 60 * 60 * 1000;

/** Forgets what is remembered about notes and files that are gone, so that the state grows no larger than the vault. */
export function pruneState(space: IndexAccess): void {
  const {
    vault,
    context: { state },
  } = space;
  const signals = new Set([...vault.catalogue.pathsOf('signal')].map(stem));
  const retired = state.get('retired');
  keep(state.get('weighed'), (name) => signals.has(name) || retired[name] !== undefined);
  keep(state.get('streams'), (file, { at }) => vault.streams.has(file) || space.context.now() - at < KEEP_SCHEDULE_MS);
  keep(state.get('guarded'), (_, until) => until >= space.context.now());
  keep(state.get('cursors'), (path) => vault.catalogue.get(path) !== undefined);
  keep(state.get('perception').notes, (path) => vault.catalogue.get(path) !== undefined);
  keep(state.get('perception').touched, (path) => vault.catalogue.get(path) !== undefined);
  state.set(
    'moves',
    vault.catalogue.moves.toRecord((path) => vault.catalogue.get(path) !== undefined),
  );
  keep(state.get('schedules'), (_, { path, last }) => {
    return vault.catalogue.get(path) !== undefined || (last !== null && space.context.now() - last < KEEP_SCHEDULE_MS);
  });
  for (const name of ['weighed', 'streams', 'guarded', 'cursors', 'perception', 'schedules'] as const)
    state.touch(name);
}

function keep<Value>(record: Record<string, Value>, wanted: (key: string, value: Value) => boolean): void {
  for (const [key, value] of Object.entries(record)) if (!wanted(key, value)) delete record[key];
}
