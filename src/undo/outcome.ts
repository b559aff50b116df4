import type { Outcome, UndoRecipe } from '../vault/records/event.ts';

/** The facts that decide whether an event can be taken back at all. */
interface Reversible {
  /** Null where nothing was changed: a record in shadow, a proposal, a dismissal. */
  readonly recipe: UndoRecipe | null;
  /** Whether a reversal of it holds that is not itself reversed. */
  readonly reversed: boolean;
}

/** Returns why an event cannot be taken back, or null where its recipe is worth trying. `now` in epoch ms. */
export function refusal(event: Reversible | null, now: number): Outcome | null {
  if (event === null) return 'refused';
  if (event.recipe === null) return 'not-applied';
  if (event.reversed) return 'already-reversed';
  // An end that cannot be read counts as passed: the comparison is false.
  return now <= Date.parse(event.recipe.expires_at) ? null : 'expired';
}

/** Returns one sentence for an outcome, for the reversal note and the terminal. */
export function outcomeSentence(outcome: Outcome): string {
  switch (outcome) {
    case 'reversed':
      return 'The change was taken back: each field is as it was before it.';
    case 'conflict':
      return 'Nothing was changed: somebody has edited the same field since.';
    case 'expired':
      return 'Nothing was changed: the seven days for taking it back are over.';
    case 'already-reversed':
      return 'Nothing was changed: it had already been taken back.';
    case 'not-applied':
      return 'Nothing was changed: the event had not changed anything.';
    case 'refused':
      return 'Nothing was changed: there is no such event, or its recipe may not be carried out.';
  }
}
