import { sha256 } from '../../../vault/hash.ts';
import type { Arrival, SourceProblem } from '../../connector.ts';
import { cancelledText, type Raises } from './raised.ts';
import type { RememberedEntry } from './remembered.ts';

/** What is said where so much is gone at once that nothing counts as cancelled for a day. */
export const MANY_GONE: SourceProblem = {
  message: 'Most entries of a calendar are gone at once; for a day none of them counts as cancelled.',
  hint: 'If they were deleted on purpose, nothing is needed. Else look at the calendar where it is kept.',
};

/** Returns what says that some entries were cancelled: one calendar for each series with all that belongs to it. */
export function cancellations(
  gone: readonly (readonly [string, RememberedEntry])[],
  raised: Raises,
  now: number,
): readonly Arrival[] {
  const byUid = Map.groupBy(gone, ([key]) => key.split('\n')[0]);
  return [...byUid.values()].map((all) => {
    const name = all.map(([key, [, , lines]]) => [key, lines, raised[key] ?? 0]);
    return calendarArrival(['cancelled', name], cancelledText(all, raised, now));
  });
}

/** Returns a calendar as it is brought. `name`: what makes it the same thing at its source. */
export function calendarArrival(name: readonly unknown[], text: string): Arrival {
  return { key: sha256(JSON.stringify(name)), at: null, content: { kind: 'calendar', bytes: Buffer.from(text) } };
}
