import { ownPlacesRefusal } from '../disk/own-places.ts';
import { awayRefusal, type Diagnostic } from '../errors.ts';
import { fileError } from '../files.ts';
import { KeyedMutex } from '../keyed-mutex.ts';
import { EventNames, intentId } from '../notes/event-names.ts';
import { utc } from '../time.ts';
import type { Intent, Journal, Step } from './journal.ts';
import { StepExecutor, type StepExecutorParts } from './step-executor.ts';

/** How often a judgement is made again where the note changed before its change could be published. */
const ATTEMPTS = 3;

/** Is told, by journal file, when the disk interrupts an action half way, and when that action is finished. */
export interface HeldUpListener {
  heldUp(file: string, diagnostic: Diagnostic): void;
  finished(file: string): void;
}

interface TransactionParts extends StepExecutorParts {
  readonly journal: Journal;
  readonly listener: HeldUpListener;
}

/**
 * Everything that is written into the vault's notes: one intent at a time, journalled before its deciding step, and all
 * or nothing across a crash. An intent that the disk interrupts after its deciding step is finished before anything new
 * is decided.
 */
export class Transactions {
  readonly #parts: TransactionParts;
  readonly #names: EventNames;
  readonly #steps: StepExecutor;
  readonly #mutex = new KeyedMutex();
  /** Intents that were decided and then interrupted by the disk. */
  readonly #unfinished = new Map<string, Intent>();

  constructor(parts: TransactionParts) {
    this.#parts = parts;
    this.#names = new EventNames(parts.vault);
    this.#steps = new StepExecutor(parts);
  }

  /** Returns a path for a new event note of a type about a target. `now` in epoch ms. */
  eventPath(type: string, target: string, now: number): string {
    return this.#names.free(type, target, now);
  }

  /** Throws `lock-lost` (75) where another process has the vault by now: then nothing may be decided or written here. */
  demand(): void {
    this.#parts.demand();
  }

  /** Creates a new note, whole; false where the name is taken. Throws `vault-away` where its folder is gone. */
  create(file: string, text: string): boolean {
    this.#demandOwnPlaces();
    return this.#steps.create(file, text);
  }

  /** Runs one piece of work for a key (a note, some bytes) at a time, in the order of the calls. */
  inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    return this.#mutex.run(key, work);
  }

  /**
   * Judges and commits, and judges again where a note changed before its change could be published: then `judge`
   * returns null. Returns null where the note keeps changing. Throws the system's error while the disk refuses to
   * finish an earlier action.
   */
  attempt<Result>(judge: () => Result | null): Result | null {
    this.finishHeldUp();
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const result = judge();
      if (result !== null) return result;
    }
    return null;
  }

  /** The same for a judgement that waits for somebody's answer. */
  async attemptAsync<Result>(judge: () => Promise<Result | null>): Promise<Result | null> {
    this.finishHeldUp();
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const result = await judge();
      if (result !== null) return result;
    }
    return null;
  }

  /**
   * Carries out one action: journal, the deciding step, the rest, journal closed. `note` is the note that records it,
   * or the id under which it is journalled. False where a note changed in between: nothing was written, and the caller
   * must judge again. Throws where the disk refuses before anything was decided. After that the action counts as done:
   * steps that the disk refuses stay in the journal, show in `status`, and are finished at the next start or the next
   * try.
   */
  commit(note: string, steps: readonly Step[]): boolean {
    const [first, ...rest] = steps;
    if (first === undefined) return true;
    this.demand();
    this.#demandOwnPlaces();
    const intent = this.#intentOf(note, [first, ...rest]);
    this.#writeDown(intent);
    if (!this.#decide(intent, first)) {
      this.#withdraw(intent);
      return false;
    }
    this.#unfinished.set(intent.id, intent);
    try {
      for (const step of rest) this.#steps.follow(intent, step);
      this.#finish(intent);
    } catch (error) {
      this.holdUp(intent, error);
    }
    return true;
  }

  /**
   * Finishes what the disk interrupted half way, before anything new is decided on notes it may concern. Throws the
   * system's error while the disk still refuses, and `lock-lost` where the vault is another process's by now.
   */
  finishHeldUp(): void {
    this.demand();
    for (const intent of [...this.#unfinished.values()]) {
      try {
        this.resolve(intent);
      } catch (error) {
        throw fileError(error, journalFile(intent));
      }
    }
  }

  /**
   * Resolves an intent that a crash or a failing disk cut off: finishes it if its deciding step happened, withdraws it
   * if not. May itself be cut off at any point and called again. Returns whether the intent was finished.
   */
  resolve(intent: Intent): boolean {
    this.demand();
    if (!this.#steps.wasDecided(intent)) {
      this.#finish(intent);
      return false;
    }
    this.#unfinished.set(intent.id, intent);
    for (const step of intent.steps.slice(1)) {
      if (step.do === 'edit') this.#steps.resolveEdit(intent, step, false);
      this.#steps.follow(intent, step);
    }
    this.#finish(intent);
    return true;
  }

  /** Keeps an intent that the disk interrupts, and tells the listener; returns the diagnostic. */
  holdUp(intent: Intent, error: unknown): Diagnostic {
    this.#unfinished.set(intent.id, intent);
    const file = journalFile(intent);
    const { trouble } = fileError(error, file);
    this.#parts.listener.heldUp(file, trouble);
    return trouble;
  }

  // A link swapped in a moment ago: a person's former text would be moved to wherever it leads.
  #demandOwnPlaces(): void {
    const refusal = ownPlacesRefusal(this.#parts.vault.root);
    if (refusal === null) return;
    this.#parts.vault.sweep();
    throw awayRefusal(refusal.trouble.message.replace(/\.$/, ''));
  }

  #intentOf(note: string, steps: Intent['steps']): Intent {
    const id = intentId(note);
    const at = utc(this.#parts.now());
    return { schemaVersion: 1, id, at, kept_before: this.#parts.publisher.keptUnder(id), steps };
  }

  #writeDown(intent: Intent): void {
    try {
      this.#parts.journal.open(intent);
    } catch (error) {
      this.#withdraw(intent);
      throw fileError(error, journalFile(intent));
    }
  }

  #withdraw(intent: Intent): void {
    try {
      this.#parts.journal.close(intent.id);
      this.#unfinished.delete(intent.id);
    } catch {
      this.#unfinished.set(intent.id, intent); // taken out of the journal before anything else is decided
    }
  }

  #finish(intent: Intent): void {
    this.#parts.journal.close(intent.id);
    this.#unfinished.delete(intent.id);
    this.#parts.listener.finished(journalFile(intent));
    this.#parts.vault.look(intent.steps.map((step) => step.path));
  }

  #decide(intent: Intent, step: Step): boolean {
    try {
      return step.do === 'edit' ? this.#steps.edit(intent, step) : this.create(step.path, step.text);
    } catch (error) {
      if (this.#wasDecidedAnyway(intent)) return true;
      // Refused before the note changed: the intent is withdrawn, so that it cannot be finished half a day later.
      this.#withdraw(intent);
      throw fileError(error, step.path);
    }
  }

  // The disk may refuse after the deciding moment: the swap was made, and reading its result failed.
  #wasDecidedAnyway(intent: Intent): boolean {
    try {
      return this.#steps.wasDecided(intent);
    } catch (error) {
      this.holdUp(intent, error);
      throw fileError(error, journalFile(intent));
    }
  }
}

function journalFile(intent: Intent): string {
  return `.steward/journal/${intent.id}.json`;
}
