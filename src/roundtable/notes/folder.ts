import fs from 'node:fs';
import path from 'node:path';
import { StewardError, systemCode } from '../../vault/errors.ts';
import { createWhole, fileError, readBytes, replaceWhole } from '../../vault/files.ts';
import { sha256 } from '../../vault/hash.ts';
import type { Seal } from '../../vault/seal.ts';
import { logName, MAX_LOG_BYTES, type RoundtableLog, readSealed, sealedText } from '../log/log.ts';
import { RealFolder } from './real-folder.ts';

/** Where a roundtable keeps its files, and by what it knows them. */
interface FolderPlaces {
  /** Absolute, links resolved. */
  readonly root: string;
  readonly tmp: string;
  /** Vault-relative: the folder of all roundtables. */
  readonly home: string;
  /** Vault-relative: the folder of this one, below `home`. */
  readonly folder: string;
  /** The program's mark, by which it knows its own log. */
  readonly seal: Seal;
  /**
   * Publishes a new text of a file as of a person's note, and returns false, with nothing of theirs lost, where the
   * file does not hold `before` any more. Throws a `StewardError` where the disk refuses.
   */
  readonly replace: (file: string, before: string, text: string) => boolean;
  /** Throws where the folder is no longer this process's to write to. */
  readonly demand: () => void;
}

/**
 * The folder of one roundtable. Of the files that exist there, it replaces only those that its log says are its own. No
 * link in it is followed.
 */
export class Folder {
  readonly #places: FolderPlaces;
  readonly #real: RealFolder;

  constructor(places: FolderPlaces) {
    this.#places = places;
    this.#real = new RealFolder(places.root, places.home);
  }

  /** The absolute path of the vault. */
  get root(): string {
    return this.#places.root;
  }

  /** Returns the vault-relative path of a file in this folder. */
  at(name: string): string {
    return `${this.#places.folder}/${name}`;
  }

  /** Returns whether nothing lies in the folder yet, not even a link in its place. */
  isFree(): boolean {
    try {
      return fs.readdirSync(this.#real.existing(this.#places.folder)).length === 0;
    } catch (error) {
      return !this.#isThere(this.#places.folder) && systemCode(error) === 'ENOENT';
    }
  }

  /**
   * Returns the bytes of a file; null where it does not exist, or a link leads there. Throws a `StewardError`
   * otherwise.
   */
  read(file: string): Buffer | null {
    if (!path.posix.normalize(file).startsWith(`${this.#places.folder}/`)) return null;
    try {
      return readBytes(this.#real.existing(file), MAX_LOG_BYTES, fs.constants.O_NOFOLLOW).bytes;
    } catch (error) {
      if (error instanceof StewardError || ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(systemCode(error) ?? ''))
        return null;
      throw fileError(error, file);
    }
  }

  /**
   * Writes a new file, or replaces one whose bytes are ours by the log. Throws `roundtable-file-taken` where somebody
   * else's file is in the way, or ours is being written to.
   */
  write(log: RoundtableLog, file: string, text: string): void {
    const before = this.read(file);
    const ours = log.written[file] ?? [];
    if (before === null ? this.#isThere(file) : !ours.includes(sha256(before))) throw fileTaken(file);
    // The log first, so that after a crash in between the file is known to be ours.
    log.written[file] = [...ours, sha256(text)];
    this.save(log);
    const isDone = before === null ? this.create(file, text) : this.#replace(file, before.toString('utf8'), text);
    if (!isDone) throw fileTaken(file);
  }

  /** Returns the bytes of a file that this roundtable wrote; null where it holds anything else by now. */
  ownBytes(log: RoundtableLog, file: string): Buffer | null {
    const bytes = this.read(file);
    return bytes !== null && (log.written[file] ?? []).includes(sha256(bytes)) ? bytes : null;
  }

  /**
   * Returns the log from disk; null where there is none. Throws `roundtable-log` where the file is not a log, and
   * `roundtable-log-foreign` where the program on this machine did not write it as it is.
   */
  readLog(id: string): RoundtableLog | null {
    const file = this.at(logName(id));
    const bytes = this.read(file);
    if (bytes === null && !this.#isThere(file)) return null;
    const log = readSealed(jsonOf(bytes), this.#places.folder, this.#places.seal);
    if (log === null) throw noLog(file);
    if (log === 'foreign') throw foreignLog(file);
    return log;
  }

  /** Writes the log to disk, atomically and durably. Throws a `StewardError` where that fails. */
  save(log: RoundtableLog): void {
    const file = this.at(logName(log.id));
    const { folder, seal, tmp, demand } = this.#places;
    demand();
    try {
      replaceWhole(tmp, this.#real.place(file), sealedText(log, folder, seal));
    } catch (error) {
      throw fileError(error, file);
    }
  }

  /** Creates a file, whole; false where its name is taken. Throws a `StewardError` where it fails. */
  create(file: string, text: string): boolean {
    this.#places.demand();
    try {
      this.#real.place(file);
      return createWhole(this.#places.root, this.#places.tmp, file, text);
    } catch (error) {
      throw fileError(error, file);
    }
  }

  #replace(file: string, before: string, text: string): boolean {
    this.#places.demand();
    this.#real.place(file);
    return this.#places.replace(file, before, text);
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

function noLog(file: string): StewardError {
  return new StewardError({
    code: 'roundtable-log',
    file,
    message: 'This file is in the place of the roundtable’s log and cannot be read as one.',
    hint: 'Move it elsewhere, and the roundtable begins anew; or mend it, and it goes on.',
  });
}

function foreignLog(file: string): StewardError {
  return new StewardError({
    code: 'roundtable-log-foreign',
    file,
    message:
      'The program on this machine did not write this log, or somebody has changed it since, so the roundtable is neither gone on with nor believed.',
    hint: 'Read what lies in its folder as somebody else’s. To hold it here, copy its briefing into a new folder beside it.',
  });
}

function fileTaken(file: string): StewardError {
  return new StewardError({
    code: 'roundtable-file-taken',
    file,
    message: `${file} is somebody else’s, so the roundtable leaves it as it is.`,
    hint: 'Move it elsewhere and run the roundtable again.',
  });
}
