import type { State } from '../../vault/records/values.ts';

/** `moves` may be decided, `reopens` only proposed, `forbidden` neither; `stays` changes nothing. */
type Transition = 'stays' | 'moves' | 'reopens' | 'forbidden';

const MOVES: Readonly<Record<State, readonly State[]>> = {
  open: ['snoozed', 'done', 'archived'],
  snoozed: ['open', 'done', 'archived'],
  done: ['archived'],
  archived: [],
};

/**
 * Returns what a step from one state to another is (contract, section 16): open ↔ snoozed, open or snoozed → done or
 * archived, and done → archived may be decided; reopening is only proposed.
 */
export function transition(from: State, to: State): Transition {
  if (from === to) return 'stays';
  if (MOVES[from].includes(to)) return 'moves';
  return to === 'open' ? 'reopens' : 'forbidden';
}
