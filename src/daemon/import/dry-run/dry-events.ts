import type { StreamEvent } from '../../../steward/ports/stream-event.ts';
import { isPast } from '../../../stream/admission.ts';
import type { Identity } from '../../../stream/items/item.ts';
import { type KnownVersion, standingAmong } from '../../../stream/items/standing.ts';
import { MAX_MAIL_BYTES } from '../../../stream/mail/source-type.ts';
import { readBytes } from '../../../vault/files.ts';
import { sha256 } from '../../../vault/hash.ts';
import type { StreamReader, Workspace } from '../../context/ports.ts';
import { itemEvent, knownEvent, nameHash } from '../../ingest/items/item-event.ts';
import { doorOf, kindsFor } from '../../ingest/items/item-file.ts';
import { itemsOf } from '../../ingest/items/item-process.ts';
import type { ReadItem } from '../../ingest/items/page.ts';
import type { EventStream } from '../../ingest/opened.ts';
import { parsedStream, twinOf, wasRead } from '../../ingest/opened-stream.ts';
import { readerOf } from '../../ingest/readers.ts';
import { targetsOf } from '../../ingest/target-sync.ts';
import { headOf, openSource } from '../open-source.ts';

/** One of the events that a file holds, as it would be read; or why it would not be. */
type DryEvent = DryPlace &
  (
    | { readonly what: 'event'; readonly event: StreamEvent }
    | { readonly what: 'known' }
    | { readonly what: 'refused'; readonly reason: string }
  );

/** Where it stands. */
interface DryPlace {
  /** How a person finds it in its file; null where it is the whole file. */
  readonly place: string | null;
  /** How many bytes of the file are read with it; null where its kind does not count in bytes. */
  readonly bytes: number | null;
}

/** A file that is read where it lies, and the name that it would have in the vault. */
interface DryFile {
  readonly from: string;
  readonly wanted: string;
}

/** Reads the events of files where they lie, each event once. Writes nothing. */
export class DryReading {
  readonly #space: Workspace;
  /** What this reading has come upon itself. */
  readonly #seen = new Map<string, readonly KnownVersion[]>();

  constructor(space: Workspace) {
    this.#space = space;
  }

  /** Yields the events of a file. Throws what the disk refuses. */
  async *eventsIn(file: DryFile): AsyncGenerator<DryEvent> {
    const reader = readerOf(this.#space.ingest.readers, file.wanted);
    if (reader === null) yield* this.#many(file);
    else yield* this.#single(reader, file);
  }

  async *#single(reader: StreamReader, { from, wanted }: DryFile): AsyncGenerator<DryEvent> {
    const space = this.#space;
    const { bytes, stat } = readBytes(from, MAX_MAIL_BYTES);
    const at = { place: null, bytes: bytes.length };
    const form = { size: stat.size, mtimeMs: stat.mtimeMs, sha256: sha256(bytes), at: space.context.now() };
    const opened = wasRead(space, wanted, form) ? null : await parsedStream(space, reader, wanted, bytes, form);
    if (opened?.kind === 'none') yield { ...at, what: 'refused', reason: reasonOf(opened) };
    else if (
      opened === null ||
      twinOf(space.ingest, opened) !== null ||
      this.#isSeen(opened.identity, opened.event.path)
    )
      yield { ...at, what: 'known' };
    else {
      yield { ...at, what: 'event', event: opened.event };
      for (const one of opened.within ?? []) yield { place: 'its appointment', bytes: null, ...this.#event(one) };
    }
  }

  async *#many({ from, wanted }: DryFile): AsyncGenerator<DryEvent> {
    const source = await openSource(from);
    try {
      const head = await headOf(source);
      const kind = kindsFor(wanted).find((one) => one.recognises(head));
      if (kind === undefined) return;
      const { handle, stat } = source;
      const reading = { handle: handle.fd, size: stat.size, kind, door: doorOf(this.#space, wanted, kind) };
      for await (const { items, stop } of itemsOf(reading, 0, NEVER)) {
        for (const item of items) {
          const found = this.#found(wanted, item);
          const at = { place: item.place, bytes: kind.isAppended ? item.next : null };
          if (found !== null) yield { ...at, ...found };
        }
        if (stop !== null) yield { place: 'behind that', bytes: null, what: 'refused', reason: stop.message };
      }
    } finally {
      await source.handle.close();
    }
  }

  #found(file: string, { content }: ReadItem): Found | null {
    if (content.what === 'nothing') return null;
    if (content.what === 'refused') return { what: 'refused', reason: content.reason };
    const opened = itemEvent(file, content.event, content.identity, this.#space.context.now());
    return this.#event(opened);
  }

  #event(opened: EventStream): Found {
    const { ingest, context } = this.#space;
    const { identity } = opened;
    // What is too old is never looked into, however often it comes.
    if (isPast(opened.event, new Date(context.now()))) return { what: 'event', event: opened.event };
    const before = [...ingest.known.of(identity), ...this.#seenAs(identity)];
    const standing = standingAmong(identity, before);
    if (standing.kind === 'known') return { what: 'known' };
    this.#see(identity, opened.event.path);
    return { what: 'event', event: knownEvent(targetsOf(this.#space).index, opened, standing).event };
  }

  #isSeen(identity: Identity, path: string): boolean {
    const isSeen = standingAmong(identity, this.#seenAs(identity)).kind === 'known';
    if (!isSeen) this.#see(identity, path);
    return isSeen;
  }

  #seenAs(identity: Identity): readonly KnownVersion[] {
    return this.#seen.get(nameHash(identity)) ?? [];
  }

  #see(identity: Identity, path: string): void {
    const version = { version: identity.version, path, gave: false };
    this.#seen.set(nameHash(identity), [...this.#seenAs(identity), version]);
  }
}

const NEVER = new AbortController().signal;

/** What an item holds. */
type Found = { readonly what: 'event'; readonly event: StreamEvent } | { readonly what: 'known' } | Refused;

interface Refused {
  readonly what: 'refused';
  readonly reason: string;
}

function reasonOf({ refused, skipped }: { readonly refused: string | null; readonly skipped: string | null }): string {
  return refused ?? skipped ?? 'it holds no event';
}
