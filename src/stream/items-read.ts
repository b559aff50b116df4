import { z } from 'zod';

/** How many refused items are remembered with their places. */
const MOST_TROUBLES = 5;

const count = z.number().int().min(0);

/** How far a file that holds many events was read, and what became of them. It grows with what is open. */
export const itemsRead = z.lazy(() =>
  z.object({
    /** The name of its kind. */
    kind: z.string(),
    /** From where it is read on, as its kind counts. */
    position: z.number(),
    /** A hash of the bytes before it: other ones mean another file. */
    before: z.string(),
    /** The last item: where it begins, and the hash of its name, or what it was. It may not have been whole. */
    last: z.object({ at: z.number(), name: z.string() }).nullable(),
    isDone: z.boolean(),
    /** Events that were looked at, and of them those that gave no signal, and those too old to be looked into. */
    read: count,
    none: count,
    past: count,
    /** Events that had been read before, from this file or another. */
    known: count,
    refused: count,
    /** The first that were refused. */
    troubles: z.array(z.object({ place: z.string(), reason: z.string() })),
    /** Events that wait for a model, by their id, and where they begin. */
    open: z.record(z.string(), z.number()),
  }),
);
export type ItemsRead = z.infer<typeof itemsRead>;

/** What became of the events of a file, as a person is told. */
export type ItemCounts = Pick<ItemsRead, 'read' | 'none' | 'past' | 'known' | 'refused'> & { readonly waiting: number };

/** Returns what is known of a file that is read from its beginning. */
export function unreadItems(kind: string): ItemsRead {
  return {
    ...{ kind, position: 0, before: '', last: null, isDone: false },
    ...{ read: 0, none: 0, past: 0, known: 0, refused: 0, troubles: [], open: {} },
  };
}

/** Returns the counts of a file. */
export function countsOf({ read, none, past, known, refused, open }: ItemsRead): ItemCounts {
  return { read, none, past, known, refused, waiting: Object.keys(open).length };
}

/** Counts an item that was refused. */
export function addRefused(items: ItemsRead, place: string, reason: string): void {
  items.refused += 1;
  if (items.troubles.length < MOST_TROUBLES) items.troubles.push({ place, reason });
}

/** Counts an event that is too old to be looked into. */
export function addPast(items: ItemsRead): void {
  items.read += 1;
  items.past += 1;
}

/** Returns the counts without the last item where that was refused: it is looked at once more. */
export function withoutLast(items: ItemsRead): ItemsRead {
  if (items.last?.name !== 'refused') return items;
  const troubles = items.refused > items.troubles.length ? items.troubles : items.troubles.slice(0, -1);
  return { ...items, refused: items.refused - 1, troubles };
}

/** Returns what became of the events of a file: `212 events (198 too long ago), 9 read before, 2 refused`. */
export function itemWords({ read, none, past, known, refused, waiting }: ItemCounts): string {
  const details = [
    ...(none > 0 ? [`${none} without a signal`] : []),
    ...(past > 0 ? [`${past} too long ago`] : []),
    ...(waiting > 0 ? [`${waiting} waiting for a model`] : []),
  ];
  const events = `${read} ${read === 1 ? 'event' : 'events'}`;
  return [
    details.length === 0 ? events : `${events} (${details.join(', ')})`,
    ...(known > 0 ? [`${known} read before`] : []),
    ...(refused > 0 ? [`${refused} refused`] : []),
  ].join(', ');
}
