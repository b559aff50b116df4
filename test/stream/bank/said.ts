import fs from 'node:fs';
import path from 'node:path';
import type { StreamEvent } from '../../../src/steward/ports.ts';
import type { ItemKind } from '../../../src/stream/items.ts';
import { eventsIn, keysIn, type ReadItem, readAll } from '../items/read-all.ts';

const STREAM = path.join(import.meta.dirname, '..');

/** The bytes of a fixture: `camt/fixtures/report-052.xml`. */
export function fixture(name: string): Buffer {
  return fs.readFileSync(path.join(STREAM, name));
}

/** What a kind reads of a text or bytes, one line an item: its place, and its subject or why there is none. */
export async function linesOf(kind: ItemKind, file: string | Buffer): Promise<readonly string[]> {
  return (await readAll(kind, Buffer.from(file))).map(lineOf);
}

function lineOf({ place, content }: ReadItem): string {
  return content.what === 'event'
    ? `${place}: ${content.event.subject}`
    : `${place}: ${content.what}, ${content.reason}`;
}

/** The events of a file. */
export async function eventsOf(kind: ItemKind, file: string | Buffer): Promise<readonly StreamEvent[]> {
  return eventsIn(await readAll(kind, Buffer.from(file)));
}

/** The keys of a file's events, in order. */
export async function keysOf(kind: ItemKind, file: string | Buffer): Promise<readonly string[]> {
  return keysIn(await readAll(kind, Buffer.from(file)));
}
