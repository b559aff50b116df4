import fs from 'node:fs';
import { isMail, type StreamEvent } from '../steward/ports.ts';
import { isPast } from '../stream/admission.ts';
import { type Identity, type KnownVersion, type Standing, standingAcross, standingAmong } from '../stream/items.ts';
import {
  addPast,
  addRefused,
  countsOf,
  type ItemCounts,
  type ItemsRead,
  unreadItems,
  withoutLast,
} from '../stream/items-read.ts';
import { ITEM_KINDS } from '../stream/kinds.ts';
import { sourceFrom } from '../stream/mail/source-type.ts';
import { lookAlikeWarning } from '../stream/mail.ts';
import { silentFile } from '../stream/silence.ts';
import type { TargetIndex } from '../stream/targets-target-index.ts';
import { EXIT, StewardError, systemCode } from '../vault/errors.ts';
import { fileError } from '../vault/files.ts';
import { sha256 } from '../vault/hash.ts';
import { itemPath } from '../vault/notes/stream-path.ts';
import type { StreamRead } from './context/remembered/stream-read.ts';
import type { Ingest, Workspace } from './context.ts';
import { itemsOf, type Pages } from './ingest/items/item-process.ts';
import type { EventStream, ItemStream } from './ingest/opened.ts';
import { isUnderstandableNow, triedBy } from './ingest/readers.ts';
import { targetsOf } from './ingest/target-sync.ts';
import { hashBefore, hashOfWhole, type OpenItemFile, openItemFile } from './item-file.ts';
import type { ReadItem } from './item-page.ts';

const ID_DIGITS = 12;
/** A calendar may write a new version of an entry with each export. */
const MOST_VERSIONS = 50;

/** Returns what tells an event from the others of its file, the same however often it is read. */
function idOf(identity: Identity): string {
  return hashOf(identity).slice(0, ID_DIGITS);
}

/** Returns the hash of an event's name: all its versions have it. */
export function nameHash({ key }: Identity): string {
  return sha256(key);
}

/** Returns an event of a file that holds many, under its own path. */
export function itemEvent(file: string, event: StreamEvent, identity: Identity, at: number): EventStream {
  return {
    kind: 'event',
    event: { ...event, path: itemPath(file, idOf(identity)) },
    form: { size: 0, mtimeMs: 0, sha256: hashOf(identity), at },
    identity,
  };
}

/** Returns an event with what the program knows of it: who its sender is to the vault, and what was read under its name. */
export function knownEvent(index: TargetIndex, stream: EventStream, standing: Standing): EventStream {
  const event = withStanding(hasAddress(stream.event) ? asKnown(index, stream.event) : stream.event, standing);
  return { ...stream, event };
}

// What the program heard itself names its task, and its sender is nobody's look-alike; and only mails have addresses.
function hasAddress(event: StreamEvent): boolean {
  return event.about === undefined && isMail(event);
}

/** The event with what the vault knows of its sender: whether it is named, or only looks like one that is. */
function asKnown(index: TargetIndex, event: StreamEvent): StreamEvent {
  const isKnown = event.from !== null && index.knowsSender(event.from);
  const twin = event.from === null ? null : index.lookAlike(event.from);
  const warnings = twin === null ? event.warnings : [...event.warnings, lookAlikeWarning(twin)];
  return { ...event, sourceType: sourceFrom(event.sourceType, isKnown), warnings };
}

function withStanding(event: StreamEvent, standing: Standing): StreamEvent {
  if (standing.kind === 'newer')
    return { ...event, replaces: standing.than.slice(-MOST_VERSIONS).map(({ version }) => version) };
  if (standing.kind !== 'namesake') return event;
  const warning = `Another mail with the same Message-ID and other content was read before (${standing.of.path}): one of the two may be forged.`;
  const doubts = event.authentication.result === 'pass' ? [] : [NAMESAKE];
  return { ...event, warnings: [...event.warnings, warning], doubts: [...event.doubts, ...doubts] };
}

const NAMESAKE = 'Its Message-ID is that of another mail, and nobody vouches for who sent it.';

function hashOf({ key, version }: Identity): string {
  return sha256(`${key}\0${version}`);
}

type Known = Ingest['known'];

/** Returns how an event stands to those that were read before under its name, by whichever door they came. */
export function standingIn(known: Known, identity: Identity): Standing {
  const own = known.of(identity);
  const elsewhere = otherName(identity);
  if (elsewhere === null) return standingAmong(identity, own);
  return standingAcross(identity, own, known.of({ ...identity, key: elsewhere }));
}

