import fs from 'node:fs';
import path from 'node:path';
import type { IndexAccess, Workspace } from '../daemon/context.ts';
import type { Environment } from '../daemon/environment.ts';
import type { BudgetClient } from '../providers/agent.ts';
import { questionGate } from '../providers/choice.ts';
import type { RequestGate } from '../providers/provider.ts';
import type { Settings } from '../steward/settings.ts';
import { recordErrand, reserveErrand } from '../steward/spending.ts';
import { textStep } from '../vault/edit.ts';
import { EXIT, StewardError } from '../vault/errors.ts';
import { fileError } from '../vault/files.ts';
import { type OwnPlaces, ownPlaces } from '../vault/layout.ts';
import { isLost, Lock, lockHolder } from '../vault/lock.ts';
import { sha256 } from '../vault/note-text.ts';
import type { Seal } from '../vault/seal.ts';
import { nameTimeExact } from '../vault/time.ts';
import type { Transactions } from '../vault/transaction.ts';

/** Returns the error of a roundtable that no model can be asked for: there is no key, or the settings forbid it. */
export function noModel(hasKey: boolean): StewardError {
  const [message, hint] = hasKey
    ? [
        'The settings say evaluator: rules, so no model is asked and no roundtable is convened.',
        'Set evaluator to auto;',
      ]
    : [
        'There is no key for a model, so no roundtable is convened.',
        'Set ANTHROPIC_API_KEY or the credential anthropic_api_key;',
      ];
  return new StewardError({
    code: 'roundtable-no-model',
    message,
    hint: `${hint} \`--recorded\` plays recorded replies without a model.`,
  });
}

/** Publishes over files of a roundtable, as over notes, and closes what it needs for that. */
export interface Publishing {
  /** False, with no text lost, if the file's text isn't `before` any more. Throws if the disk refuses. */
  readonly replace: (file: string, before: string, text: string) => boolean;
  /** Throws if this process may no longer write to the roundtable, or to the vault that it locked for it. */
  readonly demand: () => void;
  close(): Promise<void>;
}

/** What a roundtable is held on: a vault, with or without a daemon. */
export interface TableGround {
  /** Absolute, links resolved. */
  readonly root: string;
  /** Vault-relative: the folder of all roundtables. */
  readonly home: string;
  readonly env: Environment;
  readonly settings: Settings;
  readonly seal: Seal;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly budget: BudgetClient & RequestGate;
  /** Called once the table is held. */
  readonly publishing: (place: TablePlace) => Publishing;
}

/** Reading, and publishing what a person may be typing into. */
type RoundtableAccess = IndexAccess & Pick<Workspace, 'transactions'>;

/** Returns the ground of a running daemon. `matter`: the matter whose budget a roundtable also counts against, or null. */
export function tableGround({ vault, context, transactions }: RoundtableAccess, matter: string | null): TableGround {
  return {
    root: vault.root,
    home: vault.layout.folders.roundtable,
    env: context.env,
    settings: context.settings,
    seal: context.seal,
    now: context.now,
    budget: {
      ...questionGate(context),
      reserve: async (estimate) => reserveErrand(context, estimate, matter),
      record: async (settlement) => recordErrand(context, settlement),
    },
    publishing: (place) => ({
      replace: replaceBy(transactions, context.now),
      demand: () => {
        transactions.demand();
        place.demand();
      },
      close: async () => {},
    }),
  };
}

/** Returns how these transactions publish over a file of a roundtable. */
export function replaceBy(transactions: Transactions, now: () => number): Publishing['replace'] {
  return (file, before, text) =>
    transactions.commit(`roundtable-action-${nameTimeExact(now())}-${sha256(file).slice(0, 8)}`, [
      textStep(file, before, text),
    ]);
}

/** The program's own folder for one roundtable, while this process holds it. */
export interface TablePlace {
  readonly places: OwnPlaces;
  /** Throws `roundtable-busy` (75) where another process has the roundtable by now, `lock-lost` (75) where it may have. */
  demand(): void;
}

/** The parts that locking a roundtable needs: the vault, and where this machine keeps what it knows of locks. */
interface Holder {
  readonly root: string;
  readonly env: { readonly lockMemories?: string };
  readonly now: () => number;
}

const OWN_MODE = 0o700;

/**
 * Locks one roundtable: two processes never have the same one, while the vault's own lock is free for others. Its parts
 * are in `.steward/tables`, which no start of a daemon clears. Disposing it releases the lock.
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
    const memory =
      env.lockMemories === undefined ? null : path.join(env.lockMemories, `${sha256(places.own).slice(0, 16)}.json`);
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
      // If no other process has the lock, this one was suspended for too long, and the error says so.
      const isOwn = lockHolder(this.places.lock, Date.now())?.token === this.#lock.holder.token;
      throw isLock(error) && !isOwn ? busy(this.#folder, this.places.lock, Date.now()) : error;
    }
  }

  [Symbol.dispose](): void {
    if (isLost(this.#lock)) return; // the lock there is another process's
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
  // A text that was in a note only for a moment is kept in the same history as those of other notes.
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

// Removes unfinished files without a name, which a killed process left. The parts of notes have other names, and show
// what became of them.
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
      message: `This roundtable is already running, by ${who}.`,
      hint: 'Its files and its log show its progress. To take over, end it: the same command continues.',
    },
    EXIT.tryAgain,
  );
}
