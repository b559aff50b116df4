import { dueBy } from '../appointments/task-date.ts';
import type { TargetCandidate } from '../targets/target-index.ts';
import type { changeSaid } from './change-said.ts';
import { Remembered } from './remembered.ts';
import type { Suggestion } from './suggestion.ts';
import type { TaskWords } from './task-words.ts';

/** Suggestions that would set a task to the same, the surest first. */
export type Same = readonly [Suggestion, ...Suggestion[]];

/** How surely the mail says a change, whatever task it is of. */
type ChangeSaid = ReturnType<typeof changeSaid>;

/** What a mail may set a task to, with all that says so. */
export interface Choice {
  readonly set: Readonly<Record<string, string>>;
  readonly same: Same;
  readonly said: ChangeSaid;
  /** The numbers of `said`, in its order. */
  readonly saidValues: readonly number[];
  /** The new day (epoch ms); NaN for none. */
  readonly dayAt: number;
}

/** From here on the name of a task is surely about the end of something: what is cancelled is then done. */
const IS_ENDING = 0.5;

/** What a mail may set each of its tasks to. It is worked out once for all tasks of which the mail says the same. */
export class Choices {
  readonly #suggestions: readonly Suggestion[];
  readonly #saidOf: (same: Same) => ChangeSaid;
  readonly #saysDays: boolean;
  readonly #places: ReadonlyMap<Suggestion, number>;
  readonly #byTask = new Remembered<string, readonly Choice[]>();
  readonly #said = new Remembered<string, Pick<Choice, 'said' | 'saidValues'>>();

  constructor(suggestions: readonly Suggestion[], saidOf: (same: Same) => ChangeSaid) {
    this.#suggestions = suggestions;
    this.#saidOf = saidOf;
    this.#saysDays = suggestions.some(({ finding }) => finding.set.due !== undefined);
    this.#places = new Map(suggestions.map((each, at) => [each, at] as const));
  }

  /** Returns what a task may be set to. */
  for({ task, deeds }: TaskWords): readonly Choice[] {
    const isEnding = deeds.ending >= IS_ENDING;
    // The days of a task matter where the mail names a new one, and nowhere else.
    const days = this.#saysDays ? `${task.due} ${task.scheduled}` : '';
    return this.#byTask.of(`${isEnding} ${days}`, () => this.#choicesOf(task, isEnding));
  }

  #choicesOf(task: TargetCandidate, isEnding: boolean): readonly Choice[] {
    const fresh = this.#suggestions
      .map((suggestion) => ({ suggestion, set: setOf(suggestion, task, isEnding) }))
      .filter(({ set }) => !isAlreadySo(set, task));
    const bySet = Map.groupBy(fresh, ({ set }) => JSON.stringify(set));
    return [...bySet.values()].flatMap(([first, ...rest]) => {
      if (first === undefined) return [];
      const { suggestion, set } = first;
      const same: Same = [suggestion, ...rest.map((each) => each.suggestion)];
      const dayAt = suggestion.day === null ? Number.NaN : Date.parse(suggestion.day.slice(0, 10));
      return [{ set, same, dayAt, ...this.#saidIn(same) }];
    });
  }

  #saidIn(same: Same): Pick<Choice, 'said' | 'saidValues'> {
    return this.#said.of(same.map((each) => this.#places.get(each)).join(' '), () => {
      const said = this.#saidOf(same);
      return { said, saidValues: Object.values(said) };
    });
  }
}

/** A day that a task has is no new one: the mail confirms it, or reminds of it. */
function isAlreadySo({ due }: Choice['set'], task: TargetCandidate): boolean {
  const own = task.due ?? task.scheduled ?? '';
  return due !== undefined && own !== '' && own.slice(0, due.length) === due.slice(0, own.length);
}

/** "Cancel the broadband" is done, not called off, when it is cancelled; a task whose day has a time gets the new one with its time. */
function setOf(
  { effect, finding: { set, time } }: Suggestion,
  task: TargetCandidate,
  isEnding: boolean,
): Readonly<Record<string, string>> {
  if (effect === 'cancelled' && isEnding) return { state: 'done' };
  return set.due === undefined || time === undefined ? set : { ...set, due: dueBy(task, `${set.due}T${time}`) };
}
