import type { ChildProcess, Serializable } from 'node:child_process';
import { on } from 'node:events';
import fs from 'node:fs';
import { z } from 'zod';
import type { IndexAccess, Workspace } from '../daemon/context.ts';
import { isAddressedToProgram } from '../reading/rules.ts';
import type { TargetIndex } from '../reading/targets.ts';
import { isMail, type StreamEvent, THING_KINDS } from '../steward/types.ts';
import { diagnostic, EXIT, errorReason, StewardError, systemCode } from '../vault/errors.ts';
import { fileError, openInside } from '../vault/files.ts';
import { itemPath } from '../vault/layout.ts';
import { MAIL_WARNINGS, sha256 } from '../vault/note-text.ts';
import { AUTHENTICATION_RESULTS } from '../vault/record.ts';
import { Mutex, Turns } from '../vault/time.ts';
import { classifyWorkerEnd, LastingWorker, runInWorker, startWorker, WorkerFailure } from '../vault/worker.ts';
import { isPast } from './extract.ts';
import { isUnderstandableNow, kindsFor, STREAM_KINDS, triedBy } from './kinds.ts';
import type { MailContext, ParsedMail } from './mail.ts';
import { lookAlikeWarning } from './mail-sender.ts';
import {
  addPast,
  addRefused,
  countItems,
  type EventVersion,
  findVersion,
  type ItemCounts,
  type ItemsRead,
  identityHash,
  identityId,
  nameHash,
  replacedItems,
  STREAMS,
  type StreamRead,
  silentFile,
  unreadItems,
  withoutLast,
} from './state.ts';
import {
  type ByteSource,
  type Identity,
  type ItemContent,
  isSmall,
  MAX_MAIL_BYTES,
  mayCarryCalendar,
  namedSource,
  type ReadContext,
  type StreamKind,
  sourceFrom,
} from './stream.ts';
import { syncTargets } from './target-sync.ts';

/** A calendar may write a new version of an entry with each export. */
const MOST_VERSIONS = 50;

/** Returns an event of a file that contains many, under its own path. */
export function itemEvent(file: string, event: StreamEvent, identity: Identity, at: number): EventStream {
  return {
    kind: 'event',
    event: { ...event, path: itemPath(file, identityId(identity)) },
    form: { size: 0, mtimeMs: 0, sha256: identityHash(identity), at },
    identity,
  };
}

/** Returns an event with what the program knows of it: who its sender is to the vault, and what was read under its name. */
export function knownEvent(index: TargetIndex, stream: EventStream, version: EventVersion): EventStream {
  const event = withVersion(hasAddress(stream.event) ? asKnown(index, stream.event) : stream.event, version);
  return { ...stream, event: isAddressedToProgram(event) ? withOrders(event) : event };
}

function withOrders(event: StreamEvent): StreamEvent {
  return { ...event, warnings: [...event.warnings, MAIL_WARNINGS.orders] };
}

// The program's own signals name their task, and have no look-alike sender; and only mails have addresses.
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

function withVersion(event: StreamEvent, version: EventVersion): StreamEvent {
  if (version.kind === 'newer')
    return { ...event, replaces: version.than.slice(-MOST_VERSIONS).map(({ version }) => version) };
  if (version.kind !== 'namesake') return event;
  const warning = `Another mail with the same Message-ID and other content was read before (${version.of.path}): one of the two may be forged.`;
  const doubts = event.authentication.result === 'pass' ? [] : [NAMESAKE];
  return { ...event, warnings: [...event.warnings, warning], doubts: [...event.doubts, ...doubts] };
}

const NAMESAKE = "It has the Message-ID of another mail, and its sender isn't authenticated.";

/**
 * Opens one event of a file that contains many, which was left open: it waits for a model. Returns null if it is not
 * there now: it is no longer open, or its file is gone, or has changed and is read again first. The events behind it
 * that wait as well come from the same reading: they are kept in `ingest.page` until they are asked for. Throws what
 * the disk refuses.
 */
