import { sha256 } from '../vault/hash.ts';
import type { Arrival } from './connector.ts';

/** What of it lies in one file: so that no file is large, and one that cannot be read costs few others. */
const MOST_ENTRIES = 200;
const MOST_BYTES = 1024 * 1024;

type Entry = Arrival & { readonly content: Extract<Arrival['content'], { kind: 'calendar' }> };

/**
 * Returns the same arrivals, with the calendars of many in a row put together: a file of calendars is read in a process of
 * its own, and a process for each entry takes longer than all the rest. The same ones make the same file.
 */
export function together(arrivals: readonly Arrival[]): readonly Arrival[] {
  const made: Arrival[] = [];
  let row: Entry[] = [];
  const close = () => {
    const [first, ...others] = row;
    if (first !== undefined) made.push(others.length === 0 ? first : joined(first, others));
    row = [];
  };
  for (const arrival of arrivals) {
    if (!isEntry(arrival)) {
      made.push(arrival);
      continue;
    }
    if (row.length >= MOST_ENTRIES || bytesIn(row) + arrival.content.bytes.length > MOST_BYTES) close();
    row.push(arrival);
  }
  close();
  return made;
}

function isEntry(arrival: Arrival): arrival is Entry {
  return arrival.content?.kind === 'calendar';
}

function bytesIn(row: readonly Entry[]): number {
  return row.reduce((sum, { content }) => sum + content.bytes.length, 0);
}

function joined(first: Entry, others: readonly Entry[]): Arrival {
  const row = [first, ...others];
  const bytes = Buffer.from(row.map(({ content }) => standingAlone(content.bytes)).join(''));
  return { key: sha256(row.map(({ key }) => key).join(' ')), at: first.at, content: { kind: 'calendar', bytes } };
}

// No line of one goes on in the next, and none ends its lines in another way than the others.
function standingAlone(bytes: Uint8Array): string {
  const text = Buffer.from(bytes)
    .toString('utf8')
    .replace(/^[\uFEFF\s]+/, '')
    .trimEnd();
  return `${text.replace(/\r\n?|\n/g, '\r\n')}\r\n`;
}
