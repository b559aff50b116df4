import fs from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';
import { EntryLog } from '../../../vault/disk/entry-log.ts';
import { type Diagnostic, diagnostic, EXIT, reasonOf, StewardError, systemCode } from '../../../vault/errors.ts';
import { fileError, readBytes, writeState } from '../../../vault/files.ts';
import { FORMATS, type Stored } from '../../../vault/formats.ts';

/** The file that says in which version the others are; without it they are of version 1. */
const FORMAT_FILE = 'format.json';

/** Nothing that is remembered grows beyond this; a file that has was not written by this program. */
const MAX_STATE_BYTES = 256 * 1024 * 1024;
const MAX_FORMAT_BYTES = 1024;

type Entries = Readonly<Record<string, unknown>>;

/** What is remembered under a name that grows with the vault. */
interface Grown {
  readonly log: EntryLog;
  /** What of it is in the log otherwise, or not yet. */
  readonly owed: Set<string>;
  /** Whether an earlier version has left all of it in one file. */
  hasFormer: boolean;
}

/**
 * `.steward/state` on disk: one file for a name, written whole; for a name that grows with the vault, files that are only
 * added to. Reading writes nothing: what is damaged is moved aside before anything else is written under its name.
 */
export class StateFolder {
  readonly troubles: Diagnostic[] = [];
  /** Why the disk would not say what is remembered, or null. */
  refused: StewardError | null = null;
  readonly #folder: string;
  readonly #growing: readonly string[];
  readonly #grown = new Map<string, Grown>();
  readonly #damaged = new Set<string>();
  #format: Stored | null = null;

  /** `growing`: the names under which there is a record that grows with the vault. */
  constructor(folder: string, growing: readonly string[]) {
    this.#folder = folder;
    this.#growing = growing;
  }

  /** What the folder says of its version; nothing where it says none, or nothing that can be read. */
  get format(): Stored {
    this.#format ??= this.#readFormat();
    return this.#format;
  }

