import type { EventRecord, InstinctRecord, ReversalRecord, VaultRecord } from './index/record.ts';
import { linkKey } from './links.ts';
import { fold, stem } from './note-names.ts';
import { momentOf } from './note-text.ts';
import { isChosenIn } from './notes.ts';
import { type EventFields, eventFields, isSiblingType, type ReversalFields, reversalFields } from './records.ts';
import type { TaskFields } from './records-task.ts';
import type { Seal } from './seal.ts';
import { sourceKey, sourceName } from './source-names.ts';
import { isWeighable, type SignalFields, signalFields } from './status-words.ts';
import { iso } from './time.ts';

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

// What the program's mark on a note covers: all that decides what follows from it, and nothing that a person may tick or
// that changes afterwards. The name is part of it, so that a copy under another name is not the program's.

type NewFields = Readonly<Record<string, unknown>>;

/** A record with its name and fields, as the catalogue knows it. */
interface Marked<Fields> {
  readonly name: string;
  readonly fields: Fields & { readonly seal: string | null };
}

type MarkedRecord =
  | (Marked<EventFields> & Pick<EventRecord, 'kind'>)
  | (Marked<ReversalFields> & Pick<ReversalRecord, 'kind'>);

/** Returns the frontmatter of a new signal note with the program's mark. `path`: where the note will be. */
export function sealSignal<Fields extends NewFields>(
  seal: Seal,
  path: string,
  fields: Fields,
): Fields & { seal: string } {
  return { ...fields, seal: seal.of(sealedSignal(stem(path), signalFields.parse(fields))) };
}

/** Returns the frontmatter of a new event note with the program's mark. `path`: where the note will be. */
export function sealEvent<Fields extends NewFields>(
  seal: Seal,
  path: string,
  fields: Fields,
): Fields & { seal: string } {
  return { ...fields, seal: seal.of(sealedEvent(stem(path), eventFields.parse(fields))) };
}

/** Returns the mark of an event note of the program's own once some of its fields have changed. */
export function resealed(
  seal: Seal,
  { name, fields }: Marked<EventFields>,
  changed: Partial<Pick<EventFields, 'taught' | 'taught_by'>>,
): string {
  return seal.of(sealedEvent(name, { ...fields, ...changed }));
}

/** Whether the program itself wrote a signal note, as it is now. */
export function isOwnSignal(seal: Seal, record: Marked<SignalFields>): boolean {
  return seal.judged(record, () => seal.holds(sealedSignal(record.name, record.fields), record.fields.seal));
}

/** Whether the program itself wrote an action or a reversal, as its note is now. */
export function isOwn(seal: Seal, record: MarkedRecord): boolean {
  return seal.judged(record, () => seal.holds(sealedRecord(record), record.fields.seal));
}

/** Whether the program wrote the text of an event note, in this version or in an earlier one. `name`: without `.md`. */
export function wroteEvent(seal: Seal, name: string, fields: EventFields): boolean {
  return EVENT_FORMS.some((covered) => seal.holds(covered(name, fields), fields.seal));
}

/** The same for a reversal note. */
export function wroteReversal(seal: Seal, name: string, fields: ReversalFields): boolean {
  return seal.holds(sealedReversal(name, fields), fields.seal);
}

/** Whether a note may be answered by a box or a file: the program's own, or adopted as it is now. */
export function isAnswerable(seal: Seal, record: MarkedRecord): boolean {
  // The fields stand for the record, whose own key says whether it is the program's own.
  return isOwn(seal, record) || seal.judged(record.fields, () => isAdopted(seal, record));
}

/**
 * Returns the mark of a note that was found when key and vault first met. It may be answered, but nobody knows who wrote
 * it: it is no outcome, and teaches nothing by itself.
 */
export function adoptionSeal(seal: Seal, record: MarkedRecord): string {
  return seal.of(adopted(record));
}

function isAdopted(seal: Seal, record: MarkedRecord): boolean {
  return record.fields.adopted.some((mark) => seal.holds(adopted(record), mark));
}

function adopted(record: MarkedRecord): string {
  return `adopted ${sealedRecord(record)}`;
}

