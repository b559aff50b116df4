import type { State } from '../../vault/records/values.ts';

/** `moves` may be decided, `reopens` only proposed, `forbidden` neither; `stays` changes nothing. */
type Transition = 'stays' | 'moves' | 'reopens' | 'forbidden';

const DECIDED: Readonly<Record<State, readonly State[]>> = {
  open: ['snoozed', 'done', 'archived'],
  snoozed: ['open', 'done', 'archived'],
  done: ['archived'],
  archived: [],
};

/** Contract, section 16: open ↔ snoozed, open or snoozed → done or archived, done → archived; reopening is only proposed. */
export function transition(from: State, to: State): Transition {
  if (from === to) return 'stays';
  if (DECIDED[from].includes(to)) return 'moves';
  return to === 'open' ? 'reopens' : 'forbidden';
}
