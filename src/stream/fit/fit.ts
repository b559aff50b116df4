import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import { dueBy } from '../appointments/task-date.ts';
import type { TargetCandidate, TargetIndex } from '../targets/target-index.ts';
import { likelihood, treesScore } from '../trained/boosted-trees.ts';
import type { TrainedReader } from '../trained/trained-reader.ts';
import { candidatePool } from './candidate-pool.ts';
import { hear, topicsOf } from './heard.ts';
import { mailOf, type Pair, pairsOf } from './pair-features.ts';
import type { Found, Suggestion } from './suggestion.ts';
import { suggestionsIn } from './suggestions.ts';

/** A change that an event may mean for a task, and how likely it is that it does. */
export interface Fitted {
  readonly suggestion: Suggestion;
  readonly task: TargetCandidate;
  /** What the task would be set to. */
  readonly set: Readonly<Record<string, string>>;
  /** 0–1. */
  readonly likelihood: number;
}

/** A suggestion with every open task that it may mean. */
export interface Paired {
  readonly suggestion: Suggestion;
  readonly pairs: readonly (Pair & { readonly set: Fitted['set'] })[];
}

/** From here on the name of a task is surely about the end of something: what is cancelled is then done. */
const IS_ENDING = 0.5;

/** Returns what the sentences of an event may say, each with the tasks that it may mean. */
export function pairedIn(
  event: StreamEvent,
  index: TargetIndex,
  found: Found,
  reader: TrainedReader,
): readonly Paired[] {
  const all = hear(event, found.read, reader);
  const suggestions = suggestionsIn(all, found);
  if (suggestions.length === 0) return [];
  const known = new Map<string, ReturnType<typeof topicsOf>>();
  const topics = (name: string) => {
    const found = known.get(name) ?? topicsOf(name, reader);
    known.set(name, found);
    return found;
  };
  const mail = mailOf(event, index, all, candidatePool(event, index), topics);
  return suggestions.map((suggestion) => {
    const pairs = pairsOf(suggestion, mail).map((pair) => ({
      ...pair,
      set: setOf(suggestion, pair.task, topics(pair.task.name).ending),
    }));
    return { suggestion, pairs };
  });
}

/** Returns for each suggestion its tasks, likeliest first. */
export function fittedIn(paired: readonly Paired[], { fit }: TrainedReader): readonly (readonly Fitted[])[] {
  return paired.map(({ suggestion, pairs }) =>
    pairs
      .map(({ task, set, values }) => ({ suggestion, task, set, likelihood: likelihood(treesScore(fit, values)) }))
      .toSorted((one, other) => other.likelihood - one.likelihood),
  );
}

/** "Cancel the broadband" is done, not called off, when it is cancelled; a task whose day has a time gets the new one with its time. */
function setOf({ effect, finding: { set, time } }: Suggestion, task: TargetCandidate, ending: number): Fitted['set'] {
  if (effect === 'cancelled' && ending >= IS_ENDING) return { state: 'done' };
  return set.due === undefined || time === undefined ? set : { ...set, due: dueBy(task, `${set.due}T${time}`) };
}
