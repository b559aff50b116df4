import fs from 'node:fs';
import path from 'node:path';
import { type Diagnostic, systemCode } from '../errors.ts';
import type { OwnPlaces } from '../layout.ts';
import type { DisplacedFiles } from './displaced-files.ts';
import type { Journal } from './journal.ts';
import { lockHolder } from './lock.ts';
import type { Transactions } from './transaction.ts';

/** What came of the intents that a crash left under way, by id, and the journal files that cannot be read. */
interface Recovered {
  readonly finished: readonly string[];
  readonly withdrawn: readonly string[];
  readonly bad: readonly Diagnostic[];
}

interface RecoveryParts {
  readonly transactions: Transactions;
  readonly journal: Journal;
  readonly displaced: DisplacedFiles;
  readonly places: OwnPlaces;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Brings to an end what a crash or a failing disk left under way. */
export class Recovery {
  readonly #parts: RecoveryParts;

  constructor(parts: RecoveryParts) {
    this.#parts = parts;
  }

  /** Whether the journal holds anything. */
  get isPending(): boolean {
    return this.#parts.journal.pending().intents.length > 0;
  }

  /**
   * Each journalled intent is finished if its deciding step happened, withdrawn if not. Then `.steward/tmp` is empty.
   * May itself be killed at any point and run again. What the disk refuses is held up, and nothing new is decided
   * before it.
   */
  run(): Recovered {
    const { journal, transactions, displaced } = this.#parts;
    const { intents, bad } = journal.pending();
    const finished: string[] = [];
    const withdrawn: string[] = [];
    const heldUp: Diagnostic[] = [];
    for (const intent of intents) {
      try {
        (transactions.resolve(intent) ? finished : withdrawn).push(intent.id);
      } catch (error) {
        heldUp.push(transactions.holdUp(intent, error));
      }
    }
    displaced.resume();
    // The parts of what is held up tell what became of it.
    if (heldUp.length === 0) this.#sweepTemporary();
    return { finished, withdrawn, bad };
  }

  #sweepTemporary(): void {
    const { tmp, state, journal, cache, own } = this.#parts.places;
    for (const file of entries(tmp)) this.#drop(file);
    for (const file of [...entries(state), ...entries(journal), ...entries(cache)]) {
      if (/\.\d+$|\.part$/.test(file)) fs.rmSync(file, { force: true });
    }
    for (const file of entries(own)) if (this.#isDeadLock(file)) fs.rmSync(file, { force: true });
  }

  // A note's part that no journal explains may be what a note was: it is kept until the undo window closes.
  #drop(file: string): void {
    const name = path.basename(file);
    const isNotePart = /(-action-|^instinct-).*\.[0-9a-f]{8}\.part$/.test(name);
    const { history } = this.#parts.places;
    if (isNotePart) fs.renameSync(file, path.join(history, `${name}.${this.#parts.now()}.md`));
    else fs.rmSync(file, { force: true, recursive: true });
  }

  // Of a process that was killed while it took the lock.
  #isDeadLock(file: string): boolean {
    return /^lock\..*\.part$/.test(path.basename(file)) && lockHolder(file, this.#parts.now()) === null;
  }
}

function entries(folder: string): string[] {
  try {
    return fs.readdirSync(folder).map((name) => path.join(folder, name));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}
