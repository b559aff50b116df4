import fs from 'node:fs';
import path from 'node:path';
import { EXIT, StewardError } from '../../vault/errors.ts';
import { fileError } from '../../vault/files.ts';
import { sha256 } from '../../vault/hash.ts';
import { type OwnPlaces, ownPlaces } from '../../vault/layout.ts';
import { isLost, Lock, lockHolder } from '../../vault/lock.ts';

/** The program's own folder for one roundtable, while this process holds it. */
export interface TablePlace {
  readonly places: OwnPlaces;
  /** Throws `roundtable-busy` (75) where another process has the roundtable by now, `lock-lost` (75) where it may have. */
  demand(): void;
}

/** Who would hold a roundtable: the vault, and where this machine keeps what it knows of locks. */
interface Holder {
  readonly root: string;
  readonly env: { readonly lockMemories?: string };
  readonly now: () => number;
}

const OWN_MODE = 0o700;

/**
 * Holds one roundtable, by a lock of its own: two processes never hold the same one, while the vault's lock is free for
 * others. Its parts lie in `.steward/tables`, where no start of a daemon sweeps them away. Disposing it gives it back.
 */
export class HeldTable implements TablePlace, Disposable {
  readonly places: OwnPlaces;
  readonly #folder: string;
  readonly #lock: Lock;

  private constructor(places: OwnPlaces, folder: string, lock: Lock) {
    this.places = places;
    this.#folder = folder;
    this.#lock = lock;
  }

  /** Takes the roundtable in a vault-relative folder. Throws `roundtable-busy` (75), and what the disk refuses (75). */
  static take({ root, env, now }: Holder, folder: string): HeldTable {
    const places = tablePlaces(root, folder);
    make(places, root);
    const memory = env.lockMemories === undefined ? null : path.join(env.lockMemories, `${memoryName(places)}.json`);
    const lock = lockOf(places, folder, { role: 'command', socket: null, now: now(), memory });
    try {
      // Who gave the table back just now took its empty folders away.
      make(places, root);
      sweep(places.tmp);
      return new HeldTable(places, folder, lock);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  demand(): void {
    try {
      this.#lock.demand();
    } catch (error) {
      // Where nobody else has it, this process stood still for too long, and the error says so.
      const isOwn = lockHolder(this.places.lock, Date.now())?.token === this.#lock.holder.token;
      throw isLock(error) && !isOwn ? busy(this.#folder, this.places.lock, Date.now()) : error;
    }
  }

  [Symbol.dispose](): void {
    if (isLost(this.#lock)) return; // what lies there is another's
    for (const folder of [this.places.tmp, this.places.journal]) dropEmpty(folder);
    this.#lock.release();
  }
}

function lockOf(places: OwnPlaces, folder: string, taker: Parameters<typeof Lock.take>[1]): Lock {
  try {
    return Lock.take(places.lock, taker);
  } catch (error) {
    throw isLock(error) ? busy(folder, places.lock, taker.now) : error;
  }
}

function tablePlaces(root: string, folder: string): OwnPlaces {
  const { tables, history } = ownPlaces(root);
  const own = path.join(tables, sha256(folder).slice(0, 16));
  const at = (name: string) => path.join(own, name);
  // What was in a note for a moment is kept with what was in others.
  return {
    own,
    lock: at('lock'),
    journal: at('journal'),
    state: at('state'),
    cache: at('tmp'),
    tmp: at('tmp'),
    history,
    tables,
  };
}

function make({ own, journal, tmp }: OwnPlaces, root: string): void {
  for (const folder of [own, journal, tmp]) {
    try {
      fs.mkdirSync(folder, { recursive: true, mode: OWN_MODE });
    } catch (error) {
      throw new StewardError(fileError(error, path.relative(root, folder)).trouble, EXIT.tryAgain);
    }
  }
}

// What a kill left of files that had no name yet. The parts of notes have other names, and tell what became of them.
function sweep(tmp: string): void {
  for (const entry of fs.readdirSync(tmp, { withFileTypes: true })) {
    const isPart = entry.isFile() && /^[0-9a-f]{8}-[0-9a-f-]{27}\.part$/.test(entry.name);
    if (isPart) fs.rmSync(path.join(tmp, entry.name), { force: true });
  }
}

// With something in it, it is left for who holds the roundtable next.
function dropEmpty(folder: string): void {
  try {
    fs.rmdirSync(folder);
  } catch {
    // It is not empty, or the vault is away.
  }
}

function memoryName({ own }: OwnPlaces): string {
  return sha256(own).slice(0, 16);
}

function isLock(error: unknown): boolean {
  return error instanceof StewardError && ['vault-locked', 'lock-lost'].includes(error.trouble.code);
}

function busy(folder: string, lock: string, now: number): StewardError {
  const holder = lockHolder(lock, now);
  const who = holder === null ? 'another process' : `process ${holder.pid} on ${holder.host}, since ${holder.since}`;
  return new StewardError(
    {
      code: 'roundtable-busy',
      file: folder,
      message: `This roundtable is being held already, by ${who}.`,
      hint: 'Its files and its log show how far it is. To take over, end it: the same command goes on where it stopped.',
    },
    EXIT.tryAgain,
  );
}
