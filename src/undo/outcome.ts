import type { Outcome, UndoRecipe } from '../vault/records/event.ts';

/** What an event is to somebody who wants it taken back, as its note and the notes that answer it tell. */
interface Reversible {
  /** Null where nothing was changed: a record in shadow, a proposal, a dismissal. */
  readonly recipe: UndoRecipe | null;
  /** Whether a reversal of it stands, not itself reversed. */
  readonly reversed: boolean;
}

/** Why an event cannot be taken back, or null where its recipe is to be tried. `now` in epoch ms. */
export function refusal(event: Reversible | null, now: number): Outcome | null {
  if (event === null) return 'refused';
  if (event.recipe === null) return 'not-applied';
  if (event.reversed) return 'already-reversed';
  // An end that cannot be read is over.
  return now <= Date.parse(event.recipe.expires_at) ? null : 'expired';
}

/** One sentence for an outcome, as it stands in the reversal note and on the terminal. */
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
