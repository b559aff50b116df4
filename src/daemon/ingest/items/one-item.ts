import fs from 'node:fs';
import type { ItemsRead } from '../../../stream/items/items-read.ts';
import { standingAmong } from '../../../stream/items/standing.ts';
import { ITEM_KINDS } from '../../../stream/kinds.ts';
import { systemCode } from '../../../vault/errors.ts';
import { fileError } from '../../../vault/files.ts';
import { itemPath } from '../../../vault/notes/stream-path.ts';
import type { Workspace } from '../../context/ports.ts';
import type { EventStream } from '../opened.ts';
import { idOf, itemEvent, knownEvent } from './item-event.ts';
import { openItemFile } from './item-file.ts';
import { itemsOf } from './item-process.ts';
import type { ReadItem } from './page.ts';

/**
 * Opens one event of a file that holds many, which was left open: it waits for a model. Returns null where it is no longer
 * at its place, or is open no more. The events behind it that wait as well come from the same reading: they are kept in
 * `ingest.page` until they are asked for. Throws what the disk refuses.
 */
export async function openItem(
  space: Workspace,
  { file, id }: { readonly file: string; readonly id: string },
): Promise<EventStream | null> {
  const items = space.context.state.get('streams')[file]?.items;
  const at = items?.open[id];
  if (items == null || at === undefined) return null;
  const path = itemPath(file, id);
  const { page } = space.ingest;
  if (!page.has(path)) await readPage(space, file, items, at);
  const held = page.get(path);
  page.delete(path);
  if (held !== undefined) return opened(space, file, held);
  delete items.open[id];
  space.context.state.touch('streams');
  return null;
}

function opened(
  space: Workspace,
  file: string,
  { event, identity }: Pick<EventStream, 'event' | 'identity'>,
): EventStream {
  const standing = standingAmong(identity, space.ingest.known.of(identity));
  return knownEvent(space.ingest.targets.index, itemEvent(file, event, identity, space.context.now()), standing);
}

async function readPage(space: Workspace, file: string, items: ItemsRead, at: number): Promise<void> {
  const { page } = space.ingest;
  page.clear();
  const kind = ITEM_KINDS.find(({ name }) => name === items.kind);
  try {
    const handle = kind === undefined ? null : openItemFile(space, file, kind);
    if (handle === null) return;
    for (const { content } of await firstPage(handle, at)) {
      if (content.what !== 'event') continue;
      const id = idOf(content.identity);
      if (items.open[id] !== undefined) page.set(itemPath(file, id), content);
    }
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw fileError(error, file);
  }
}

async function firstPage(file: ReturnType<typeof openItemFile>, at: number): Promise<readonly ReadItem[]> {
  try {
    for await (const { items } of itemsOf(file, at, new AbortController().signal)) if (items.length > 0) return items;
    return [];
  } finally {
    fs.closeSync(file.handle);
  }
}
