/*
 * The ledger: where every received event ended (contract, section 18). It is worked out from what is remembered of stream
 * files, from the notes of signals and events, and from why events gave no signal.
 */

import type { ReadAccess, Workspace } from '../daemon/context.ts';
import { OTHER_REASONS, type UnreadCounts } from '../steward/inbox-words.ts';
import { endOfEvent, endOfSignal, type LedgerEnd, PILES, type Pile } from '../steward/ledger.ts';
import { isOwnNote } from '../steward/records.ts';
import { identifySpeaker } from '../steward/sender.ts';
import { findReader, kindsFor } from '../streams/kinds.ts';
import { type ItemsRead, itemEnds, STREAMS, type StreamRead, type TrailEntry } from '../streams/state.ts';
import { unreadStreams } from '../streams/streams.ts';
import { fold, itemPath, parseItemPath, streamFilePath } from '../vault/layout.ts';
import { addressFirst } from '../vault/source-names.ts';
import { inSlices, iso } from '../vault/time.ts';

/** The records, and what is known of stream files. */
type LedgerAccess = ReadAccess & Pick<Workspace, 'ingest'>;

/** An event of the ledger; `count` is more than 1 where single events of a file aren't remembered one by one any more. */
export interface LedgerItem extends LedgerEnd {
  /** The stream file, or the event in one that contains many. */
  readonly path: string;
  /** When it was read, or came where it hasn't been read yet (epoch ms). */
  readonly at: number;
  /** The sender as shown. */
  readonly from: string | null;
  readonly subject: string | null;
  /** The sender as what is learnt about it is called; null if that isn't known. */
  readonly source: string | null;
  readonly count: number;
}

interface Uncounted {
  /** The same event once more, in another file. */
  readonly copies: number;
  readonly ownNotes: number;
  readonly unknownKinds: number;
}

/** Every received event that is remembered, newest first, and what doesn't count as received. */
export interface ReceivedEvents {
  readonly items: readonly LedgerItem[];
  readonly uncounted: Uncounted;
}

/** A signal as the ledger sees it. */
interface SignalEnd {
  /** The event that gave it. */
  readonly path: string;
  readonly at: number;
  readonly from: string | null;
  readonly subject: string | null;
  readonly source: string | null;
  readonly end: LedgerEnd;
}

interface Remembered {
  /** Stream file → what it gave. */
  readonly reads: Readonly<Record<string, StreamRead>>;
  /** Stream files that are to be read, or read again, and when they came (epoch ms). */
  readonly unread: ReadonlyMap<string, number>;
  /** How many files of kinds that aren't read have come since anything was remembered of them. */
  readonly unknownKinds: number;
  /** Why a file, or an event in one, waits for a model. */
  readonly waits: ReadonlyMap<string, string>;
  readonly signals: readonly SignalEnd[];
  /** The newest entry about each event that gave no signal. */
  readonly silences: ReadonlyMap<string, TrailEntry>;
}

/** Why the program's own mails are skipped, and events that were read before; of a state that doesn't say it otherwise. */
const OWN_NOTE = "the vault's own note";
const COPY =
  /^(?:it was read as (.+)|a newer version of it was read as (.+)|it was read before, and left the vault since\b.*)$/;

/** Returns each received event once, newest first. Pure: the piles of all of them add up to what was received. */
export function listReceived(memory: Remembered): ReceivedEvents {
  const items: LedgerItem[] = [];
  const uncounted = { copies: 0, ownNotes: 0, unknownKinds: memory.unknownKinds };
  const signals = new SignalEnds(memory.signals);
  const silences = Map.groupBy(memory.silences.values(), ({ file }) => fileOfPlace(file));
  const files = new Set([...Object.keys(memory.reads), ...memory.unread.keys()]);
  const stoodFor = new Set<string>();
  const first = firstFiles(memory);
  for (const file of files) {
    const read = memory.reads[file];
    const original = originalOf(memory, file);
    // A copy counts as the event once its first file is forgotten.
    const isAgain =
      original !== file && (original === '' || files.has(streamFilePath(original)) || stoodFor.has(original));
    if (isAgain || isCounted(first, memory, file)) {
      uncounted.copies += 1;
      continue;
    }
    if (original !== file) stoodFor.add(original);
    const own = signals.take(original);
    const at = memory.unread.get(file);
    if (read?.items != null) {
      uncounted.ownNotes += read.items.aside[OWN_NOTE] ?? 0;
      uncounted.copies += read.items.known;
      const events = eventsOf(memory, file, read, read.items, own, silences.get(file) ?? []);
      for (const event of events) items.push(event);
    } else if (at !== undefined) {
      items.push(blank(file, at, { pile: 'waiting', reason: memory.waits.get(file) ?? 'it is read next', notes: [] }));
    } else if (read === undefined) continue;
    else if (read.tried !== null && read.refused === null) uncounted.unknownKinds += 1;
    else if (read.skipped?.startsWith(OWN_NOTE) === true) uncounted.ownNotes += 1;
    else items.push(oneEvent(file, read, own, memory.silences.get(file)));
  }
  // Their files have left the vault so long ago that nothing else is remembered of them.
  for (const event of byEvent(signals.rest())) items.push(event);
  return { items: items.toSorted((one, other) => other.at - one.at || (one.path < other.path ? -1 : 1)), uncounted };
}

