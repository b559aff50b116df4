import type { Deed } from '../../steward/notify/news.ts';
import { isOwnNote } from '../../steward/ports/own-notes.ts';
import { isReversed } from '../../steward/proposals/reversed.ts';
import type { EventRecord, VaultRecord } from '../../vault/index/record.ts';
import { momentOf } from '../../vault/notes/event-names.ts';
import { changeLine } from '../../vault/notes/note-text.ts';
import { isSiblingType } from '../../vault/records/event.ts';
import { targetPath } from '../context/event-target.ts';
import type { ReadAccess } from '../context/ports.ts';

/** What is older is no news, whenever it is found: a vault may be read anew as a whole. */
const NEWS_MS = 24 * 60 * 60_000;

/** Returns a change that the program made without asking, and that still holds; null of anything else. */
export function deedOf(space: ReadAccess, record: VaultRecord): Deed | null {
  const isDeed = record.kind === 'event' && !isSiblingType(record.fields.type) && isMade(space, record);
  const deed = isDeed ? told(space, record) : null;
  return deed !== null && Math.abs(space.context.now() - deed.at) < NEWS_MS ? deed : null;
}

/** Returns the changes that were made since a moment (epoch ms) and still hold, newest first; also those that a person confirmed. */
export function madeSince(space: ReadAccess, since: number): Deed[] {
  const made: Deed[] = [];
  for (const hour of space.vault.catalogue.chronicle.newestHours()) {
    const records = hour.filter((record) => record.kind === 'event');
    const times = records.map((record) => momentOf(record.name, record.fields.timestamp));
    if (times.length > 0 && times.every((at) => at < since)) break;
    made.push(...records.filter((record) => isMade(space, record)).map((record) => told(space, record)));
  }
  return made.filter(({ at }) => at >= since).toSorted((one, other) => other.at - one.at);
}

/** Returns those of them that nobody was asked about. */
export function deedsSince(space: ReadAccess, since: number): Deed[] {
  const { catalogue } = space.vault;
  return madeSince(space, since).filter(({ event }) =>
    catalogue.named(event).some((record) => deedOf(space, record) !== null),
  );
}

function isMade(space: ReadAccess, event: EventRecord): boolean {
  return event.fields.undo_recipe !== null && isOwnNote(space, event) && !isReversed(space, event);
}

function told(space: ReadAccess, event: EventRecord): Deed {
  const { change, changes, from, quote, timestamp } = event.fields;
  return {
    event: event.name,
    target: targetPath(space.vault, event),
    change: change ?? changeLine(changes),
    from,
    quote,
    at: momentOf(event.name, timestamp) || 0,
  };
}
