import type { State } from '../vault/records/values.ts';
import type { GROUPS, PlaneState } from './answers.ts';

type Group = (typeof GROUPS)[number];

/** The groups that say the same as a state of a task, the one that is moved to first; none for what Plane has no word for. */
const SAME: Readonly<Record<State, readonly Group[]>> = {
  done: ['completed'],
  archived: ['cancelled'],
  open: ['unstarted', 'started', 'backlog'],
  snoozed: [],
};

/**
 * Returns the state that a work item is to be moved to; null where it says the same already, or the project has no such
 * state. `current`: the id of the state it is in.
 */
export function stateToMoveTo(states: readonly PlaneState[], current: string | null, task: State): string | null {
  const groups = SAME[task];
  const here = states.find(({ id }) => id === current)?.group ?? null;
  if (here !== null && groups.includes(here)) return null;
  const fitting = groups.flatMap((group) => states.filter((one) => one.group === group));
  return fitting[0]?.id ?? null;
}

/** Returns what the state of a work item says of its task; null where it says nothing that a task could follow. */
export function taskStateOf(states: readonly PlaneState[], id: string | null): 'done' | 'archived' | null {
  const group = states.find((one) => one.id === id)?.group;
  return group === 'completed' ? 'done' : group === 'cancelled' ? 'archived' : null;
}
