import fs from 'node:fs';
import { addRefused, type ItemsRead } from '../../../stream/items/items-read.ts';
import { ITEM_KINDS } from '../../../stream/kinds.ts';
import { silentFile } from '../../../stream/silence.ts';
import { EXIT, StewardError, systemCode } from '../../../vault/errors.ts';
import { fileError } from '../../../vault/files.ts';
import { itemPath } from '../../../vault/notes/stream-path.ts';
import type { Workspace } from '../../context/ports.ts';
import type { StreamRead } from '../../context/remembered/stream-read.ts';
import type { EventStream } from '../opened.ts';
import { targetsOf } from '../target-sync.ts';
import { idOf, itemEvent, knownEvent } from './item-event.ts';
import { openItemFile } from './item-file.ts';
import { itemsOf } from './item-process.ts';
import { standingIn } from './known-standing.ts';
import type { ReadItem } from './page.ts';

/**
 * Opens one event of a file that holds many, which was left open: it waits for a model. Returns null where it is not there
 * now: it is open no more, or its file is gone or has changed and is read again first. The events behind it that wait as
 * well come from the same reading: they are kept in `ingest.page` until they are asked for. Throws what the disk refuses.
 */
export async function openItem(
  space: Workspace,
  { file, id }: { readonly file: string; readonly id: string },
): Promise<EventStream | null> {
  const read = space.context.state.get('streams')[file];
  const items = read?.items ?? null;
  const at = items?.open[id];
  if (read === undefined || items === null || at === undefined) return null;
  const path = itemPath(file, id);
  const { page } = space.ingest;
  if (!page.has(path)) {
    const found = await pageFrom(space, file, { ...read, items }, at);
    if (found === null) return null;
    keepPage(space, file, items, found);
    if (!page.has(path)) giveUp(space, { file, id }, items, found[0]);
  }
  const held = page.get(path);
  page.delete(path);
  return held === undefined ? null : opened(space, file, held);
}

function opened(
  space: Workspace,
  file: string,
  { event, identity }: Pick<EventStream, 'event' | 'identity'>,
): EventStream {
  const standing = standingIn(space.ingest.known, identity);
  return knownEvent(targetsOf(space).index, itemEvent(file, event, identity, space.context.now()), standing);
}

/** What is remembered of the file of an open event. */
type ReadFile = Pick<StreamRead, 'size' | 'mtimeMs'> & { readonly items: ItemsRead };

/** Reads some items of a file from a place on; null where the file is gone, or is not as it was when it was read. */
async function pageFrom(
  space: Workspace,
  file: string,
  { items, size, mtimeMs }: ReadFile,
  at: number,
): Promise<readonly ReadItem[] | null> {
  const kind = ITEM_KINDS.find(({ name }) => name === items.kind);
  if (kind === undefined) return null;
  try {
    const handle = openItemFile(space, file, kind);
    try {
      return handle.size === size && handle.mtimeMs === mtimeMs ? await firstPage(handle, at) : null;
    } finally {
      fs.closeSync(handle.handle);
    }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw fileError(error, file);
  }
}

async function firstPage(file: ReturnType<typeof openItemFile>, at: number): Promise<readonly ReadItem[]> {
  for await (const { items, stop } of itemsOf(file, at, new AbortController().signal)) {
    if (items.length > 0) return items;
    // It could be read from there before: it is tried again, and stays open until then.
    if (stop !== null) throw new StewardError({ code: 'reading-ended', file: file.door.file, ...stop }, EXIT.tryAgain);
  }
  return [];
}

// All at once: another event may be opened meanwhile.
function keepPage(
  { ingest: { page } }: Workspace,
  file: string,
  { open }: ItemsRead,
  found: readonly ReadItem[],
): void {
  page.clear();
  for (const { content } of found) {
    if (content.what !== 'event') continue;
    const id = idOf(content.identity);
    if (open[id] !== undefined) page.set(itemPath(file, id), content);
  }
}

/** Lets an event wait no more that its place does not give: it was taken back there, or cannot be read any more. */
function giveUp(
  { context, ingest }: Workspace,
  { file, id }: { readonly file: string; readonly id: string },
  items: ItemsRead,
  found: ReadItem | undefined,
): void {
  if (found?.content.what === 'refused') {
    const { place, content } = found;
    addRefused(items, place, content.reason);
    ingest.trail.add({ at: context.now(), file: `${file}#${place}`, ...silentFile('unreadable', content.reason) });
  }
  delete items.open[id];
  context.state.touch('streams', file);
}
