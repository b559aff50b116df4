import type { ItemCounts } from '../../stream/items/items-read.ts';

/** Returns what became of the events of a file: `212 events (198 older than two weeks, 9 read before), 2 refused`. */
export function itemWords({ read, none, past, known, refused, waiting }: ItemCounts): string {
  const said = none > 0 ? [`${none} say nothing for the vault`] : [];
  const parts = [
    ...said,
    ...(past > 0 ? [`${past} older than two weeks`] : []),
    ...(waiting > 0 ? [`${waiting} wait for a model`] : []),
  ];
  const events = `${read} ${read === 1 ? 'event' : 'events'}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}`;
  return [events, ...(known > 0 ? [`${known} read before`] : []), ...(refused > 0 ? [`${refused} refused`] : [])].join(
    ', ',
  );
}