/**
 * The file under which an event is counted, by the event's key: a mail that gave no signal is read again if it is
 * dropped once more.
 */
function firstFiles({ reads, unread, silences }: Remembered): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  for (const [file, read] of Object.entries(reads)) {
    const event = sameEventKey(read);
    if (event === null || read.copyOf !== undefined || unread.has(file)) continue;
    const known = first.get(event);
    if (known === undefined || (read.signals > 0 && reads[known]?.signals === 0)) first.set(event, file);
  }
  for (const path of silences.keys()) {
    const item = parseItemPath(path);
    const single = item === null ? undefined : first.get(item.id);
    if (item !== null && single !== undefined && reads[item.file] !== undefined && reads[single]?.signals === 0)
      first.set(item.id, item.file);
  }
  return first;
}

/** Whether the event of a file is counted under another file. */
function isCounted(first: ReadonlyMap<string, string>, { reads, unread }: Remembered, file: string): boolean {
  const read = reads[file];
  const event = read === undefined || unread.has(file) ? null : sameEventKey(read);
  return event !== null && (first.get(event) ?? file) !== file;
}

// A file that can't be read as an event is known by its bytes.
function sameEventKey({ event, sha256, items }: StreamRead): string | null {
  if (items !== null) return null;
  return event ?? (sha256 === '' ? null : sha256);
}

/** The signals of events, each taken once. */
class SignalEnds {
  readonly #byFile: Map<string, SignalEnd[]>;

  constructor(signals: readonly SignalEnd[]) {
    this.#byFile = Map.groupBy(signals, ({ path }) => streamFilePath(path));
  }

  /** Takes the signals of a file with all events in it, or of one event. */
  take(path: string): SignalEnd[] {
    const file = streamFilePath(path);
    const own = this.#byFile.get(file) ?? [];
    const [taken, left] = [
      own.filter((one) => file === path || one.path === path),
      own.filter((one) => file !== path && one.path !== path),
    ];
    this.#byFile.set(file, left);
    return taken;
  }

