import { sha256 } from '../vault/hash.ts';
import { stem } from '../vault/names.ts';
import { nameTime, nameTimeExact } from '../vault/time.ts';
import type { Workspace } from './workspace.ts';

/** File names end at 255 bytes; what is put before and behind a slug needs room too. */
const MAX_SLUG_BYTES = 150;

/** A name for an event note that no note has yet: to the second, then to the millisecond. `now` in epoch ms. */
export function freeEventPath(space: Workspace, type: string, target: string, now: number): string {
  const folder = space.vault.layout.folders.event;
  const path = (time: string) => `${folder}/${type}-${time}-${short(stem(target))}.md`;
  const taken = (file: string) => space.vault.catalogue.get(file) !== undefined;
  if (!taken(path(nameTime(now)))) return path(nameTime(now));
  for (let ms = now; ; ms += 1) if (!taken(path(nameTimeExact(ms)))) return path(nameTimeExact(ms));
}

/** What an intent is called in the journal and the history: the name of the event note it leads to. */
export function intentId(eventPath: string): string {
  const name = stem(eventPath);
  return Buffer.byteLength(name) <= MAX_SLUG_BYTES + 60 ? name : `${short(name)}-${sha256(name).slice(0, 8)}`;
}

function short(name: string): string {
  let cut = name;
  while (Buffer.byteLength(cut) > MAX_SLUG_BYTES) cut = cut.slice(0, -1);
  return cut;
}