/** Returns the mark of a reversal note that is about to be written with these fields. `path`: where it is. */
export function sealReversal(seal: Seal, path: string, fields: NewFields): string {
  return seal.of(sealedReversal(stem(path), reversalFields.parse(fields)));
}

function sealedRecord(record: MarkedRecord): string {
  return record.kind === 'event' ? sealedEvent(record.name, record.fields) : sealedReversal(record.name, record.fields);
}

/** Returns what the mark on a signal note covers. `name`: the note's name without folder and `.md`. */
function sealedSignal(name: string, fields: SignalFields): string {
  const { source_type, pattern, source_event_path, raw_quote, origin_at, from } = fields;
  const { target_kind, target_path, target_confidence, target_ambiguous, target_candidates } = fields;
  const { target_evidence, target_near, ends_matter, authenticated, authenticated_by } = fields;
  const { effect, effect_confidence, effect_confidence_raw, mutation_proposal, created, warnings, doubts, paid } =
    fields;
  return canonical([
    'signal',
    fold(name),
    { source_type, pattern, source_event_path, raw_quote, origin_at, from },
    { target_kind, target_path, target_confidence, target_ambiguous, target_candidates },
    { target_evidence, target_near, ends_matter, authenticated, authenticated_by },
    { effect, effect_confidence, effect_confidence_raw, mutation_proposal },
    { created, warnings, doubts },
    // Only where there is one: the marks of earlier notes know of none.
    ...(paid === null ? [] : [{ paid }]),
  ]);
}

/**
 * Returns what the mark on an event note covers: what was decided and on which note, what a person is shown of it, what
 * it takes back or away, and what it has taught.
 */
function sealedEvent(name: string, fields: EventFields): string {
  const { type, timestamp, target_path, decision, mode, changes, source_contributions, signals } = fields;
  const { undo_recipe, pending_patch, pending_cleared, taught, taught_by, confirms, dismisses } = fields;
  const { confidence, note_sha256, prior_state, prior_frontmatter, change, from, quote, candidates, perceived } =
    fields;
  // Only where there is one: the marks of earlier notes know of none.
  const plane = fields.plane_action === null ? {} : { plane_action: fields.plane_action };
  return canonical([
    'event',
    fold(name),
    { type, timestamp, target_path, decision, mode, changes, source_contributions, ...plane },
    { confidence, note_sha256, prior_state, prior_frontmatter, change, from, quote },
    { signals: signals.map(linkKey), candidates: candidates.map(linkKey) },
    { undo_recipe, pending_patch, pending_cleared, taught, taught_by },
    { confirms: keyOf(confirms), dismisses: keyOf(dismisses) },
    // Only where there is one: the marks of earlier versions stay good.
    ...(perceived === null ? [] : [{ perceived }]),
  ]);
}

/** What the mark of the first version covered. It proves what was done, and no longer that a note is the program's own. */
function firstSealedEvent(name: string, fields: EventFields): string {
  const { type, timestamp, target_path, decision, mode, changes, source_contributions, signals } = fields;
  const { undo_recipe, pending_patch, taught, confirms, dismisses } = fields;
  return canonical([
    'event',
    fold(name),
    { type, timestamp, target_path, decision, mode, changes, source_contributions },
    { signals: signals.map(linkKey), undo_recipe, pending_patch, taught, answers: keyOf(confirms ?? dismisses) },
  ]);
}

/** What the mark on an event note covered in each version, newest first. */
const EVENT_FORMS = [sealedEvent, firstSealedEvent];

function sealedReversal(name: string, fields: ReversalFields): string {
  const { outcome, undo_recipe, calibration, observations, settled_at, reverses } = fields;
  return canonical([
    'reversal',
    fold(name),
    { outcome, undo_recipe, calibration, observations, settled_at },
    keyOf(reverses),
  ]);
}

function keyOf(link: string | null): string | null {
  return link === null ? null : linkKey(link);
}

/** JSON with the keys of every map in order: a note may have been written with its keys in another. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (isMap(part) ? sorted(part) : part));
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(map: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(map).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