export async function openItem(
  space: Workspace,
  { file, id }: { readonly file: string; readonly id: string },
): Promise<EventStream | null> {
  const read = space.context.state.get(STREAMS)[file];
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

/**
 * Reads one event of a file that contains many once more, whatever its outcome; null if it isn't there any more. Throws
 * what the disk refuses.
 */
export async function readItem(
  space: Workspace,
  { file, id }: { readonly file: string; readonly id: string },
): Promise<EventStream | null> {
  const kind = recognised(space.vault.root, file, kindsFor(file));
  if (kind === null) return null;
  const reading = openItemFile(space, file, kind);
  try {
    for await (const { items } of readFileItems(reading, 0, new AbortController().signal)) {
      const found = items.find(({ content }) => content.what === 'event' && identityId(content.identity) === id);
      if (found?.content.what === 'event') return opened(space, file, found.content);
    }
    return null;
  } finally {
    fs.closeSync(reading.handle);
  }
}

function opened(
  space: Workspace,
  file: string,
  { event, identity }: Pick<EventStream, 'event' | 'identity'>,
): EventStream {
  const version = findVersion(space.ingest.known, identity);
  return knownEvent(syncTargets(space).index, itemEvent(file, event, identity, space.context.now()), version);
}

type ReadFile = Pick<StreamRead, 'size' | 'mtimeMs'> & { readonly items: ItemsRead };

/** Reads some items of a file from a place on; null if the file is gone, or has changed since it was read. */
async function pageFrom(
  space: Workspace,
  file: string,
  { items, size, mtimeMs }: ReadFile,
  at: number,
): Promise<readonly ReadItem[] | null> {
  const kind = STREAM_KINDS.find(({ name }) => name === items.kind);
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
  for await (const { items, stop } of readFileItems(file, at, new AbortController().signal)) {
    if (items.length > 0) return items;
    // It could be read from there before: it is tried again, and stays open until then.
    if (stop !== null) throw new StewardError({ code: 'reading-ended', file: file.door.file, ...stop }, EXIT.tryAgain);
  }
  return [];
}

// In one step: another event may be opened in the meantime.
function keepPage(
  { ingest: { page } }: Workspace,
  file: string,
  { open }: ItemsRead,
  found: readonly ReadItem[],
): void {
  page.clear();
  for (const { content } of found) {
    if (content.what !== 'event') continue;
    const id = identityId(content.identity);
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
  items.read -= 1;
  context.state.touch(STREAMS, file);
}

/** How many events of a file may wait for a model before its reading pauses, and how few they are when it goes on. */
const MOST_OPEN = 200;
const FEW_OPEN = 100;

/** How far the reading of a file is. */
interface ItemProgress extends ItemCounts {
  readonly file: string;
  readonly signals: number;
  /** How much of the file is read; null if its kind does not count bytes. */
  readonly bytes: number | null;
  readonly size: number;
}

/** Who takes the events of a file, and what ends the reading early. */
export interface ItemTaker {
  /** Reads an event, or sees to it that it is read later. Returns the signal notes that were written at once. */
  readonly take: (opened: EventStream) => Promise<readonly string[]>;
  /** The same for an event that was left open, by its path. */
  readonly again: (path: string) => Promise<readonly string[]>;
  /** Receives the progress of the reading, page by page. */
  readonly onProgress?: ((progress: ItemProgress) => void) | undefined;
  readonly abort: AbortSignal;
}

/**
 * Reads a file that contains many events from its last position, or from the start if the file is another by now. Each
 * event goes to `take`; what was read before, from this file or another, is skipped. Returns what is known of the file
 * then; null if it has not changed since it was read to its end. Throws what the disk refuses, and what `take` throws.
 */
export async function readItems(space: Workspace, stream: ItemStream, taker: ItemTaker): Promise<ItemsResult | null> {
  const { file, itemKind } = stream;
  const opened = openItemFile(space, file, itemKind);
  try {
    const before = space.context.state.get(STREAMS)[file];
    if (before !== undefined && isFinished(before, opened) && !isBetterNow(space, file, before)) return null;
    const begun = beginning(before, opened);
    const { read } = begun;
    const { items } = read;
    read.at = space.context.now();
    space.context.state.get(STREAMS)[file] = read;
    const signals: string[] = [];
    for (const id of Object.keys(items.open)) signals.push(...(await taker.again(itemPath(file, id))));
    const reading = new ItemReading(space, opened, begun, taker);
    await reading.toEnd();
    if (items.isDone) read.sha256 = hashOfWhole(opened);
    space.context.state.touch(STREAMS, file);
    return { read, signals: [...signals, ...reading.signals] };
  } finally {
    fs.closeSync(opened.handle);
  }
}

/** Whether what was refused may be understood by now. */
function isBetterNow({ ingest, context }: Workspace, file: string, before: StreamRead): boolean {
  return isUnderstandableNow(ingest.readers, file, before, context.settings);
}

interface ItemsResult {
  readonly read: StreamRead;
  readonly signals: readonly string[];
}

/** Whether the reading of a file paused, and may go on, since few of its events still wait. */
export function mayGoOn({ items }: StreamRead): boolean {
  return items !== null && !items.isDone && Object.keys(items.open).length <= FEW_OPEN;
}

/** The stored facts about a file while it is read. */
type ReadNow = { -readonly [Key in keyof StreamRead]: StreamRead[Key] } & { items: ItemsRead };

function isFinished({ size, mtimeMs, items }: StreamRead, opened: OpenItemFile): boolean {
  const isSame = size === opened.size && mtimeMs === opened.mtimeMs;
  return isSame && items?.isDone === true && Object.keys(items.open).length === 0;
}

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
  const isLonger =
    kind.isAppended === true && size >= items.position && hashBefore(opened, items.position) === items.before;
  if (!isLonger) return { read: { ...form, signals, items: replacedItems(items) }, counted: 0 };
  // The last one may have been half written: it is looked at once more.
  const position = items.last?.at ?? items.position;
  // An item that was refused there is counted again.
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
    for await (const page of readFileItems(this.#opened, items.position, this.#taker.abort)) {
      await this.#takeAll(page.items);
      this.#remember(page);
      if (Object.keys(items.open).length >= MOST_OPEN) return;
    }
    items.isDone = true;
    this.#space.context.state.touch(STREAMS, this.#opened.door.file);
  }

  async #takeAll(items: readonly ReadItem[]): Promise<void> {
    const turns = new Turns();
    for (const item of items) {
      this.#taker.abort.throwIfAborted();
      await this.#takeOne(item);
      await turns.giveWay();
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
    const id = identityId(identity);
    // An item that follows it under the same name is another one.
    const isLast = this.#grown?.at === at && this.#grown.name === items.last.name;
    if (items.open[id] !== undefined) return;
    if (isPast(stream.event, new Date(now()))) {
      if (!isCounted) addPast(items);
      return;
    }
    const version = findVersion(this.#space.ingest.known, identity);
    if (version.kind === 'known') {
      if (!isCounted) items.known += 1;
      return;
    }
    items.read += 1;
    items.open[id] = at;
    const whole = isLast && version.kind === 'namesake' ? { kind: 'new' as const } : version;
    this.signals.push(...(await this.#taker.take(knownEvent(syncTargets(this.#space).index, stream, whole))));
  }

  #refuse(place: string, reason: string): void {
    const { file } = this.#opened.door;
    addRefused(this.#read.items, place, reason);
    const { trail } = this.#space.ingest;
    trail.add({ at: this.#space.context.now(), file: `${file}#${place}`, ...silentFile('unreadable', reason) });
  }

  // First the events by their identity, then the position behind them: a repeated event is known, an unread one would
  // be lost.
  #remember({ items: [...read], stop }: Pages): void {
    const { items } = this.#read;
    const last = read.at(-1);
    this.#space.ingest.known.flush();
    if (last !== undefined) {
      items.position = last.next;
      items.before = this.#opened.kind.isAppended === true ? hashBefore(this.#opened, last.next) : '';
    }
    if (stop !== null) {
      this.#read.refused = `${stop.message} ${stop.hint}`;
      this.#read.tried = triedBy(this.#space.ingest.readers, this.#opened.door.file, this.#space.context.settings);
    }
    this.#space.context.state.touch(STREAMS, this.#opened.door.file);
    this.#taker.onProgress?.(this.#progress());
  }

  #progress(): ItemProgress {
    const { items, signals } = this.#read;
    const { size, kind, door } = this.#opened;
    return {
      file: door.file,
      ...countItems(items),
      signals,
      bytes: kind.isAppended === true ? items.position : null,
      size,
    };
  }
}

/** How much of a file is looked at to say of which kind it is, and how much before a position to know it again. */
const HEAD_BYTES = 64 * 1024;
const BEFORE_BYTES = 4096;

/** Returns of which of these kinds a file is by its first bytes, or null. Throws what the disk refuses. */
export function recognised(root: string, file: string, kinds: readonly StreamKind[]): StreamKind | null {
  const { handle, stat } = openInside(root, file);
  try {
    const head = readAt(handle, 0, Math.min(stat.size, HEAD_BYTES));
    return kinds.find((kind) => kind.recognises(head)) ?? null;
  } finally {
    fs.closeSync(handle);
  }
}

interface OpenItemFile extends Reading {
  readonly mtimeMs: number;
}

/** Opens a file of a kind. The caller closes the handle. Throws what the disk refuses. */
function openItemFile(space: IndexAccess, file: string, kind: StreamKind): OpenItemFile {
  const { handle, stat } = openInside(space.vault.root, file);
  return { handle, size: stat.size, mtimeMs: stat.mtimeMs, kind, door: makeReadContext(space, file, kind) };
}

/** Returns the context for the reader of a file, `file` being its path in the vault. */
export function makeReadContext({ vault, context }: IndexAccess, file: string, kind: StreamKind): ReadContext {
  return {
    file,
    sourceType: namedSource(file, vault.layout.folders.stream) ?? kind.sourceType,
    trustedServers: context.settings.trusted_mail_servers,
    zone: ownZone(),
    now: context.now(),
    bankFormats: context.settings.bank_formats,
  };
}

/** Returns the IANA name of the person's time zone. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Returns a hash of the bytes before a position of an open file, to recognise it. */
function hashBefore({ handle }: Pick<OpenItemFile, 'handle'>, position: number): string {
  const from = Math.max(0, position - BEFORE_BYTES);
  return sha256(readAt(handle, from, position - from));
}

/**
 * Returns the hash of a whole file, to recognise it when it leaves the vault; empty if the file is one that grows, or
 * is too large to leave it.
 */
function hashOfWhole({ handle, size, kind }: OpenItemFile): string {
  return kind.isAppended === true || size > MAX_MAIL_BYTES ? '' : sha256(readAt(handle, 0, size));
}

function readAt(handle: number, at: number, length: number): ReturnType<ByteSource['read']> {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, fs.readSync(handle, bytes, 0, length, at));
}

/** The form in which a stream file was opened: its size, its time, the SHA-256 of its bytes, and when (epoch ms). */
export type FileForm = Pick<StreamRead, 'size' | 'mtimeMs' | 'sha256' | 'at'>;

/** A stream file without an event for the vault, and why: it was skipped or refused; `tried`: not understood by that reader. */
export type EventlessStream = { readonly kind: 'none'; readonly form: FileForm } & Pick<
  StreamRead,
  'skipped' | 'refused' | 'tried' | 'copyOf'
>;

/**
 * An event, with the form of the file that contains it. An event in a file that contains many has a form of its own:
 * the hash is that of its identity. It keeps the parsed event, which is cut to a few pages, and no bytes.
 */
export interface EventStream {
  readonly kind: 'event';
  readonly event: StreamEvent;
  readonly form: FileForm;
  readonly identity: Identity;
  /** The appointments that a mail carries, each under a path of its own; absent if there aren't any. */
  readonly within?: readonly EventStream[];
}

/** A file that contains many events. */
export interface ItemStream {
  readonly kind: 'items';
  readonly file: string;
  readonly itemKind: StreamKind;
}

export type OpenedStream = EventStream | EventlessStream | ItemStream;

const text = z.string().nullable();

const payment = z.object({
  account: text,
  status: z.enum(['booked', 'pending']),
  day: z.string(),
  amount: z.string(),
  currency: text,
  counterparty: text,
  iban: text,
  references: z.array(z.string()),
  purpose: z.string(),
  isReversal: z.boolean().exactOptional(),
});
const appointment = z.object({
  uid: z.string(),
  recurrence: text,
  status: z.enum(['confirmed', 'tentative', 'cancelled']),
  start: z.string(),
  end: text,
  movedFrom: text,
  location: text,
  series: z.literal(true).exactOptional(),
  ofSeries: z.literal(true).exactOptional(),
});

const forms = z.object({
  things: z.array(
    z.object({
      kind: z.enum(THING_KINDS),
      statuses: z.array(z.string()),
      day: text,
      dayBefore: text,
      references: z.array(z.string()),
      names: z.array(z.string()),
      parties: z.array(z.string()),
    }),
  ),
  struck: z.array(z.string()),
});

/**
 * A stream event as a worker process gives it, without the fields that only the program may set (`about`, `stated`).
 */
const streamEvent = z.object({
  path: z.string(),
  sourceType: z.string(),
  originAt: text,
  writtenAt: z.string().exactOptional(),
  from: text,
  fromName: text,
  to: z.array(z.string()),
  toNames: z.record(z.string(), z.string()).exactOptional(),
  subject: z.string(),
  continuesThread: z.boolean().exactOptional(),
  text: z.string(),
  quoted: z.string(),
  bulk: z.boolean(),
  bulkReason: text,
  ownNote: z.boolean(),
  authentication: z.object({ result: z.enum(AUTHENTICATION_RESULTS), server: text, reason: z.string() }),
  warnings: z.array(z.string()),
  shown: text,
  doubts: z.array(z.string()),
  payment: payment.exactOptional(),
  appointment: appointment.exactOptional(),
  spoken: z.object({ room: text, isPersonal: z.boolean() }).exactOptional(),
  page: z.object({ url: text }).exactOptional(),
  forms: forms.exactOptional(),
  unread: z.object({ reason: z.string(), isWhole: z.boolean() }).exactOptional(),
}) satisfies z.ZodType<StreamEvent>;

/** The identity of an event, as a worker process gives it. */
const identity = z.object({
  key: z.string(),
  version: z.string(),
  otherwise: z.enum(['other', 'newer']),
  inCalendar: z.string().exactOptional(),
});

/** An event with what makes it one and the same. */
const carried = z.object({ event: streamEvent, identity });

const place = z.object({ at: z.number(), next: z.number(), place: z.string() });
type Place = z.infer<typeof place>;

const content = z.discriminatedUnion('what', [
  z.object({ what: z.literal('event'), event: streamEvent, identity }),
  z.object({ what: z.literal('refused'), reason: z.string() }),
  z.object({ what: z.literal('nothing'), reason: z.string() }),
]);
/** An item of a file, and what it came to. */
export interface ReadItem extends Place {
  readonly content: ItemContent;
}

/** Some items of a file, in order; with `ends` they were the last ones. `refusal`: why the file cannot be read any further. */
export interface Page {
  readonly kind: 'page';
  readonly items: readonly ReadItem[];
  readonly ends: boolean;
  readonly refusal: { readonly message: string; readonly hint: string } | null;
}

/** A message of the process: the item that it begins with, or some items that it has read. */
export type WorkerMessage = Page | { readonly kind: 'begins'; readonly item: Place };

/** The same as it comes over the channel. */
const said: z.ZodType<WorkerMessage> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('begins'), item: place }),
  z.object({
    kind: z.literal('page'),
    items: z.array(place.extend({ content })),
    ends: z.boolean(),
    refusal: z.object({ message: z.string(), hint: z.string() }).nullable(),
  }),
]);

