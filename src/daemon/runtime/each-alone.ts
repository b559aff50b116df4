import { StewardError, systemCode } from '../../vault/errors.ts';

/**
 * Does some work for each item. One that fails holds up no other: the first failure is thrown when all have had their
 * turn, so that it is reported, and the work tried again.
 */
export function eachAlone<Item>(items: readonly Item[], work: (item: Item) => void): void {
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      work(item);
    } catch (error) {
      if (systemCode(error) === null && !(error instanceof StewardError)) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
