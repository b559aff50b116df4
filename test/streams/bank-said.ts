import type { StreamEvent } from '../../src/steward/types.ts';
import type { StreamKind } from '../../src/streams/stream.ts';
import { eventsIn, keysIn, type ReadItem, readAll } from './read-all.ts';

/** What a kind reads of a text or bytes, one line an item: its place, and its subject or why there is none. */
export async function linesOf(kind: StreamKind, file: string | Buffer): Promise<readonly string[]> {
  return (await readAll(kind, Buffer.from(file))).map(lineOf);
}

function lineOf({ place, content }: ReadItem): string {
  return content.what === 'event'
    ? `${place}: ${content.event.subject}`
    : `${place}: ${content.what}, ${content.reason}`;
}

/** The events of a file. */
export async function eventsOf(kind: StreamKind, file: string | Buffer): Promise<readonly StreamEvent[]> {
  return eventsIn(await readAll(kind, Buffer.from(file)));
}

/** The keys of a file's events, in order. */
export async function keysOf(kind: StreamKind, file: string | Buffer): Promise<readonly string[]> {
  return keysIn(await readAll(kind, Buffer.from(file)));
}