/** The limits of the process that reads a file: memory, and the processor time until it answers. */
const MEMORY_MB = 512;
const LIMIT_SECONDS = 10;
/** On a busy machine it gets its processor time late; so often it may take as long. */
const MOST_LIMITS = 6;
/** Of processor time, all in all; a longer file is read on by another process. */
const PROCESSOR_SECONDS = 900;
/** How many items are announced one by one after a process ended unexpectedly. */
const CAREFUL_ITEMS = 64;

interface Reading {
  readonly handle: number;
  readonly size: number;
  readonly kind: StreamKind;
  readonly door: ReadContext;
}

/** Why a file could not be read any further. */
interface Stop {
  readonly message: string;
  readonly hint: string;
}

/** Some items of a file; `stop` if these are the last although the file does not end there. */
interface Pages {
  readonly items: readonly ReadItem[];
  readonly stop: Stop | null;
}

/**
 * Reads the items of an open file from an item on, page by page, in a process of its own. An item that ends the
 * process, or takes longer than 10 s of processor time, is refused, and the reading goes on behind it. Rejects when
 * `abort` fires, and with `reading-ended` if the process was ended from outside.
 */
export async function* readFileItems(reading: Reading, from: number, abort: AbortSignal): AsyncGenerator<Pages> {
  const place: Position = { at: from, isCareful: false };
  for (;;) {
    const session = new Session(reading, place);
    try {
      for (let read = 0; !place.isCareful || read < CAREFUL_ITEMS; ) {
        const page = await session.page(abort);
        place.at = page.items.at(-1)?.next ?? place.at;
        read += page.items.length;
        yield { items: page.items, stop: page.refusal };
        if (page.ends) return;
      }
      place.isCareful = false;
    } catch (error) {
      abort.throwIfAborted();
      if (error instanceof StewardError) throw error;
      if (!place.isCareful) {
        // Which item it was is not known yet: the same ones are read once more, one by one.
        place.isCareful = true;
        continue;
      }
      const { begun } = session;
      if (begun === null || begun.at < place.at) {
        // A process that is late before its first item shows that the machine is slow: the file isn't the cause.
        if (!(error instanceof WorkerFailure) || error.limit !== 'memory')
          throw tryAgain(reading.door.file, errorReason(error));
        yield { items: [], stop: { message: `${errorReason(error)}.`, hint: BEHIND } };
        return;
      }
      yield { items: [{ ...begun, content: { what: 'refused', reason: errorReason(error) } }], stop: null };
      place.at = begun.next;
    } finally {
      session.end();
    }
  }
}

