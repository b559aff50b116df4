import { StewardError, systemCode } from '../../vault/errors.ts';
import { atOnce } from '../../vault/slices.ts';

/**
 * Does some work for each item. One that fails holds up no other: the first failure is thrown when all have had their
 * turn, so that it is reported, and the work tried again.
 */
export function eachAlone<Item>(items: Iterable<Item>, work: (item: Item) => void): void {
  atOnce(stepsAlone(items, work));
}

/** Does the same, and pauses after each item. */
export function* stepsAlone<Item>(items: Iterable<Item>, work: (item: Item) => void): Generator<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      work(item);
    } catch (error) {
      if (systemCode(error) === null && !(error instanceof StewardError)) throw error;
      failures.push(error);
    }
    yield;
  }
  if (failures.length > 0) throw failures[0];
}
