import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { ByteSource, Identity, ItemDoor, ItemKind, KnownVersion } from '../stream/items.ts';
import { ITEM_KINDS } from '../stream/kinds.ts';
import { MAX_MAIL_BYTES, namedSource } from '../stream/mail/source-type.ts';
import { append, type GrowingFiles } from '../vault/disk/append.ts';
import { fileError, readBytes, writeState } from '../vault/files.ts';
import { sha256 } from '../vault/hash.ts';
import { openInside } from '../vault/slices.ts';
import type { IndexAccess } from './context.ts';
import type { Reading } from './ingest/items/item-process.ts';

/** How much of a file is looked at to say of which kind it is, and how much before a position to know it again. */
const HEAD_BYTES = 64 * 1024;
const BEFORE_BYTES = 4096;

/** Returns the kinds of file with many events that a file of this name may be of. */
export function kindsFor(file: string): readonly ItemKind[] {
  return ITEM_KINDS.filter((kind) => kind.takes(file));
}

/** Returns of which of these kinds a file is by its first bytes, or null. Throws what the disk refuses. */
export function recognised(root: string, file: string, kinds: readonly ItemKind[]): ItemKind | null {
  const { handle, stat } = openInside(root, file);
  try {
    const head = readAt(handle, 0, Math.min(stat.size, HEAD_BYTES));
    return kinds.find((kind) => kind.recognises(head)) ?? null;
  } finally {
    fs.closeSync(handle);
  }
}

/** A file that is open for the reading of its items. */
export interface OpenItemFile extends Reading {
  readonly mtimeMs: number;
}

/** Opens a file of a kind. Whoever asked for it closes the handle. Throws what the disk refuses. */
export function openItemFile(space: IndexAccess, file: string, kind: ItemKind): OpenItemFile {
  const { handle, stat } = openInside(space.vault.root, file);
  return { handle, size: stat.size, mtimeMs: stat.mtimeMs, kind, door: doorOf(space, file, kind) };
}

/** Returns what the reader of a file is told, `file` being its path in the vault. */
export function doorOf({ vault, context }: IndexAccess, file: string, kind: ItemKind): ItemDoor {
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

/** Returns a hash of the bytes that stand before a position of an open file, by which it is known again. */
export function hashBefore({ handle }: Pick<OpenItemFile, 'handle'>, position: number): string {
  const from = Math.max(0, position - BEFORE_BYTES);
  return sha256(readAt(handle, from, position - from));
}

/**
 * Returns the hash of a file that does not grow, by which it is known when it leaves the vault; empty where it is one that
 * is added to, or larger than what leaves it.
 */
export function hashOfWhole({ handle, size, kind }: OpenItemFile): string {
  return kind.isAppended || size > MAX_MAIL_BYTES ? '' : sha256(readAt(handle, 0, size));
}

function readAt(handle: number, at: number, length: number): ReturnType<ByteSource['read']> {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, fs.readSync(handle, bytes, 0, length, at));
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Nothing that lies far back is looked into, but what has no time of its own may come again late. */
const KEEP_DAYS = 400;
const KEY_DIGITS = 32;
const LINE_END = 0x0a;
const HEAD_BYTES_KNOWN_EVENTS = 200;
const MOST_PART_BYTES = 512 * 1024 * 1024;
const MOST_TEXT = 300;
const { O_NONBLOCK, O_NOFOLLOW } = fs.constants;

/** What is known of an event: the day it was read (since 1970), its version, its path, and whether it gave a signal. */
const line = z.tuple([z.number().int(), z.string(), z.string(), z.boolean()]);

/**
 * Which events were read, by their identity: 256 files that are only added to, of which one is read for a question.
 * Nothing is kept in memory but what was not written yet and, until then, the file that was read last: an event is asked
 * about several times in a row. Nothing is kept on disk for longer than 400 days.
 */
export class KnownEvents {
  readonly #parts: GrowingFiles;
  readonly #pending = new Map<string, string[]>();
  #last: { readonly part: string; readonly bytes: Buffer } | null = null;

  constructor(parts: GrowingFiles) {
    this.#parts = parts;
  }

  /** Returns the versions of an event that were read, oldest first. Throws what the disk refuses. */
  of(identity: Identity): readonly KnownVersion[] {
    const key = keyOf(identity);
    const part = key.slice(0, 2);
    const lines = [...linesWith(this.#held(part), key), ...(this.#pending.get(part) ?? [])];
    return lines.flatMap((text) => versionIn(text, key));
  }

  /** Remembers that an event was read; the next flush writes it. */
  add(identity: Identity, { version, path: read, gave }: KnownVersion): void {
    const key = keyOf(identity);
    const today = Math.floor(this.#parts.now() / DAY_MS);
    const text = `${key} ${JSON.stringify([today, version.slice(0, MOST_TEXT), read.slice(0, MOST_TEXT), gave])}`;
    const part = key.slice(0, 2);
    this.#pending.set(part, [...(this.#pending.get(part) ?? []), text]);
  }

  /** Writes what was added since the last flush. Throws what the disk refuses. */
  flush(): void {
    this.#last = null;
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
    this.#last = null;
    const oldest = Math.floor(this.#parts.now() / DAY_MS) - KEEP_DAYS;
    this.#parts.demand();
    for (const name of this.#names()) {
      // The oldest stands first: most parts need not be read.
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
      return []; // there is none yet
    }
  }

  #held(part: string): Buffer {
    if (this.#last?.part !== part) this.#last = { part, bytes: this.#read(part) };
    return this.#last.bytes;
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
function linesWith(bytes: Buffer, key: string): string[] {
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
  try {
    const [, version, read, gave] = line.parse(JSON.parse(text.slice(KEY_DIGITS + 1)));
    return [{ version, path: read, gave }];
  } catch {
    return [];
  }
}

function dayRead(text: string): number {
  return Number(/^\s*[0-9a-f]+ \[(\d+),/.exec(text)?.[1] ?? 0);
}

function head(file: string): string {
  const handle = fs.openSync(file, fs.constants.O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const bytes = Buffer.alloc(HEAD_BYTES_KNOWN_EVENTS);
    return bytes.toString('utf8', 0, fs.readSync(handle, bytes, 0, HEAD_BYTES_KNOWN_EVENTS, 0));
  } finally {
    fs.closeSync(handle);
  }
}