const BEHIND = "The rest of the file isn't read: split the file there, or export it again.";

interface Position {
  at: number;
  isCareful: boolean;
}

function tryAgain(file: string, why: string): StewardError {
  return new StewardError(
    {
      code: 'reading-ended',
      file,
      message: `The process that reads this file ended early: ${why}.`,
      hint: 'Steward continues in a minute; the machine may be short of memory or time.',
    },
    EXIT.tryAgain,
  );
}

/** The share of each second that a busy process uses, at least. */
const BUSY = 0.8;
const TICKS_PER_SECOND = 100;

/** The processor time that a process has used; infinite if the system does not say. */
function processorSeconds(pid: number | undefined): number {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** One process that reads a file. */
class Session {
  readonly #worker: ChildProcess;
  readonly #ended: Promise<NodeJS.Signals | null>;
  readonly #messages: AsyncIterator<unknown[]>;
  readonly #file: string;
  readonly #isCareful: boolean;
  #isAsked = true;
  /** The item that is being read, if items are announced. */
  begun: Place | null = null;

  constructor({ handle, size, kind, door }: Reading, { at, isCareful }: Position) {
    this.#file = door.file;
    this.#isCareful = isCareful;
    this.#worker = startWorker({
      script: './item-worker',
      from: import.meta.url,
      data: { kind: kind.name, size, from: at, isCareful, door: { ...door } },
      memoryMb: MEMORY_MB,
      seconds: PROCESSOR_SECONDS,
      file: handle,
    });
    this.#messages = on(this.#worker, 'message', { close: ['disconnect'] })[Symbol.asyncIterator]();
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', (_, signal) => resolve(signal));
      this.#worker.once('error', () => resolve(null));
    });
  }

  /** Returns the next page. Rejects if the process ends, or is silent for too long, or when `abort` fires. */
  async page(abort: AbortSignal): Promise<Page> {
    abort.throwIfAborted();
    if (!this.#isAsked) this.#ask();
    const stop = () => this.end();
    abort.addEventListener('abort', stop, { once: true });
    try {
      for (;;) {
        const heard = await this.#heard();
        if (heard.kind === 'begins') this.begun = heard.item;
        else return this.#turned(heard);
      }
    } finally {
      abort.removeEventListener('abort', stop);
    }
  }

  // The next page is read while this one is worked on, unless we must know which item ended the process.
  #turned(page: Page): Page {
    this.#isAsked = false;
    if (!page.ends && !this.#isCareful) this.#ask();
    return page;
  }

  #ask(): void {
    this.#isAsked = true;
    this.#worker.send('more', () => undefined);
  }

  end(): void {
    this.#worker.kill('SIGKILL');
  }

  async #heard(): Promise<WorkerMessage> {
    let isLate = false;
    const used = processorSeconds(this.#worker.pid);
    const since = performance.now();
    const timer = setInterval(() => {
      const isStarved = processorSeconds(this.#worker.pid) - used < LIMIT_SECONDS * BUSY;
      if (isStarved && performance.now() - since < MOST_LIMITS * LIMIT_SECONDS * 1000) return;
      isLate = true;
      this.end();
    }, LIMIT_SECONDS * 1000);
    try {
      const { value } = await this.#messages.next();
      if (Array.isArray(value)) return said.parse(value[0]);
      const signal = await this.#ended;
      // Only the system, or a person, ends a process so: the file isn't the cause.
      if (signal === 'SIGKILL' && !isLate) throw tryAgain(this.#file, 'it was ended from outside');
      throw classifyWorkerEnd({ memoryMb: MEMORY_MB, seconds: LIMIT_SECONDS }, isLate, signal);
    } finally {
      clearInterval(timer);
    }
  }
}

const problem = z.object({
  code: z.string(),
  file: z.string().nullable(),
  line: z.number().nullable(),
  column: z.number().nullable(),
  message: z.string(),
  hint: z.string(),
});
const parsedMail: z.ZodType<ParsedMail> = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), event: streamEvent, identity, within: z.array(carried).exactOptional() }),
  z.object({ ok: z.literal(false), trouble: problem }),
]);

