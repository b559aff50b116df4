import { linkKey } from '../links.ts';
import { fold } from '../note-names.ts';
import { isChosenIn } from '../notes/choice-list.ts';
import { momentOf } from '../notes/event-names.ts';
import { type EventFields, isSiblingType } from '../records/event.ts';
import { isWeighable } from '../records/signal.ts';
import type { TaskFields } from '../records/task.ts';
import { sourceKey, sourceName } from '../source-names.ts';
import { iso } from '../time.ts';
import type { InstinctRecord, VaultRecord } from './record.ts';

/** The indexes that records are found by. */
export type Index =
  | 'name'
  | 'alias'
  | 'taskLink'
  | 'signalLink'
  | 'weighable'
  | 'eventSignal'
  | 'eventTarget'
  | 'answered'
  | 'closing'
  | 'decided'
  | 'source'
  | 'waiting'
  | 'happened'
  | 'expiring'
  | 'asking'
  | 'unrouted'
  | 'flagged'
  | 'told'
  | 'doubtful'
  | 'due';
type IndexKey = readonly [index: Index, key: string];

/** Returns the keys a record is indexed under. They depend on the record alone, so that the cache can keep them. */
export function indexKeys(record: VaultRecord): IndexKey[] {
  return [['name', fold(record.name)], ...fieldKeys(record)];
}

function fieldKeys(record: VaultRecord): IndexKey[] {
  switch (record.kind) {
    case 'matter':
      return aliasKeys(record.fields.aliases);
    case 'task':
      return [
        ...aliasKeys(record.fields.aliases),
        ...key('taskLink', record.fields.parent_matter, linkKey),
        ...(isDoubtful(record.fields) ? DOUBTFUL : []),
        ...dueKey(record.fields),
      ];
    case 'signal':
      return [
        ...key('signalLink', record.fields.target_path, linkKey),
        ...(isWeighable(record.fields) ? key('weighable', record.fields.target_path, linkKey) : []),
        ...waitingKey(record, record.fields.target_ambiguous && record.fields.status === 'unrouted'),
        ...(record.fields.status === 'unrouted' ? UNROUTED : []),
      ];
    case 'event':
      return [
        ...record.fields.signals.map((signal): IndexKey => ['eventSignal', lastPart(linkKey(signal))]),
        ...key('eventTarget', record.fields.target_path, fold),
        // Only the record of an answer is an answer: any other note may name a proposal without closing it.
        ...(isSiblingType(record.fields.type)
          ? key('answered', record.fields.confirms ?? record.fields.dismisses, nameKey)
          : [...key('closing', closingDay(record.fields), fold), ...key('decided', decidedDay(record.fields), fold)]),
        ...waitingKey(record, saysItWaits(record.fields)),
        ...moments(momentOf(record.name, record.fields.timestamp), record.fields.undo_recipe),
        ...(asks(record.fields) ? ASKING : []),
        ...(record.fields.pending_patch === null ? [] : FLAGGED),
        ...(record.fields.plane_action === null ? [] : TOLD),
      ];
    case 'reversal':
      return [
        ...moments(momentOf(record.name, record.fields.settled_at), record.fields.undo_recipe),
        ...key('answered', record.fields.reverses, nameKey),
        ...waitingKey(record, record.fields.outcome === 'conflict'),
      ];
    case 'instinct':
      return [['source', sourceKey(sourceOf(record))]];
    default:
      return [];
  }
}

function waitingKey({ kind }: VaultRecord, waits: boolean): IndexKey[] {
  return waits ? [['waiting', kind]] : [];
}

const UNROUTED: readonly IndexKey[] = [['unrouted', 'signal']];
const ASKING: readonly IndexKey[] = [['asking', 'event']];
const FLAGGED: readonly IndexKey[] = [['flagged', 'event']];
const DOUBTFUL: readonly IndexKey[] = [['doubtful', 'task']];
const TOLD: readonly IndexKey[] = [['told', 'event']];

/** A day of the calendar as nearly all are written; of the last days of a month, those that every year has. */
const DAY = '20[0-2]\\d-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30))';
const PLAIN_DAY = new RegExp(`^${DAY}$`);
const PLAIN_MOMENT = new RegExp(`^${DAY}(?:T(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d)?Z?)?$`);
const PLAIN_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Whether something may be wrong with a task, by its note alone: whoever looks for what is wrong looks at these. LAW:
 * a task that is told of by its status, its dates or its id is one of them.
 */
function isDoubtful(fields: TaskFields): boolean {
  const {
    unexplained,
    plane_issue_id: id,
    state,
    due,
    scheduled,
    snoozed_until: until,
    next_check_after: after,
  } = fields;
  if (unexplained !== null || (id !== null && !PLAIN_ID.test(id)) || state === 'snoozed') return true;
  return state === 'open' && [due, scheduled, until, after].some((one) => one !== null && !PLAIN_MOMENT.test(one));
}

// Under its day, or under none where that has to be worked out.
function dueKey({ state, due, surface_class }: TaskFields): IndexKey[] {
  if (state !== 'open' || due === null || surface_class === 'none') return [];
  return [['due', PLAIN_DAY.test(due) ? due : '']];
}

/** Whether a person has ticked a box of an event note, or written into it which note is meant. */
function asks(fields: EventFields): boolean {
  const { confirm, dismiss, undo, deliberate } = fields;
  return confirm || dismiss || undo || deliberate || isChosenIn(fields);
}

function moments(at: number, recipe: EventFields['undo_recipe']): IndexKey[] {
  const happened: IndexKey = ['happened', hourIn(at)];
  return recipe === null ? [happened] : [happened, ['expiring', hourIn(Date.parse(recipe.expires_at))]];
}

// What tells no time is older than anything that does.
function hourIn(at: number): string {
  return Number.isFinite(at) ? hourOf(at) : '';
}

/** Returns the hour (UTC, `YYYY-MM-DDTHH`) of a moment (epoch ms). */
export function hourOf(ms: number): string {
  return iso(ms).slice(0, 13);
}

/** Whether an event note says that it waits for a person. Notes of earlier versions have only the second field. */
export function saysItWaits({ waiting, pending_confirmation: pending }: EventFields): boolean {
  return waiting || pending;
}

// Only for what the program did by itself: a confirmed proposal was counted when the person confirmed it.
function closingDay({ undo_recipe: recipe, mode, taught }: EventFields): string | null {
  if (taught !== null) return null;
  const closes = recipe === null ? Number.NaN : Date.parse(recipe.expires_at);
  return Number.isFinite(closes) && mode === 'live' ? dayOf(closes) : null;
}

// What a person may still show to have been right or wrong. What has taught already is over.
function decidedDay({ changes, taught, timestamp }: EventFields): string | null {
  const at = Date.parse(timestamp);
  return taught === null && Object.keys(changes).length > 0 && Number.isFinite(at) ? dayOf(at) : null;
}

/** Returns the source that an instinct note is about: what its fields say, else where it lies. */
export function sourceOf({ fields, name, path }: InstinctRecord): string {
  const { source_type: channel, pattern } = fields;
  if (channel !== null) return channel.includes(':') ? channel : sourceName(channel, pattern);
  const folders = path.split('/').slice(1, -1);
  return folders.length === 0 ? name : sourceName(folders[0] ?? name, name);
}

/** Returns the day (UTC, `YYYY-MM-DD`) under which an undo window that closes at this moment (epoch ms) is indexed. */
export function dayOf(ms: number): string {
  return iso(ms).slice(0, 10);
}

/** Returns the last part of a link's key: the name it ends in. */
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
