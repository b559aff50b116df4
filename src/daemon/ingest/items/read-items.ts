import fs from 'node:fs';
import { isPast } from '../../../stream/admission.ts';
import {
  addPast,
  addRefused,
  countsOf,
  type ItemCounts,
  type ItemsRead,
  unreadItems,
  withoutLast,
} from '../../../stream/items/items-read.ts';
import { silentFile } from '../../../stream/silence.ts';
import { itemPath } from '../../../vault/notes/stream-path.ts';
import type { Workspace } from '../../context/ports.ts';
import type { StreamRead } from '../../context/remembered/stream-read.ts';
import type { EventStream, ItemStream } from '../opened.ts';
import { isUnderstandableNow, triedBy } from '../readers.ts';
import { targetsOf } from '../target-sync.ts';
import { idOf, itemEvent, knownEvent, nameHash } from './item-event.ts';
import { hashBefore, hashOfWhole, type OpenItemFile, openItemFile } from './item-file.ts';
import { itemsOf, type Pages } from './item-process.ts';
import { standingIn } from './known-standing.ts';
import type { ReadItem } from './page.ts';

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
