import fs from 'node:fs';
import path from 'node:path';
import { StewardError, systemCode } from '../../vault/errors.ts';
import { createWhole, fileError, insideVault, newPlace, readBytes, replaceWhole } from '../../vault/files.ts';
import { sha256 } from '../../vault/hash.ts';
import { logName, type RoundtableLog, roundtableLog } from '../log/log.ts';

/** Larger than any file of a roundtable. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Where a roundtable keeps its files. */
interface FolderPlaces {
  /** Absolute, links resolved. */
  readonly root: string;
  readonly tmp: string;
  /** Vault-relative. */
  readonly folder: string;
}

/**
 * The folder of one roundtable. Of the files that exist there, it replaces only those that its log says are its own.
 */
export class Folder {
  readonly #places: FolderPlaces;

  constructor(places: FolderPlaces) {
    this.#places = places;
  }

  /** The absolute path of the vault. */
  get root(): string {
    return this.#places.root;
  }

  /** Returns the vault-relative path of a file in this folder. */
  at(name: string): string {
    return `${this.#places.folder}/${name}`;
  }

  /**
   * Returns the bytes of a file; null where it does not exist or leads out of the vault. Throws a `StewardError`
   * otherwise.
   */
  read(file: string): Buffer | null {
    try {
      return readBytes(insideVault(this.#places.root, file), MAX_BYTES).bytes;
    } catch (error) {
      if (error instanceof StewardError || ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(systemCode(error) ?? ''))
        return null;
      throw fileError(error, file);
    }
  }

  /**
   * Writes a new file, or replaces one whose bytes are ours by the log. Throws `roundtable-file-taken` where somebody
   * else's file is in the way.
   */
  write(log: RoundtableLog, file: string, text: string): void {
    const before = this.read(file);
    const ours = log.written[file] ?? [];
    if (before === null ? this.#isThere(file) : !ours.includes(sha256(before))) throw fileTaken(file);
    // The log first, so that after a crash in between the file is known to be ours.
    log.written[file] = [...ours, sha256(text)];
    this.save(log);
    if (before !== null) this.#replace(file, text);
    else if (!this.#create(file, text)) throw fileTaken(file);
  }

  /** Returns whether a file holds what this roundtable wrote. */
  isOurs(log: RoundtableLog, file: string): boolean {
    const bytes = this.read(file);
    return bytes !== null && (log.written[file] ?? []).includes(sha256(bytes));
  }

  /** Returns the log from disk; null where there is none. Throws `roundtable-log` where the file is not a log. */
  readLog(id: string): RoundtableLog | null {
    const file = this.at(logName(id));
    const bytes = this.read(file);
    if (bytes === null && !this.#isThere(file)) return null;
    const parsed = roundtableLog.safeParse(jsonOf(bytes));
    if (parsed.success) return parsed.data;
    throw new StewardError({
      code: 'roundtable-log',
      file,
      message: 'This file is in the place of the roundtable’s log and cannot be read as one.',
      hint: 'Move it elsewhere, and the roundtable begins anew; or mend it, and it goes on.',
    });
  }

  /** Writes the log to disk, atomically and durably. Throws a `StewardError` where that fails. */
  save(log: RoundtableLog): void {
    const file = this.at(logName(log.id));
    try {
      const target = newPlace(this.#places.root, file);
      replaceWhole(this.#places.tmp, target, `${JSON.stringify(log, null, 1)}\n`);
    } catch (error) {
      throw fileError(error, file);
    }
  }

  #create(file: string, text: string): boolean {
    try {
      return createWhole(this.#places.root, this.#places.tmp, file, text);
    } catch (error) {
      throw fileError(error, file);
    }
  }

  #replace(file: string, text: string): void {
    try {
      replaceWhole(this.#places.tmp, insideVault(this.#places.root, file), text);
    } catch (error) {
      throw fileError(error, file);
    }
  }

  #isThere(file: string): boolean {
    return fs.lstatSync(path.join(this.#places.root, file), { throwIfNoEntry: false }) !== undefined;
  }
}

function jsonOf(bytes: Buffer | null): unknown {
  try {
    return bytes === null ? null : JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}

function fileTaken(file: string): StewardError {
  return new StewardError({
    code: 'roundtable-file-taken',
    file,
    message: `${file} is there already and is not what the roundtable wrote, so it was left as it is.`,
    hint: 'Move it elsewhere and run the roundtable again.',
  });
}
