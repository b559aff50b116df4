import { linkKey } from '../links.ts';
import { fold } from '../note-names.ts';
import { type EventFields, SIBLING_TYPES } from '../records/event.ts';
import { utc } from '../time.ts';
import type { VaultRecord } from './record.ts';

/** What records are found by. */
export type Index =
  | 'name'
  | 'alias'
  | 'taskLink'
  | 'signalLink'
  | 'eventSignal'
  | 'eventTarget'
  | 'answered'
  | 'closing';
export type IndexKey = readonly [index: Index, key: string];

/** The keys a record is indexed under. They follow from the record alone, so that the cache can keep them. */
export function indexKeys(entry: VaultRecord): IndexKey[] {
  return [['name', fold(entry.name)], ...fieldKeys(entry)];
}

function fieldKeys(entry: VaultRecord): IndexKey[] {
  switch (entry.kind) {
    case 'matter':
      return aliasKeys(entry.fields.aliases);
    case 'task':
      return [...aliasKeys(entry.fields.aliases), ...key('taskLink', entry.fields.parent_matter, linkKey)];
    case 'signal':
      return key('signalLink', entry.fields.target_path, linkKey);
    case 'event':
      return [
        ...entry.fields.signals.map((signal): IndexKey => ['eventSignal', lastPart(linkKey(signal))]),
        ...key('eventTarget', entry.fields.target_path, fold),
        ...(isSibling(entry.fields.type)
          ? key('answered', entry.fields.confirms ?? entry.fields.dismisses, nameKey)
          : key('closing', closingDay(entry.fields), fold)),
      ];
    case 'reversal':
      return key('answered', entry.fields.reverses, nameKey);
    default:
      return [];
  }
}

// Only the record of an answer answers: any other note may name a proposal and leaves it open.
function isSibling(type: EventFields['type']): boolean {
  return SIBLING_TYPES.some((one) => one === type);
}

// Of what the program did by itself; a confirmed proposal was counted when the person confirmed it.
function closingDay({ undo_recipe: recipe, mode }: EventFields): string | null {
  const closes = recipe === null ? Number.NaN : Date.parse(recipe.expires_at);
  return Number.isFinite(closes) && mode === 'live' ? dayOf(closes) : null;
}

/** The day under which an undo window that closes at this moment (epoch ms) is found. */
export function dayOf(ms: number): string {
  return utc(ms).slice(0, 10);
}

/** The last part of a link's key: the name it ends in. */
export function lastPart(linked: string): string {
  return linked.slice(linked.lastIndexOf('/') + 1);
}

/** The name that a link ends in, as names compare. */
export function nameKey(link: string): string {
  return lastPart(linkKey(link));
}

function aliasKeys(aliases: readonly string[]): IndexKey[] {
  return aliases.map((alias) => ['alias', fold(alias)]);
}

function key(index: Index, written: string | null, keyOf: (written: string) => string): IndexKey[] {
  return written === null ? [] : [[index, keyOf(written)]];
}