/** Remembers that an event was read: an appointment that a mail brought also as one that has come by mail. */
export function rememberAs(known: Known, identity: Identity, version: KnownVersion): void {
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

/** How many events of a file may wait for a model before its reading pauses, and how few they are when it goes on. */
const MOST_OPEN = 200;
const FEW_OPEN = 100;

/** How far the reading of a file is. */
interface ItemProgress extends ItemCounts {
  readonly file: string;
  /** How many signals were written. */
  readonly signals: number;
  /** How much of the file is read; null where its kind does not count in bytes. */
  readonly bytes: number | null;
  readonly size: number;
}

/** Who takes the events of a file, and what ends the reading early. */
export interface ItemTaker {
  /** Reads an event, or sees to it that it is read later. Returns the signal notes that were written at once. */
  readonly take: (opened: EventStream) => Promise<readonly string[]>;
  /** The same for an event that was left open, by its path. */
  readonly again: (path: string) => Promise<readonly string[]>;
  /** Is told how far the reading is, page by page. */
  readonly onProgress?: ((progress: ItemProgress) => void) | undefined;
  readonly abort: AbortSignal;
}

/**
 * Reads a file that holds many events on from where it was, or anew where it is another by now. Each event goes to
 * `take`; what was read before, from this file or another, is passed over. Returns what is known of the file then; null
 * where it has not changed since it was read to its end. Throws what the disk refuses, and what `take` throws.
 */
export async function readItems(space: Workspace, stream: ItemStream, taker: ItemTaker): Promise<ItemsResult | null> {
  const { file, itemKind } = stream;
  const opened = openItemFile(space, file, itemKind);
  try {
    const before = space.context.state.get('streams')[file];
    if (before !== undefined && isFinished(before, opened) && !isBetterNow(space, file, before)) return null;
    const begun = beginning(before, opened);
    const { read } = begun;
    const { items } = read;
    read.at = space.context.now();
    space.context.state.get('streams')[file] = read;
    const signals: string[] = [];
    for (const id of Object.keys(items.open)) signals.push(...(await taker.again(itemPath(file, id))));
    const reading = new ItemReading(space, opened, begun, taker);
    await reading.toEnd();
    if (items.isDone) read.sha256 = hashOfWhole(opened);
    space.context.state.touch('streams', file);
    return { read, signals: [...signals, ...reading.signals] };
  } finally {
    fs.closeSync(opened.handle);
  }
}

/** Whether what was refused may be understood by now. */
function isBetterNow({ ingest, context }: Workspace, file: string, before: StreamRead): boolean {
  return isUnderstandableNow(ingest.readers, file, before, context.settings);
}

/** What is known of a file that was read, and the signal notes that were written meanwhile. */
interface ItemsResult {
  readonly read: StreamRead;
  readonly signals: readonly string[];
}

/** Whether the reading of a file paused, and may go on: so many events of it no longer wait. */
export function mayGoOn({ items }: StreamRead): boolean {
  return items !== null && !items.isDone && Object.keys(items.open).length <= FEW_OPEN;
}

/** What is remembered of a file while it is read. */
type ReadNow = { -readonly [Key in keyof StreamRead]: StreamRead[Key] } & { items: ItemsRead };

function isFinished({ size, mtimeMs, items }: StreamRead, opened: OpenItemFile): boolean {
  const isSame = size === opened.size && mtimeMs === opened.mtimeMs;
  return isSame && items?.isDone === true && Object.keys(items.open).length === 0;
}

/** What is known of a file before its reading goes on, and up to where its items are counted. */
interface Beginning {
  readonly read: ReadNow;
  readonly counted: number;
}

function beginning(before: StreamRead | undefined, opened: OpenItemFile): Beginning {
  const { size, mtimeMs, kind } = opened;
  const form = { size, mtimeMs, sha256: '', at: 0, skipped: null, refused: null, tried: null };
  if (before?.items?.kind !== kind.name) {
    return { read: { ...form, signals: 0, items: unreadItems(kind.name) }, counted: 0 };
  }
  const { items, signals } = before;
  if (size === before.size && mtimeMs === before.mtimeMs) {
    const again = before.tried === null ? items : { ...items, isDone: false };
    return { read: { ...before, refused: null, tried: null, items: again }, counted: 0 };
  }
  const isLonger = kind.isAppended && size >= items.position && hashBefore(opened, items.position) === items.before;
  if (!isLonger) return { read: { ...form, signals, items: unreadItems(kind.name) }, counted: 0 };
  // The last one may have been half written: it is looked at once more.
  const position = items.last?.at ?? items.position;
  // What was refused there is counted anew.
  const counted = items.last?.name === 'refused' ? position : items.position;
  return { read: { ...form, signals, items: { ...withoutLast(items), isDone: false, position } }, counted };
}

class ItemReading {
  readonly #space: Workspace;
  readonly #opened: OpenItemFile;
  readonly #read: ReadNow;
  readonly #taker: ItemTaker;
  /** The last item as it was when the file was shorter. */
  readonly #grown: ItemsRead['last'];
  /** Items before it were counted when the file was shorter. */
  readonly #counted: number;
  readonly signals: string[] = [];

  constructor(space: Workspace, opened: OpenItemFile, { read, counted }: Beginning, taker: ItemTaker) {
    this.#space = space;
    this.#opened = opened;
    this.#read = read;
    this.#taker = taker;
    this.#grown = read.items.last;
    this.#counted = counted;
  }

  async toEnd(): Promise<void> {
    const { items } = this.#read;
    for await (const page of itemsOf(this.#opened, items.position, this.#taker.abort)) {
      await this.#takeAll(page.items);
      this.#remember(page);
      if (Object.keys(items.open).length >= MOST_OPEN) return;
    }
    items.isDone = true;
    this.#space.context.state.touch('streams', this.#opened.door.file);
  }

  async #takeAll(items: readonly ReadItem[]): Promise<void> {
    for (const item of items) {
      this.#taker.abort.throwIfAborted();
      await this.#takeOne(item);
    }
  }

  async #takeOne({ at, place, content }: ReadItem): Promise<void> {
    const { items } = this.#read;
    const isCounted = at < this.#counted;
    items.last = { at, name: content.what === 'event' ? nameHash(content.identity) : content.what };
    if (content.what === 'refused' && !isCounted) this.#refuse(place, content.reason);
    if (content.what !== 'event') return;
    const { identity } = content;
    const { now } = this.#space.context;
    const stream = itemEvent(this.#opened.door.file, content.event, identity, now());
    const id = idOf(identity);
    // What comes behind it under the same name is another one.
    const isLast = this.#grown?.at === at && this.#grown.name === items.last.name;
    if (items.open[id] !== undefined) return;
    if (isPast(stream.event, new Date(now()))) {
      if (!isCounted) addPast(items);
      return;
    }
    const standing = standingIn(this.#space.ingest.known, identity);
    if (standing.kind === 'known') {
      if (!isCounted) items.known += 1;
      return;
    }
    items.read += 1;
    items.open[id] = at;
    const whole = isLast && standing.kind === 'namesake' ? { kind: 'new' as const } : standing;
    this.signals.push(...(await this.#taker.take(knownEvent(targetsOf(this.#space).index, stream, whole))));
  }

  #refuse(place: string, reason: string): void {
    const { file } = this.#opened.door;
    addRefused(this.#read.items, place, reason);
    const { trail } = this.#space.ingest;
    trail.add({ at: this.#space.context.now(), file: `${file}#${place}`, ...silentFile('unreadable', reason) });
  }

  // First the events by their identity, then the position behind them: what is read twice is known, what is not read is lost.
  #remember({ items: [...read], stop }: Pages): void {
    const { items } = this.#read;
    const last = read.at(-1);
    this.#space.ingest.known.flush();
    if (last !== undefined) {
      items.position = last.next;
      items.before = this.#opened.kind.isAppended ? hashBefore(this.#opened, last.next) : '';
    }
    if (stop !== null) {
      this.#read.refused = `${stop.message} ${stop.hint}`;
      this.#read.tried = triedBy(this.#space.ingest.readers, this.#opened.door.file, this.#space.context.settings);
    }
    this.#space.context.state.touch('streams', this.#opened.door.file);
    this.#taker.onProgress?.(this.#progress());
  }

  #progress(): ItemProgress {
    const { items, signals } = this.#read;
    const { size, kind, door } = this.#opened;
    return { file: door.file, ...countsOf(items), signals, bytes: kind.isAppended ? items.position : null, size };
  }
}
