import type { StreamEvent } from '../../src/steward/types.ts';
import type { ByteSource, Item, ItemContent, ReadContext, StreamKind } from '../../src/streams/stream.ts';

/** What one item came to, and where it stands. */
export type ReadItem = Pick<Item, 'at' | 'next' | 'place'> & { readonly content: ItemContent };

/** Reads all items of a file as the program does: each by itself, where one that throws is refused. */
export async function readAll(
  kind: StreamKind,
  bytes: Uint8Array,
  { from = 0, ...door }: Partial<ReadContext> & { readonly from?: number } = {},
): Promise<ReadItem[]> {
  const read = await kind.load();
  const found: ReadItem[] = [];
  for await (const item of read(sourceOf(bytes), from, { ...DOOR, ...door })) {
    found.push({ at: item.at, next: item.next, place: item.place, content: await contentOf(item) });
  }
  return found;
}

const DOOR: ReadContext = {
  file: 'stream/test',
  sourceType: 'other',
  trustedServers: [],
  zone: 'Europe/Berlin',
  now: Date.parse('2035-03-02T09:00:00Z'),
};

/** The bytes as a file. */
export function sourceOf(bytes: Uint8Array): ByteSource {
  return { size: bytes.length, read: (at, length) => bytes.subarray(at, at + length) };
}

async function contentOf(item: Item): Promise<ItemContent> {
  try {
    return await item.read();
  } catch (error) {
    return { what: 'refused', reason: String(error) };
  }
}

/** The events among the items. */
export function eventsIn(items: readonly ReadItem[]): StreamEvent[] {
  return items.flatMap(({ content }) => (content.what === 'event' ? [content.event] : []));
}

/** The names of the events among the items. */
export function keysIn(items: readonly ReadItem[]): string[] {
  return items.flatMap(({ content }) => (content.what === 'event' ? [content.identity.key] : []));
}
