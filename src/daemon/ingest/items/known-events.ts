import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Identity } from '../../../stream/items/item.ts';
import type { KnownVersion } from '../../../stream/items/standing.ts';
import { append, type GrowingFiles } from '../../../vault/disk/append.ts';
import { fileError, readBytes, writeState } from '../../../vault/files.ts';
import { sha256 } from '../../../vault/hash.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Nothing that lies far back is looked into, but what has no time of its own may come again late. */
const KEEP_DAYS = 400;
const KEY_DIGITS = 32;
const LINE_END = 0x0a;
const HEAD_BYTES = 200;
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
    const bytes = Buffer.alloc(HEAD_BYTES);
    return bytes.toString('utf8', 0, fs.readSync(handle, bytes, 0, HEAD_BYTES, 0));
  } finally {
    fs.closeSync(handle);
  }
}