  /** Writes that everything here is in this program's version. Throws what the disk refuses. */
  writeFormat(): void {
    const { key, version } = FORMATS.state;
    writeState(path.join(this.#folder, FORMAT_FILE), JSON.stringify({ [key]: version }));
    this.#format = { [key]: version };
  }

  /** Returns what lies under a name, unchecked, as a map where it grows; undefined where nothing does, or nothing that can be read. */
  read(name: string): unknown {
    const reading = this.reading(name);
    let step = reading.next();
    while (step.done !== true) step = reading.next();
    return step.value;
  }

  /** The same, a part at a time. */
  *reading(name: string): Generator<void, unknown> {
    const whole = this.#readWhole(name);
    return this.#growing.includes(name) ? yield* this.#readGrown(name, whole) : whole;
  }

  /**
   * Is told that what was read under a name is not as it should be. Returns what of it is left: of what grows all but the
   * entries concerned, else nothing.
   */
  reject(name: string, raw: unknown, error: z.ZodError): unknown {
    const grown = this.#grown.get(name);
    if (grown === undefined || !(raw instanceof Map)) return this.#damage(name, error);
    const wrong = new Set(error.issues.map(({ path: [key] }) => String(key)));
    for (const key of wrong) {
      raw.delete(key);
      grown.owed.add(key);
    }
    const count = wrong.size === 1 ? 'one' : String(wrong.size);
    const reason = `${count} of its entries cannot be: ${firstLine(error)}`;
    this.#say(name, `${name}-*.jsonl`, reason, 'They are forgotten; the notes themselves are whole.');
    return raw;
  }

  /** Whether a name is to be written anew although nothing has changed under it. */
  isOwed(name: string): boolean {
    const grown = this.#grown.get(name);
    return grown !== undefined && (grown.hasFormer || grown.owed.size + grown.log.damage.length > 0);
  }

  /** The keys of what lies under a name that grows, and perhaps of what is gone. */
  *keysOf(name: string): Generator<string> {
    const grown = this.#grown.get(name);
    if (grown === undefined) return;
    yield* grown.owed;
    yield* grown.log.keys();
  }

  /** Whether the file of a name is still to be moved aside. */
  isDamaged(name: string): boolean {
    return this.#damaged.has(name);
  }

  /** Moves the file of a name aside where it is damaged. */
  setAside(name: string): void {
    if (!this.#damaged.delete(name)) return;
    try {
      fs.renameSync(this.#file(name), `${this.#file(name)}.bad`);
    } catch {
      // Where the state folder cannot be written, the next flush reports it.
    }
  }

  /**
   * Writes what lies under a name: of what grows only the entries under `keys`, or all where they are null. Throws what the
   * disk refuses.
   */
  write(name: string, value: unknown, keys: ReadonlySet<string> | null): void {
    this.setAside(name);
    const grown = this.#grown.get(name) ?? null;
    if (grown === null || !isRecord(value)) writeState(this.#file(name), JSON.stringify(value));
    else this.#writeGrown(name, grown, value, keys);
  }

  #writeGrown(name: string, grown: Grown, value: Entries, keys: ReadonlySet<string> | null): void {
    const { log, owed } = grown;
    log.save([...owed, ...(keys ?? [...Object.keys(value), ...log.keys()])], value);
    owed.clear();
    // Last: whatever ends the program before leaves it there to be taken over once more.
    if (grown.hasFormer) fs.rmSync(this.#file(name), { force: true });
    grown.hasFormer = false;
  }

  *#readGrown(name: string, whole: unknown): Generator<void, unknown> {
    const log = new EntryLog(this.#folder, name);
    const former = isRecord(whole) ? whole : {};
    const grown = { log, owed: new Set<string>(), hasFormer: isRecord(whole) };
    if (whole !== undefined && !isRecord(whole)) this.#damage(name, 'no entries');
    this.#grown.set(name, grown);
    try {
      const all = yield* log.loading(Object.entries(former));
      for (const key of Object.keys(former)) if (!log.has(key)) grown.owed.add(key);
      for (const { name: file, reason } of log.damage) this.#say(name, file, reason, movedTo(file, KEPT));
      return all;
    } catch (error) {
      return this.#refuse(`${name}-*.jsonl`, error);
    }
  }

  #readWhole(name: string): unknown {
    try {
      return JSON.parse(readBytes(this.#file(name), MAX_STATE_BYTES).bytes.toString('utf8'));
    } catch (error) {
      const code = systemCode(error);
      if (code === null || code === 'EISDIR') return this.#damage(name, error);
      return code === 'ENOENT' ? undefined : this.#refuse(`${name}.json`, error);
    }
  }

  #readFormat(): Stored {
    try {
      const said: unknown = JSON.parse(
        readBytes(path.join(this.#folder, FORMAT_FILE), MAX_FORMAT_BYTES).bytes.toString('utf8'),
      );
      return isRecord(said) ? said : {};
    } catch (error) {
      const code = systemCode(error);
      if (code !== null && code !== 'ENOENT' && code !== 'EISDIR') this.#refuse(FORMAT_FILE, error);
      return {};
    }
  }

  // A file that the disk refuses now may be intact: it stays as it is.
  #refuse(file: string, error: unknown): undefined {
    const told = fileError(error, `.steward/state/${file}`).trouble;
    this.troubles.push(told);
    this.refused = new StewardError(told, EXIT.tryAgain);
  }

  #damage(name: string, error: unknown): undefined {
    this.#damaged.add(name);
    this.#say(name, `${name}.json`, firstLine(error), movedTo(`${name}.json`, 'and begun anew'));
  }

  #say(name: string, file: string, reason: string, hint: string): void {
    const message = `What was remembered of ${name} could not be read (${reason}).`;
    this.troubles.push(diagnostic({ code: 'state-unreadable', file: `.steward/state/${file}`, message, hint }));
  }

  #file(name: string): string {
    return path.join(this.#folder, `${name}.json`);
  }
}

const KEPT = 'and what can be read of it is kept';

function movedTo(file: string, then: string): string {
  return `It is moved to ${file}.bad ${then}; the notes themselves are whole.`;
}

function firstLine(error: unknown): string {
  return reasonOf(error).split('\n')[0] ?? '';
}

function isRecord(value: unknown): value is Entries {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
