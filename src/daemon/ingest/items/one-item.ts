import fs from 'node:fs';
import { standingAmong } from '../../../stream/items/standing.ts';
import { ITEM_KINDS } from '../../../stream/kinds.ts';
import { systemCode } from '../../../vault/errors.ts';
import { fileError } from '../../../vault/files.ts';
import type { Workspace } from '../../context/ports.ts';
import type { EventStream } from '../opened.ts';
import { itemEvent, knownEvent } from './item-event.ts';
import { openItemFile } from './item-file.ts';
import { itemsOf } from './item-process.ts';

/**
 * Opens one event of a file that holds many, which was left open: it waits for a model. Returns null where it is no longer
 * at its place, or is open no more. Throws what the disk refuses.
 */
export async function openItem(
  space: Workspace,
  { file, id }: { readonly file: string; readonly id: string },
): Promise<EventStream | null> {
  const read = space.context.state.get('streams')[file];
  const at = read?.items?.open[id];
  const kind = ITEM_KINDS.find(({ name }) => name === read?.items?.kind);
  if (at === undefined || kind === undefined) return null;
  try {
    const opened = await itemAt(space, file, kind, at);
    if (opened?.event.path.endsWith(`#${id}`)) return opened;
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw fileError(error, file);
  }
  delete read?.items?.open[id];
  space.context.state.touch('streams');
  return null;
}

async function itemAt(
  space: Workspace,
  file: string,
  kind: (typeof ITEM_KINDS)[number],
  at: number,
): Promise<EventStream | null> {
  const opened = openItemFile(space, file, kind);
  try {
    for await (const { items } of itemsOf(opened, at, new AbortController().signal)) {
      const [item] = items;
      if (item === undefined) continue;
      if (item.content.what !== 'event') return null;
      const { event, identity } = item.content;
      const standing = standingAmong(identity, space.ingest.known.of(identity));
      return knownEvent(space.ingest.targets.index, itemEvent(file, event, identity, space.context.now()), standing);
    }
    return null;
  } finally {
    fs.closeSync(opened.handle);
  }
}