/**
 * Parses one mail as `parseMail` does. A large one is parsed in a worker process that may use 512 MB and 10 s: no mail
 * blocks the daemon or ends it. So is one with an appointment, for its rule may be made to be slow. Never throws.
 */
export async function readMail(file: string, bytes: Buffer, door: MailContext): Promise<ParsedMail> {
  return readMailBy(file, bytes, door, (data) => runInWorker({ ...MAIL_WORKER, data, message: parsedMail }));
}

/**
 * Reads one mail after another as `readMail` does, the large ones in one process: to start one for each takes longer than to
 * read it.
 */
export class MailSeries implements Disposable {
  readonly #worker = new LastingWorker(MAIL_WORKER);
  readonly #turns = new Mutex();

  /** Reads a mail. Never rejects. */
  read = (file: string, bytes: Buffer, door: MailContext): Promise<ParsedMail> =>
    readMailBy(file, bytes, door, (data) => this.#turns.run(() => this.#worker.ask(data, parsedMail)));

  [Symbol.dispose](): void {
    this.#worker[Symbol.dispose]();
  }
}

/** The process that reads mails, and what it may take for each. */
const MAIL_WORKER = {
  ...{ script: './mail-worker', from: import.meta.url },
  ...{ memoryMb: MEMORY_MB, seconds: LIMIT_SECONDS },
};

async function readMailBy(
  file: string,
  bytes: Buffer,
  door: MailContext,
  parseInWorker: (data: Serializable) => Promise<ParsedMail>,
): Promise<ParsedMail> {
  const isCarrier = door.calendar !== undefined && mayCarryCalendar(bytes);
  if (!isCarrier && isSmall(bytes)) {
    // Loaded with the first mail: most commands read none, and the parser of HTML takes its time.
    const { parseMail } = await import('./mail.ts');
    return parseMail(file, bytes, door);
  }
  try {
    return await parseInWorker({ task: 'parse', path: file, bytes: new Uint8Array(bytes), ...door });
  } catch (error) {
    return { ok: false, trouble: unreadable(file, error) };
  }
}

function unreadable(file: string, error: unknown) {
  return diagnostic({
    code: 'mail-unreadable',
    file,
    message: `The mail cannot be read: ${errorReason(error)}.`,
    hint: 'Save it without its attachments, or open it in a mail program: it may be malicious.',
  });
}
