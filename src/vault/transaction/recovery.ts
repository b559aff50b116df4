import fs from 'node:fs';
import path from 'node:path';
import { demandNoLink } from '../disk/own-places.ts';
import { type Diagnostic, systemCode } from '../errors.ts';
import type { Journal } from '../journal.ts';
import type { OwnPlaces } from '../layout.ts';
import { lockHolder } from '../lock.ts';
import type { DisplacedFiles } from './displaced-files.ts';
import type { Transactions } from './transaction.ts';

/** What became of the intents that a crash left in progress, by id, and the journal files that cannot be read. */
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

/** Resolves what a crash or a failing disk left in progress. */
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
   * Finishes each journalled intent whose deciding step happened, withdraws the others, and empties `.steward/tmp`. May
   * itself be killed at any point and run again. An intent that the disk refuses is kept, and holds back the notes that
   * it still has to write.
   */
  run(): Recovered {
    const { journal, transactions, displaced } = this.#parts;
    const { intents, bad } = journal.pending();
    const { finished, withdrawn, heldUp } = transactions.resolveAll(intents);
    displaced.resume();
    // The parts of an unfinished intent are needed to tell what became of it.
    if (heldUp.length === 0) this.#sweepTemporary();
    return { finished, withdrawn, bad };
  }

  #sweepTemporary(): void {
    const { tmp, state, journal, cache, own } = this.#parts.places;
    for (const folder of [tmp, state, journal, cache]) demandNoLink(folder); // what is deleted must be ours
    for (const file of filesIn(tmp)) this.#drop(file);
    for (const file of [...filesIn(state), ...filesIn(journal), ...filesIn(cache)]) {
      if (/\.\d+$|\.part$/.test(file)) fs.rmSync(file, { force: true });
    }
    for (const file of filesIn(own)) if (this.#isDeadLock(file)) fs.rmSync(file, { force: true });
  }

  // A note's part that no journal explains may hold what the note was: it is kept until the undo window closes.
  #drop(file: string): void {
    const name = path.basename(file);
    // A second name of a note holds nothing that the note doesn't.
    const isNotePart = /\.[0-9a-f]{8}\.part$/.test(name) && fs.lstatSync(file).nlink === 1;
    const { history } = this.#parts.places;
    if (isNotePart) fs.renameSync(file, path.join(history, `${name}.${this.#parts.now()}.md`));
    else fs.rmSync(file, { force: true, recursive: true });
  }

  // Left by a process that was killed while it took the lock.
  #isDeadLock(file: string): boolean {
    return /^lock\..*\.part$/.test(path.basename(file)) && lockHolder(file, this.#parts.now()) === null;
  }
}

function filesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder).map((name) => path.join(folder, name));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}
