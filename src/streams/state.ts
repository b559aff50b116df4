import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { entriesSlice, type StateStore } from '../daemon/state.ts';
import { addUnread, OTHER_REASONS, type UnreadCounts, unreadWords } from '../steward/inbox-words.ts';
import { isMail, type ReadMail, type StreamEvent } from '../steward/types.ts';
import { append, type GrowingFiles } from '../vault/entry-log.ts';
import { fileError, readBytes, writeState } from '../vault/files.ts';
import { readOwnJson } from '../vault/json.ts';
import { parseItemPath } from '../vault/layout.ts';
import { oneLine, sha256 } from '../vault/note-text.ts';
import { AUTHENTICATION_RESULTS, unit } from '../vault/record.ts';
import { sourceName } from '../vault/source-names.ts';
import { type Identity, senderPattern } from './stream.ts';

/** How many refused items are remembered with their places. */
const MOST_TROUBLES = 5;

const count = z.number().int().min(0);

const reasons = z.record(z.string(), count);

/** How far a file that contains many events was read, and what became of them. It grows with what is open. */
const itemsRead = z.lazy(() =>
  z.object({
    kind: z.string(),
    /** The position from which it is read on, as its kind counts. */
    position: z.number(),
    /** A hash of the bytes before it: other ones mean another file. */
    before: z.string(),
    /** The last item: its beginning, and the hash of its name, or its kind. It may have been incomplete. */
    last: z.object({ at: z.number(), name: z.string() }).nullable(),
    isDone: z.boolean(),
    /** Events that were looked at, and of them those that gave no signal, and those too old to be looked into. */
    read: count,
    none: count,
    past: count,
    /** Of those without a signal, those whose words couldn't be read, by the reason. They aren't in `none`. */
    unread: reasons.default({}),
    /** Why those in `none` gave no signal; a state of before this has fewer reasons than events. */
    aside: reasons.default({}),
    /** The counts for the file's earlier contents: a calendar is written again with each export. */
    former: z.object({ gave: count, aside: reasons, unread: reasons }).optional(),
    /** Events that had been read before, from this file or another. */
    known: count,
    refused: count,
    /** The first that were refused. */
    troubles: z.array(z.object({ place: z.string(), reason: z.string() })),
    /** The beginnings of events that wait for a model, by their id. */
    open: z.record(z.string(), z.number()),
  }),
);
export type ItemsRead = z.infer<typeof itemsRead>;

/** The counts of the events of a file, for a person. */
export type ItemCounts = Pick<ItemsRead, 'read' | 'none' | 'past' | 'unread' | 'known' | 'refused'> & {
  readonly waiting: number;
};

/** Returns what is known of a file that is read from its beginning. */
export function unreadItems(kind: string): ItemsRead {
  return {
    kind,
    position: 0,
    before: '',
    last: null,
    isDone: false,
    read: 0,
    none: 0,
    past: 0,
    unread: {},
    aside: {},
    known: 0,
    refused: 0,
    troubles: [],
    open: {},
  };
}

/** Returns what is known of a file that is read from its beginning because its content was replaced. */
export function replacedItems(items: ItemsRead): ItemsRead {
  const { gave, aside, unread } = itemEnds(items);
  return { ...unreadItems(items.kind), former: { gave, aside: { ...aside }, unread: { ...unread } } };
}

/** The outcomes of the events of a file and of its earlier contents, as far as they were looked into. */
interface ItemEnds {
  readonly gave: number;
  /** Why the others gave no signal, and how many there are for each reason. */
  readonly aside: UnreadCounts;
  readonly unread: UnreadCounts;
}

/** Returns what became of the events of a file. Events that are too old or still open aren't among them. */
export function itemEnds({ read, past, none, open, unread, aside, former }: ItemsRead): ItemEnds {
  const unexplained = none - sumOf(aside);
  const own = unexplained > 0 ? addUnread(aside, OTHER_REASONS, unexplained) : aside;
  const gave = Math.max(0, read - past - none - Object.keys(open).length - sumOf(unread));
  return {
    gave: gave + (former?.gave ?? 0),
    aside: together(own, former?.aside ?? {}),
    unread: together(unread, former?.unread ?? {}),
  };
}

