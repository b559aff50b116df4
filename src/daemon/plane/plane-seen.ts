import type { PlaneAction } from '../../plane/order.ts';
import type { State } from '../context/state.ts';

/** Remembers the state that a work item was moved to by us, where the item is known. */
export function seenAs(state: State, { project_id: project, issue_id: item }: PlaneAction, now: string): void {
  const known = state.get('plane-seen')[project]?.items[item];
  if (known === undefined) return;
  known.state = now;
  state.touch('plane-seen', project);
}