  rest(): SignalEnd[] {
    return [...this.#byFile.values()].flat();
  }
}

/** The path under which an event was read first; empty if that is forgotten. */
function originalOf({ reads, unread }: Remembered, file: string): string {
  const read = reads[file];
  if (read === undefined || read.items !== null || unread.has(file)) return file;
  if (read.copyOf !== undefined) return read.copyOf;
  const [is, as, newer] = COPY.exec(read.skipped ?? '') ?? [];
  return is === undefined ? file : (as ?? newer ?? '');
}

/** The file of an entry about an event in it, or about a place: `stream/all.mbox#mail 3`. */
function fileOfPlace(path: string): string {
  const at = path.lastIndexOf('#');
  return at < 0 ? path : path.slice(0, at);
}

function blank(path: string, at: number, end: LedgerEnd, count = 1): LedgerItem {
  return { path, at, from: null, subject: null, source: null, ...end, count };
}

const GONE: LedgerEnd = { pile: 'setAside', reason: 'its signal note is gone', notes: [] };

function oneEvent(
  file: string,
  read: StreamRead,
  signals: readonly SignalEnd[],
  silence: TrailEntry | undefined,
): LedgerItem {
  const end = endOfEvent(signals.map(({ end }) => end));
  const [first] = signals;
  if (end !== null && first !== undefined) return { ...givenBy(first, end), path: file, at: read.at };
  const why = read.refused ?? read.skipped;
  if (why === null) return blank(file, read.at, GONE);
  const isUnread = read.refused !== null || read.isUnread === true;
  const head = silence === undefined ? {} : headOf(silence);
  const notes = silence?.closest.slice(0, 1).map(({ note }) => note) ?? [];
  return { ...blank(file, read.at, { pile: isUnread ? 'notRead' : 'setAside', reason: why, notes }), ...head };
}

function headOf({ from, subject, source }: TrailEntry): Pick<LedgerItem, 'from' | 'subject' | 'source'> {
  return { from, subject, source: source ?? null };
}

const TOO_OLD: LedgerEnd = { pile: 'setAside', reason: 'too long ago when it was read', notes: [] };

function eventsOf(
  { waits }: Remembered,
  file: string,
  read: StreamRead,
  items: ItemsRead,
  signals: readonly SignalEnd[],
  silences: readonly TrailEntry[],
): LedgerItem[] {
  const { gave, aside: counted, unread } = itemEnds(items);
  const { [OWN_NOTE]: _, ...aside } = counted;
  const given = byEvent(signals);
  const rest = gave - given.length;
  const newest = silences.toSorted((one, other) => other.at - one.at);
  const kinds = (kind: (entry: TrailEntry) => boolean) => newest.filter(kind);
  return [
    ...given,
    ...(rest > 0 ? [blank(file, read.at, GONE, rest)] : []),
    ...Object.keys(items.open).map((id) => {
      const path = itemPath(file, id);
      const reason = waits.get(path) ?? 'it waits for a model';
      return blank(path, read.at, { pile: 'waiting', reason, notes: [] });
    }),
    ...silentEvents(
      file,
      read.at,
      'setAside',
      aside,
      kinds(({ kind }) => kind !== 'not-read' && kind !== 'unreadable'),
    ),
    ...silentEvents(
      file,
      read.at,
      'notRead',
      unread,
      kinds(({ kind }) => kind === 'not-read'),
    ),
    ...silentEvents(
      file,
      read.at,
      'notRead',
      refusedIn(items),
      kinds(({ kind }) => kind === 'unreadable'),
    ),
    ...(items.past > 0 ? [blank(file, read.at, TOO_OLD, items.past)] : []),
    ...(read.refused === null ? [] : [blank(file, read.at, { pile: 'notRead', reason: read.refused, notes: [] })]),
  ];
}

function byEvent(signals: readonly SignalEnd[]): LedgerItem[] {
  return [...Map.groupBy(signals, ({ path }) => path).values()].flatMap((own) => {
    const [first] = own;
    const end = endOfEvent(own.map(({ end }) => end));
    return first === undefined || end === null ? [] : [givenBy(first, end)];
  });
}

function givenBy({ path, at, from, subject, source }: SignalEnd, end: LedgerEnd): LedgerItem {
  return { path, at, from, subject, source, ...end, count: 1 };
}

function refusedIn({ refused, troubles }: ItemsRead): UnreadCounts {
  const counts: Record<string, number> = {};
  for (const { reason } of troubles) counts[reason] = (counts[reason] ?? 0) + 1;
  const rest = refused - troubles.length;
  return rest > 0 ? { ...counts, [OTHER_REASONS]: (counts[OTHER_REASONS] ?? 0) + rest } : counts;
}

/** The counts say how many there are; the entries, newest first, say which, as far as they are still there. */
function silentEvents(
  file: string,
  at: number,
  pile: Pile,
  counts: UnreadCounts,
  entries: readonly TrailEntry[],
): LedgerItem[] {
  const left = new Map(Object.entries(counts));
  const named = entries.flatMap((entry): LedgerItem[] => {
    const key = left.has(entry.reason) ? entry.reason : OTHER_REASONS;
    const rest = left.get(key) ?? 0;
    if (rest === 0) return [];
    left.set(key, rest - 1);
    const notes = entry.closest.slice(0, 1).map(({ note }) => note);
    return [{ ...blank(entry.file, entry.at, { pile, reason: entry.reason, notes }), ...headOf(entry) }];
  });
  const others = [...left].flatMap(([reason, rest]) =>
    rest > 0 ? [blank(file, at, { pile, reason, notes: [] }, rest)] : [],
  );
  return [...named, ...others];
}

/** Returns what is remembered of received events. Pauses after each small step. */
export function* remembered(space: LedgerAccess): Generator<void, Remembered> {
  const { context, vault, ingest } = space;
  const signals: SignalEnd[] = [];
  for (const signal of vault.catalogue.each('signal')) {
    yield;
    const { source_event_path: path, created, from, headline, withdrawn } = signal.fields;
    if (withdrawn) continue; // its message counts by what it says now
    // Words of the user or of the vault itself came through no stream.
    if (path === null || vault.layout.folderKindOf(path) !== 'stream' || !isOwnNote(space, signal)) continue;
    const at = Date.parse(created ?? '');
    const { source } = identifySpeaker(space, signal);
    signals.push({
      path,
      at: Number.isNaN(at) ? 0 : at,
      from: from === null ? null : addressFirst(from),
      subject: headline,
      source,
      end: endOfSignal(space, signal),
    });
  }
  const reads = context.state.get(STREAMS);
  const [known, unknown] = [new Map<string, number>(), new Set<string>()];
  for (const file of unreadStreams(space)) {
    if (findReader(space.ingest.readers, file) !== null || kindsFor(file).length > 0)
      known.set(file, vault.streams.get(file)?.mtimeMs ?? 0);
    else if (reads[file] === undefined) unknown.add(file);
  }
  return {
    reads,
    unread: known,
    unknownKinds: unknown.size,
    waits: new Map([...ingest.waiting].map(([file, { reason }]) => [file, reason])),
    signals,
    silences: yield* ingest.trail.newest(),
  };
}

/** How many events ended in a pile for one reason. */
interface ReasonCount {
  readonly pile: Pile;
  readonly reason: string;
  readonly count: number;
}

/** Where every received event ended (`ledger --json`, contract, section 12). */
export interface Ledger {
  readonly schemaVersion: 1;
  readonly since: string | null;
  readonly received: number;
  readonly piles: Readonly<Record<Pile, number>>;
  /** The most frequent first. */
  readonly reasons: readonly ReasonCount[];
  /** Newest first; `at` is ISO. */
  readonly items: readonly (Omit<LedgerItem, 'at'> & { readonly at: string })[];
  readonly uncounted: Uncounted;
}

/**
 * The request of `steward ledger`. `since`: only events from then on (epoch ms); `most`: how many of the newest are
 * listed.
 */
interface LedgerRequest {
  readonly since: number | null;
  readonly most: number | null;
}

export function composeLedger({ items, uncounted }: ReceivedEvents, { since, most }: LedgerRequest): Ledger {
  const wanted = since === null ? items : items.filter(({ at }) => at >= since);
  const sum = (chosen: readonly LedgerItem[]) => chosen.reduce((events, { count }) => events + count, 0);
  const inPile = (pile: Pile) => sum(wanted.filter((item) => item.pile === pile));
  const [done, asked, waiting, setAside, notRead] = PILES.map(inPile);
  const piles = {
    done: done ?? 0,
    asked: asked ?? 0,
    waiting: waiting ?? 0,
    setAside: setAside ?? 0,
    notRead: notRead ?? 0,
  };
  const reasons = [...Map.groupBy(wanted, ({ pile, reason }) => `${pile} ${reasonKind(reason)}`).values()].flatMap(
    (own) => {
      const [first] = own;
      return first === undefined ? [] : [{ pile: first.pile, reason: reasonKind(first.reason), count: sum(own) }];
    },
  );
  return {
    schemaVersion: 1,
    since: since === null ? null : iso(since),
    received: sum(wanted),
    piles,
    reasons: reasons.toSorted((one, other) => other.count - one.count || (one.reason < other.reason ? -1 : 1)),
    items: wanted.slice(0, most ?? wanted.length).map((item) => ({ ...item, at: iso(item.at) })),
    uncounted,
  };
}

const MAX_KIND = 60;

/**
 * Returns what a table counts together: `bulk mail` of `bulk mail: List-Unsubscribe`, and `negated` of
 * `"It wasn't paid. Sorry.": negated ("not")`. A quote may contain any sign.
 */
function reasonKind(reason: string): string {
  const why = /^".*": (.+)$/s.exec(reason)?.[1] ?? reason;
  const [kind = why] = why.replace(/ \(.*$/s, '').split(/(?<=.)(?:[:;.](?:\s|$))/);
  return kind.length > MAX_KIND ? `${kind.slice(0, MAX_KIND - 1)}…` : kind;
}

/** Returns the ledger of a vault. Pauses often, so that others have their turn. */
export function* buildLedger(space: LedgerAccess, request: LedgerRequest): Generator<void, Ledger> {
  return composeLedger(listReceived(yield* remembered(space)), request);
}

/** Returns the received events whose subjects contain these words, newest first. */
export async function findBySubject(space: LedgerAccess, words: string): Promise<readonly LedgerItem[]> {
  const part = fold(words);
  const { items } = listReceived(await inSlices(remembered(space)));
  return items.filter(({ subject }) => subject !== null && fold(subject).includes(part));
}

/** Returns some items drawn at random; the same seed draws the same ones. They keep their order. */
export function drawn<Item>(items: readonly Item[], most: number, seed: number): Item[] {
  const left = items.map((_, nth) => nth);
  const random = randomFrom(seed);
  const chosen: number[] = [];
  while (chosen.length < most && left.length > 0) {
    const at = Math.floor(random() * left.length);
    chosen.push(...left.splice(at, 1));
  }
  return chosen.toSorted((one, other) => one - other).flatMap((nth) => items.slice(nth, nth + 1));
}

/** Mulberry32: numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