function together(one: UnreadCounts, other: UnreadCounts): UnreadCounts {
  return Object.entries(other).reduce((sum, [reason, events]) => addUnread(sum, reason, events), one);
}

function sumOf(counts: UnreadCounts): number {
  return Object.values(counts).reduce((sum, events) => sum + events, 0);
}

export function countItems({ read, none, past, unread, known, refused, open }: ItemsRead): ItemCounts {
  return { read, none, past, unread, known, refused, waiting: Object.keys(open).length };
}

/** Counts an item that was refused. */
export function addRefused(items: ItemsRead, place: string, reason: string): void {
  items.refused += 1;
  if (items.troubles.length < MOST_TROUBLES) items.troubles.push({ place, reason });
}

/** Counts an event that is too old to be looked into. */
export function addPast(items: ItemsRead): void {
  items.read += 1;
  items.past += 1;
}

/** Returns the counts without the last item if that was refused: it will be looked at again. */
export function withoutLast(items: ItemsRead): ItemsRead {
  if (items.last?.name !== 'refused') return items;
  const troubles = items.refused > items.troubles.length ? items.troubles : items.troubles.slice(0, -1);
  return { ...items, refused: items.refused - 1, troubles };
}

/** Returns what became of the events of a file: `212 events (198 too long ago), 9 read before, 2 refused`. */
export function itemWords({ read, none, past, unread, known, refused, waiting }: ItemCounts): string {
  const details = [
    ...(none > 0 ? [`${none} without a signal`] : []),
    ...(past > 0 ? [`${past} too long ago`] : []),
    ...(waiting > 0 ? [`${waiting} waiting for a model`] : []),
  ];
  const events = `${read} ${read === 1 ? 'event' : 'events'}`;
  return [
    details.length === 0 ? events : `${events} (${details.join(', ')})`,
    ...[unreadWords(unread)].filter((words) => words !== ''),
    ...(known > 0 ? [`${known} read before`] : []),
    ...(refused > 0 ? [`${refused} refused`] : []),
  ].join(', ');
}

/** At which step a stream file ended without a signal. */
const SILENCES = [
  /** No reader takes files of its kind. */
  'unread-kind',
  /** It cannot be read, or is no mail. */
  'unreadable',
  /** The same bytes were read under another name. */
  'same-bytes',
  /** Its words can't be read: encrypted, only a picture, in a language that isn't read. */
  'not-read',
  /** It is not looked into: bulk mail, old mail, an unfilled template, the vault's own note. */
  'not-admitted',
  /** No note fits it well enough. */
  'no-note',
  /** A note fits, without a change to it. */
  'nothing-said',
  /** The finding did not pass the checks. */
  'struck',
  /** A model was asked, without a finding. */
  'model-none',
] as const;

const MAX_NAME = 120;
const MAX_TEXT = 300;

/** Why a stream event gave no signal: no more of its text than a signal would keep. */
const silence = z.object({
  kind: z.enum(SILENCES),
  /** In a few words: `bulk mail: List-Unsubscribe`. */
  reason: z.string(),
  from: z.string().nullable(),
  subject: z.string().nullable(),
  /** When it was sent (UTC), and whether a server authenticates its sender; absent without an event. */
  sent: z.string().nullable().optional(),
  authenticated: z.enum(AUTHENTICATION_RESULTS).optional(),
  /** The sender, as trust names it; absent if unknown. */
  source: z.string().optional(),
  /** The reader; null if it wasn't read. */
  by: z.string().nullable(),
  /** The notes that it could most likely be about, best first. */
  closest: z.array(z.object({ note: z.string(), score: unit, evidence: z.array(z.string()).default([]) })),
});
export type Silence = z.infer<typeof silence>;

/** Returns why a file without an event gives no signal. */
export function silentFile(kind: 'unread-kind' | 'unreadable' | 'same-bytes', reason: string): Silence {
  return { kind, reason: oneLine(reason, MAX_TEXT), from: null, subject: null, by: null, closest: [] };
}

/** Returns why an event is not looked into, or not read. */
export function silentEvent(
  event: StreamEvent,
  reason: string,
  kind: 'not-admitted' | 'not-read' = 'not-admitted',
): Silence {
  return { kind, reason: oneLine(reason, MAX_TEXT), ...headOf(event), by: null, closest: [] };
}

