import { readFileSync } from 'node:fs';
import { STREAM_KINDS } from '../../src/streams/kinds.ts';
import type { ReadContext, StreamKind } from '../../src/streams/stream.ts';
import { type ReadItem, readAll } from './read-all.ts';

/** Reads a fixture `<kind>/<name>` with the kind that recognises it. */
export function readFixture(file: string, door: Partial<ReadContext> = {}): Promise<ReadItem[]> {
  const name = file.slice(file.lastIndexOf('/') + 1);
  const bytes = new Uint8Array(readFileSync(new URL(`./${file}`, import.meta.url)));
  return readNamed(`stream/${name}`, bytes, door);
}

/** Reads a file with the kind that recognises it. */
export async function readNamed(
  file: string,
  bytes: Uint8Array | string,
  door: Partial<ReadContext> = {},
): Promise<ReadItem[]> {
  const all = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
  const kind = kindOf(file, all);
  if (kind === null) throw new Error(`no kind takes ${file}`);
  return readAll(kind, all, { file, sourceType: kind.sourceType, ...door });
}

/** The kind that reads a file; null where none does. */
export function kindOf(file: string, bytes: Uint8Array): StreamKind | null {
  return STREAM_KINDS.find((kind) => kind.takes(file) && kind.recognises(bytes.subarray(0, 65_536))) ?? null;
}

/** What became of each item, in a line: its author, time and words, or why it holds no event. */
export function outline(items: readonly ReadItem[]): string[] {
  return items.map(({ place, content }) => {
    if (content.what !== 'event') return `${place}: ${content.what}, ${content.reason}`;
    const { from, originAt, text, quoted, bulk, unread } = content.event;
    const rest = `${quoted === '' ? '' : ` [${quoted}]`}${bulk ? ' (machine)' : ''}${unread === undefined ? '' : ` (not read: ${unread.reason})`}`;
    return `${place}: ${from ?? '-'} ${originAt ?? '-'} ${JSON.stringify(text)}${rest}`;
  });
}