function headOf(event: StreamEvent): Pick<Silence, 'from' | 'subject' | 'sent' | 'authenticated' | 'source'> {
  const { from, subject, originAt, authentication } = event;
  return {
    ...{ from: from === null ? null : oneLine(from, MAX_NAME), subject: oneLine(subject, MAX_NAME) },
    ...(isMail(event) ? { sent: originAt, authenticated: authentication.result } : {}),
    source: sourceName(event.sourceType, senderPattern(event)),
  };
}

/** How long the ending of a name may be to say of which kind a file is. */
const LONGEST_ENDING = 16;

const NO_ENDING = 'no ending';

/** Returns what the files of a kind are called: `.pages files`. */
export function kindFiles(kind: string): string {
  return kind === NO_ENDING ? 'files without an ending' : `${kind} files`;
}

/** Returns the kind of a file: the ending of its name, `.pages`. */
export function fileKind(file: string): string {
  const ending = path.posix.extname(file).toLowerCase();
  return ending.length > 1 && ending.length <= LONGEST_ENDING ? ending : NO_ENDING;
}

/** The stored facts about a stream file that was looked at. */
const streamRead = z.lazy(() =>
  z.object({
    size: z.number(),
    mtimeMs: z.number(),
    sha256: z.string(),
    at: z.number(),
    signals: z.number().int(),
    skipped: z.string().nullable(),
    /** Whether `skipped` is why its words couldn't be read. */
    isUnread: z.boolean().optional(),
    refused: z.string().nullable(),
    /** The file in which the same event was read before. */
    copyOf: z.string().optional(),
    /** The id of its event (`identityId`); absent if it contains many or no events. */
    event: z.string().optional(),
    /** Which reader, in which version, did not understand the file; null if a reader did. */
    tried: z.string().nullable(),
    /** Null of a file with one event. */
    items: itemsRead.nullable(),
  }),
);
export type StreamRead = z.infer<typeof streamRead>;

/** Stream file → what it gave. Each file is read once. */
export const STREAMS = entriesSlice('streams', streamRead);

/** The key among the faults for a failure of the model that reads. */
export const EXTRACTION_FAULT = 'model-extraction';

/** Returns the key under which it is remembered that bytes have left the vault: half of their hash tells them apart. */
export function retiredKey(sha256: string): string {
  return sha256.slice(0, 32);
}

/**
 * Remembers under which name bytes were read and gave signals, so that a mail that is filed under another name gives
 * them only once. Built from the state at the first question.
 */
export class RememberedFiles {
  readonly #state: StateStore;
  #files: Map<string, string> | null = null;

  constructor(state: StateStore) {
    this.#state = state;
  }

  /** Returns the file that was read with this hash and gave signals, or null. */
  of(sha256: string): string | null {
    this.#files ??= this.#built();
    return this.#files.get(sha256) ?? null;
  }

  /** Whether bytes with this hash were read, and have left the vault since. */
  isRetired(sha256: string): boolean {
    return this.#state.get('retired')[retiredKey(sha256)] !== undefined;
  }

  /** Remembers that a file with this hash gave signals. */
  add(sha256: string, file: string): void {
    this.#files?.set(sha256, file);
  }

  #built(): Map<string, string> {
    const read = Object.entries(this.#state.get(STREAMS)).filter(([, { signals }]) => signals > 0);
    return new Map(read.map(([file, { sha256 }]) => [sha256, file]));
  }
}

const trailEntry = silence.extend({
  /** When it was read (epoch ms). */
  at: z.number(),
  /** The stream file, vault-relative. */
  file: z.string(),
});
export type TrailEntry = z.infer<typeof trailEntry>;

const DAY_MS = 24 * 60 * 60 * 1000;
const KEEP_MS = 90 * DAY_MS;
/** A part that is older or larger is added to no longer: only whole parts are forgotten. */
const PART_MS = 7 * DAY_MS;
const PART_BYTES = 1024 * 1024;
const MOST_PARTS = 48;
/** Entries that the disk refuses for long are not kept in memory without bound. */
const MOST_PENDING = 20_000;
const PART = /^trail-(\d{13})\.jsonl$/;
const { O_NONBLOCK, O_NOFOLLOW } = fs.constants;

/**
 * Why stream files gave no signal, one line each, for 90 days: parts that are only added to, and forgotten as a whole.
 * It is for people: no decision depends on it.
 */
export class ReadingTrail {
  readonly #parts: GrowingFiles;
  #pending: TrailEntry[] = [];
  #isBegun = false;

  constructor(parts: GrowingFiles) {
    this.#parts = parts;
  }

  /** Adds an entry; the next flush writes it. */
  add(entry: TrailEntry): void {
    this.#pending.push(entry);
    if (this.#pending.length > MOST_PENDING) this.#pending.shift();
  }

  /** Writes what was added since the last flush. Throws what the disk refuses. */
  flush(): void {
    if (this.#pending.length === 0) return;
    this.#parts.demand();
    const part = this.#part();
    const lines = this.#pending.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    try {
      // A process that was killed may have left half a line.
      append(path.join(this.#parts.folder, part), this.#isBegun ? lines : `\n${lines}`);
    } catch (error) {
      throw fileError(error, `.steward/state/${part}`);
    }
    this.#isBegun = true;
    this.#pending = [];
  }

  /**
   * Returns the newest entry about a file, given by its path or its name, or as `isMeant` says; null without an entry.
   */
  find(written: string, isMeant = (file: string) => isNamed(file, written)): TrailEntry | null {
    return this.#newest(written, 1, ({ file }) => isMeant(file))[0] ?? null;
  }

  /** Returns the newest entries about events in a file that contains many, each event once, the newest first. */
  within(file: string, most: number): readonly TrailEntry[] {
    return this.#newest(`${file}#`, most, (entry) => parseItemPath(entry.file)?.file === file);
  }

  /**
   * Returns the newest entries about a sender's messages, by their address in lower case: each file once, the newest
   * first.
   */
  from(sender: string, most: number): readonly TrailEntry[] {
    return this.#newest(sender, most, ({ from }) => from?.toLowerCase() === sender);
  }

  // Each file once, the newest first. `text` is in every line about what is meant.
  #newest(text: string, most: number, isMeant: (entry: TrailEntry) => boolean): readonly TrailEntry[] {
    const oldest = this.#parts.now() - KEEP_MS;
    const found = new Map<string, TrailEntry>();
    const take = (entries: readonly TrailEntry[]): void => {
      for (const entry of entries.toReversed()) {
        if (entry.at < oldest || found.size >= most || found.has(entry.file)) continue;
        if (isMeant(entry)) found.set(entry.file, entry);
      }
    };
    take(this.#pending);
    for (const part of this.#names().reverse()) {
      if (found.size >= most) break;
      take(linesWith(path.join(this.#parts.folder, part), text));
    }
    return [...found.values()];
  }

  /** Returns the mails that gave no signal, whose sender and time are known. Pauses after each part. */
  *mails(): Generator<void, readonly ReadMail[]> {
    const oldest = this.#parts.now() - KEEP_MS;
    const found: ReadMail[] = [];
    for (const part of [...this.#names(), null]) {
      const entries = part === null ? this.#pending : linesWith(path.join(this.#parts.folder, part), 'authenticated');
      found.push(...entries.filter(({ at }) => at >= oldest).flatMap((entry) => readMailOf(entry) ?? []));
      yield;
    }
    return found;
  }

  /** Returns the newest entry about each file and each event in one, by its path. Pauses after each part. */
  *newest(): Generator<void, ReadonlyMap<string, TrailEntry>> {
    const oldest = this.#parts.now() - KEEP_MS;
    const found = new Map<string, TrailEntry>();
    for (const part of this.#names()) {
      for (const entry of linesWith(path.join(this.#parts.folder, part), '')) found.set(entry.file, entry);
      yield;
    }
    for (const entry of this.#pending) found.set(entry.file, entry);
    for (const [file, { at }] of found) if (at < oldest) found.delete(file);
    return found;
  }

  /** Forgets the parts whose last entries are older than 90 days, and those that no clock of ours can have begun. */
  prune(): void {
    this.#parts.demand();
    for (const part of this.#names())
      if (this.#age(part) > KEEP_MS + PART_MS || this.#isForeign(part)) this.#forget(part);
  }

  #part(): string {
    const names = this.#names();
    const last = names.findLast((part) => !this.#isForeign(part));
    if (last !== undefined && this.#hasRoom(last)) return last;
    for (const part of names.slice(0, Math.max(0, names.length + 1 - MOST_PARTS))) this.#forget(part);
    // After the last one, even if the clock was set back.
    const next = Math.max(this.#parts.now(), last === undefined ? 0 : begunAt(last) + 1);
    return `trail-${String(next).padStart(13, '0')}.jsonl`;
  }

  #hasRoom(part: string): boolean {
    const stat = fs.lstatSync(path.join(this.#parts.folder, part), { throwIfNoEntry: false });
    const isRoomy = stat?.isFile() === true && stat.size < PART_BYTES;
    return isRoomy && this.#age(part) <= PART_MS;
  }

  #age(part: string): number {
    return this.#parts.now() - begunAt(part);
  }

  #isForeign(part: string): boolean {
    return this.#age(part) < -PART_MS;
  }

  #forget(part: string): void {
    fs.rmSync(path.join(this.#parts.folder, part), { force: true });
  }

  #names(): string[] {
    try {
      return fs
        .readdirSync(this.#parts.folder)
        .filter((name) => PART.test(name))
        .sort();
    } catch {
      return []; // it doesn't exist yet
    }
  }
}

function begunAt(part: string): number {
  return Number(PART.exec(part)?.[1] ?? 0);
}

/** Whether a stream file is meant by its path, its name, or its name without the ending. */
export function isNamed(file: string, written: string): boolean {
  const { base, name } = path.posix.parse(file);
  return file === written || base === written || name === written;
}

function linesWith(file: string, written: string): TrailEntry[] {
  // Most lines are about other files: they need not be parsed.
  const part = JSON.stringify(written).slice(1, -1);
  try {
    const { bytes } = readBytes(file, 64 * PART_BYTES, O_NOFOLLOW);
    const lines = bytes.toString('utf8').split('\n');
    return lines.filter((line) => line.includes(part)).flatMap((line) => readOwnJson(trailEntry, line) ?? []);
  } catch {
    return []; // gone in the meantime, or not one of the program's files
  }
}

// A circular, and what is too old to be looked into, is no answer of anybody.
function readMailOf({ kind, from, sent, subject, file, authenticated }: TrailEntry): ReadMail | null {
  const at = Date.parse(sent ?? '');
  if (
    kind === 'not-admitted' ||
    from === null ||
    Number.isNaN(at) ||
    authenticated === undefined ||
    authenticated === 'fail'
  )
    return null;
  return { from, at, subject: subject === '' ? null : subject, file, isVouched: authenticated === 'pass' };
}

const ID_DIGITS = 12;

/** Returns what tells an event from the others of its file, the same however often it is read. */
export function identityId(identity: Identity): string {
  return identityHash(identity).slice(0, ID_DIGITS);
}

/** Returns the hash of an event's name: all its versions have it. */
export function nameHash({ key }: Identity): string {
  return sha256(key);
}

export function identityHash({ key, version }: Identity): string {
  return sha256(`${key}\0${version}`);
}

/** Which events were read, by their identity. */
export interface EventMemory {
  /** Returns the versions of an event that were read, oldest first. Throws what the disk refuses. */
  of(identity: Identity): readonly KnownVersion[];
  /** Remembers that an event was read; the next flush writes it. */
  add(identity: Identity, known: KnownVersion): void;
  /** Writes what was added since the last flush. Throws what the disk refuses. */
  flush(): void;
  /** Forgets what cannot come again. */
  prune(): void;
}

/** Returns the relation of an event to those that were read before under its name, however they came in. */
export function findVersion(known: EventMemory, identity: Identity): EventVersion {
  const own = known.of(identity);
  const elsewhere = otherName(identity);
  if (elsewhere === null) return compareWithRead(identity, own);
  return compareAcrossChannels(identity, own, known.of({ ...identity, key: elsewhere }));
}

/** Remembers that an event was read: an appointment that a mail brought also as one that has come by mail. */
export function rememberAs(known: EventMemory, identity: Identity, version: KnownVersion): void {
  const { inCalendar } = identity;
  const names = [identity, ...(inCalendar === undefined ? [] : [{ ...identity, key: byMail(inCalendar) }])];
  for (const name of names) {
    if (!known.of(name).some((one) => isSame(one, version))) known.add(name, version);
  }
}

function isSame(one: KnownVersion, other: KnownVersion): boolean {
  return one.version === other.version && one.path === other.path && one.gave === other.gave;
}

/** The name that the same appointment has at the other door. */
function otherName({ key, inCalendar, otherwise }: Identity): string | null {
  if (inCalendar !== undefined) return inCalendar;
  return otherwise === 'newer' ? byMail(key) : null;
}

function byMail(key: string): string {
  return `${key} by mail`;
}

/** A version of an event that was read before. */
export interface KnownVersion {
  readonly version: string;
  /** The path of the event as it was read. */
  readonly path: string;
  readonly gave: boolean;
}

/** The relation of an event to those that were read before under its name. */
export type EventVersion =
  | { readonly kind: 'new' }
  /** It was read before; or a newer version of it was. */
  | { readonly kind: 'known'; readonly as: KnownVersion; readonly isOutdated: boolean }
  /** Another event has its name. */
  | { readonly kind: 'namesake'; readonly of: KnownVersion }
  /** It is a newer version of what was read before, oldest first. */
  | { readonly kind: 'newer'; readonly than: readonly KnownVersion[] };

/** Returns the relation of an event to what is known of its name, oldest first (see `Identity`). */
export function compareWithRead({ version, otherwise }: Identity, known: readonly KnownVersion[]): EventVersion {
  const same = known.findLast((one) => one.version === version);
  if (same !== undefined && otherwise === 'other') return { kind: 'known', as: same, isOutdated: false };
  const newest = known.reduce<KnownVersion | null>((a, b) => (a === null || b.version >= a.version ? b : a), null);
  if (newest === null) return { kind: 'new' };
  if (otherwise === 'other') return { kind: 'namesake', of: newest };
  if (version > newest.version) return { kind: 'newer', than: known.toSorted(byVersion) };
  return { kind: 'known', as: newest, isOutdated: version !== newest.version };
}

/**
 * Does the same if it may have come another way as well: `there` is what was read of it there. One version is the same
 * both ways. A calendar is the person's own, so a later version in it outdates a mail's. A mail outdates no calendar
 * entry, since anyone can write it.
 */
export function compareAcrossChannels(
  identity: Identity,
  own: readonly KnownVersion[],
  there: readonly KnownVersion[],
): EventVersion {
  const here = compareWithRead(identity, own);
  if (here.kind === 'known') return here;
  const { version, inCalendar } = identity;
  const same = there.find((one) => one.version === version);
  if (same !== undefined) return { kind: 'known', as: same, isOutdated: false };
  const later = inCalendar === undefined ? undefined : there.findLast((one) => one.version > version);
  if (later !== undefined) return { kind: 'known', as: later, isOutdated: true };
  const than = [...there, ...own].filter((one) => one.version < version).toSorted(byVersion);
  return than.length === 0 ? here : { kind: 'newer', than };
}

function byVersion(one: KnownVersion, other: KnownVersion): number {
  return one.version < other.version ? -1 : Number(one.version > other.version);
}

/** Older events aren't looked into again, but an event without a time of its own may come again late. */
const KEEP_DAYS = 400;
const KEY_DIGITS = 32;
const LINE_END = 0x0a;
const FIRST_LINE_BYTES = 200;
const MOST_PART_BYTES = 512 * 1024 * 1024;
const MAX_STORED_TEXT = 300;

/** The record of an event: the day it was read (since 1970), its version, its path, and whether it gave a signal. */
const line = z.tuple([z.number().int(), z.string(), z.string(), z.boolean()]);

/**
 * Which events were read, by their identity: 256 files that are only added to, of which one is read for a question.
 * Memory keeps only the unwritten entries and the files that were read since the last flush.
 * Entries stay on disk for 400 days at most.
 */
export class KnownEvents {
  readonly #parts: GrowingFiles;
  readonly #pending = new Map<string, string[]>();
  readonly #held = new Map<string, Buffer>();

  constructor(parts: GrowingFiles) {
    this.#parts = parts;
  }

  /** Returns the versions of an event that were read, oldest first. Throws what the disk refuses. */
  of(identity: Identity): readonly KnownVersion[] {
    const key = keyOf(identity);
    const part = key.slice(0, 2);
    const lines = [...linesWithKey(this.#bytesOf(part), key), ...(this.#pending.get(part) ?? [])];
    return lines.flatMap((text) => versionIn(text, key));
  }

  /** Remembers that an event was read; the next flush writes it. */
  add(identity: Identity, { version, path: read, gave }: KnownVersion): void {
    const key = keyOf(identity);
    const today = Math.floor(this.#parts.now() / DAY_MS);
    const text = `${key} ${JSON.stringify([today, version.slice(0, MAX_STORED_TEXT), read.slice(0, MAX_STORED_TEXT), gave])}`;
    const part = key.slice(0, 2);
    this.#pending.set(part, [...(this.#pending.get(part) ?? []), text]);
  }

  /** Writes what was added since the last flush. Throws what the disk refuses. */
  flush(): void {
    this.#held.clear();
    if (this.#pending.size === 0) return;
    this.#parts.demand();
    fs.mkdirSync(this.#parts.folder, { recursive: true, mode: 0o700 });
    for (const [part, lines] of this.#pending) {
      // A process that was killed may have left half a line.
      append(this.#file(part), `\n${lines.join('\n')}\n`);
      this.#pending.delete(part);
    }
  }

  /** Forgets what was read more than 400 days ago. Throws what the disk refuses. */
  prune(): void {
    this.#held.clear();
    const oldest = Math.floor(this.#parts.now() / DAY_MS) - KEEP_DAYS;
    this.#parts.demand();
    for (const name of this.#names()) {
      // The oldest comes first: most parts need not be read.
      if (dayRead(head(this.#file(name))) >= oldest) continue;
      const lines = this.#read(name).toString('utf8').split('\n').filter(Boolean);
      const kept = lines.filter((text) => dayRead(text) >= oldest);
      if (kept.length < lines.length) writeState(this.#file(name), `${kept.join('\n')}\n`);
    }
  }

  #names(): string[] {
    try {
      return fs.readdirSync(this.#parts.folder).flatMap((name) => /^([0-9a-f]{2})\.jsonl$/.exec(name)?.[1] ?? []);
    } catch {
      return []; // it doesn't exist yet
    }
  }

  #bytesOf(part: string): Buffer {
    const bytes = this.#held.get(part) ?? this.#read(part);
    this.#held.set(part, bytes);
    return bytes;
  }

  #read(part: string): Buffer {
    try {
      return readBytes(this.#file(part), MOST_PART_BYTES, O_NOFOLLOW).bytes;
    } catch (error) {
      if (fs.existsSync(this.#file(part))) throw fileError(error, `.steward/state/known/${part}.jsonl`);
      return Buffer.alloc(0);
    }
  }

  #file(part: string): string {
    return path.join(this.#parts.folder, `${part}.jsonl`);
  }
}

/** Returns the hash by which an event is known: the same for all versions of it. */
function keyOf({ key }: Identity): string {
  return sha256(key).slice(0, KEY_DIGITS);
}

/** The lines of a key, without making text of the others. */
function linesWithKey(bytes: Buffer, key: string): string[] {
  const found: string[] = [];
  for (let at = bytes.indexOf(key, 0, 'latin1'); at >= 0; at = bytes.indexOf(key, at + KEY_DIGITS, 'latin1')) {
    const end = bytes.indexOf(LINE_END, at);
    if (at === 0 || bytes[at - 1] === LINE_END)
      found.push(bytes.subarray(at, end < 0 ? undefined : end).toString('utf8'));
  }
  return found;
}

// A line that was cut off in the middle is skipped.
function versionIn(text: string, key: string): KnownVersion[] {
  if (!text.startsWith(key)) return [];
  const known = readOwnJson(line, text.slice(KEY_DIGITS + 1));
  return known === null ? [] : [{ version: known[1], path: known[2], gave: known[3] }];
}

function dayRead(text: string): number {
  return Number(/^\s*[0-9a-f]+ \[(\d+),/.exec(text)?.[1] ?? 0);
}

function head(file: string): string {
  const handle = fs.openSync(file, fs.constants.O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const bytes = Buffer.alloc(FIRST_LINE_BYTES);
    return bytes.toString('utf8', 0, fs.readSync(handle, bytes, 0, FIRST_LINE_BYTES, 0));
  } finally {
    fs.closeSync(handle);
  }
}
