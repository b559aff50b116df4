import path from 'node:path';
import { ownPlacesRefusal } from '../disk/own-places.ts';
import { awayRefusal } from '../errors.ts';
import { fileError } from '../files.ts';
import { FORMATS } from '../formats.ts';
import type { Journal, UnknownEntry } from '../journal.ts';
import { KeyedMutex } from '../keyed-mutex.ts';
import { OWN_FOLDER } from '../layout.ts';
import { intentId } from '../note-text.ts';
import { NotePlaces } from '../notes/note-places.ts';
import { iso, nameTime } from '../time.ts';
import { demandFolder, demandNote, Finisher, type HeldUpListener, isRecord, journalFile } from '../transaction-held.ts';
import type { HeldUp } from './held-up.ts';
import type { Intent, Step } from './intent.ts';
import { StepExecutor, type StepExecutorParts } from './step-executor.ts';

/** How often a judgement is made again where the note changed before its change could be published. */
const ATTEMPTS = 3;

interface TransactionParts extends StepExecutorParts {
  readonly journal: Journal;
  readonly listener: HeldUpListener;
  readonly heldUp: HeldUp;
}

/**
 * Everything that is written into the vault's notes: one intent at a time, journalled before its deciding step, and all
 * or nothing across a crash. An intent that the disk interrupts after its deciding step waits alone: it holds back only
 * the notes that it still has to write, and is tried again until it is finished.
 */
export class Transactions {
  readonly #parts: TransactionParts;
  readonly #places: NotePlaces;
  readonly #steps: StepExecutor;
  readonly #mutex = new KeyedMutex();
  readonly #finisher: Finisher;

  constructor(parts: TransactionParts) {
    this.#parts = parts;
    this.#places = new NotePlaces(parts.vault);
    this.#steps = new StepExecutor(parts);
    const { journal, heldUp, listener, vault } = parts;
    const look = (notes: readonly string[]) => vault.look(notes);
    this.#finisher = new Finisher({ journal, steps: this.#steps, heldUp, listener, look });
  }

  /** Returns a path for a new event note of a type about a target. `now` in epoch ms. */
  eventPath(type: string, target: string, now: number): string {
    return this.#places.ofEvent(type, target, now);
  }

  /** Returns the path of a new signal note of a name. */
  signalPath(name: string): string {
    return this.#places.placeOf('signal', name);
  }

  /** Throws `lock-lost` (75) where another process has the vault by now: then nothing may be decided or written here. */
  demand(): void {
    this.#parts.demand();
  }

  /** Creates a new note, whole; false where the name is taken. Throws `vault-away` where its folder is gone, and `lock-lost`. */
  create(file: string, text: string): boolean {
    this.demand();
    this.#demandOwnPlaces();
    return this.#steps.create(file, text);
  }

  /** Runs one piece of work for a key (a note, some bytes) at a time, in the order of the calls. */
  inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    return this.#mutex.run(key, work);
  }

  /**
   * Judges and commits, and judges again where a note changed before its change could be published: then `judge`
   * returns null. Returns null where the note keeps changing. `notes`: what it is about, as for `finishHeldUp`, which
   * it throws as.
   */
  attempt<Result>(notes: readonly string[], judge: () => Result | null): Result | null {
    this.finishHeldUp(notes);
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const result = judge();
      if (result !== null) return result;
    }
    return null;
  }

  /** The same for a judgement that waits for somebody's answer. */
  async attemptAsync<Result>(notes: readonly string[], judge: () => Promise<Result | null>): Promise<Result | null> {
    this.finishHeldUp(notes);
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const result = await judge();
      if (result !== null) return result;
    }
    return null;
  }

  /**
   * Throws (exit 75) where the system says beforehand that an action on this note could not be carried out and recorded:
   * so that nothing is paid for a judgement that leads to nothing. `note`: null where none is to be changed.
   */
  demandRoom(note: string | null): void {
    const { root, layout } = this.#parts.vault;
    this.#demandPlaces();
    demandFolder(root, layout.folders.event);
    demandFolder(root, this.#places.folderOf('event', nameTime(this.#parts.now())));
    if (note !== null) demandNote(root, note);
  }

  /**
   * Carries out one action: journal, the deciding step, the rest, journal closed. `note` is the note that records it,
   * or the id under which it is journalled. False where a note changed in between: nothing was written, and the caller
   * must judge again. Throws where the disk refuses before anything was decided, or an earlier action waits for one of
   * the notes. After the deciding step the action counts as done: steps that the disk refuses stay in the journal, show
   * in `status`, and are made as soon as the disk lets them.
   */
  commit(note: string, steps: readonly Step[]): boolean {
    const [first, ...rest] = steps;
    if (first === undefined) return true;
    this.demand();
    this.#demandOwnPlaces();
    const intent = this.#intentOf(note, [first, ...rest]);
    this.#demandPlaces();
    this.#demandRecord(intent);
    this.#demandFree(first, rest);
    this.#demandName(intent, first);
    this.#writeDown(intent);
    if (!this.#decide(intent, first)) {
      this.#finisher.withdraw(intent);
      return false;
    }
    this.#finisher.finish(intent, rest);
    return true;
  }

  /**
   * Finishes what the disk interrupted half way and concerns these notes, before anything new is decided about them.
   * Throws `held-up` (exit 75) while the disk still refuses, and `lock-lost` where the vault is another process's by now.
   */
  finishHeldUp(notes: readonly string[]): void {
    this.demand();
    const concerned = () => notes.find((note) => this.#parts.heldUp.notes().has(note));
    if (concerned() === undefined) return;
    this.#finisher.retry();
    const note = concerned();
    if (note !== undefined) throw this.#finisher.waitsFor(note);
  }

  /** Resolves intents that were cut off, as `Finisher` does, and returns what became of them. Throws `lock-lost`. */
  resolveAll(intents: readonly Intent[]): ReturnType<Finisher['resolveAll']> {
    this.demand();
    return this.#finisher.resolveAll(intents);
  }

  /** Returns the entries of the journal that wait for the person, in order of their names. */
  unknownEntries(): UnknownEntry[] {
    return this.#parts.journal.unknown();
  }

  /** Returns the bytes of a note that the history keeps under an action's name, by their hash; null where it has none. */
  formerText(name: string, sha: string): string | null {
    return this.#parts.publisher.formerText(name, sha);
  }

  /** Moves an entry that the person has answered out of the journal, into the history. Throws `lock-lost`. */
  setAside(name: string): void {
    this.demand();
    this.#demandOwnPlaces();
    this.#parts.journal.setAside(name, this.#parts.publisher.history);
  }

  // What follows may be written on top of what waits; what decides may not, nor what starts from other bytes.
  #demandFree(first: Step, rest: readonly Step[]): void {
    const { heldUp } = this.#parts;
    const waiting = heldUp.notes();
    const concerned = [first, ...rest].filter((step) => waiting.has(step.path));
    if (concerned.length === 0) return;
    this.#finisher.retry();
    const still = heldUp.notes();
    const other = concerned.find((step) => still.has(step.path) && (step === first || !this.#fitsPending(step)));
    if (other !== undefined) throw this.#finisher.waitsFor(other.path);
  }

  // Under the name of one that waits, it would take that one's place in the journal.
  #demandName({ id }: Intent, first: Step): void {
    const isTaken = () => this.#parts.heldUp.leftOf(id) !== null;
    if (!isTaken()) return;
    this.#finisher.retry();
    if (isTaken()) throw this.#finisher.waitsFor(first.path);
  }

  #fitsPending(step: Step): boolean {
    const now = this.#steps.currentSha(step.path);
    return step.do === 'edit' && this.#parts.heldUp.pending(step.path, now)?.sha === step.before_sha256;
  }

  #demandPlaces(): void {
    for (const folder of OWN_PLACES) demandFolder(this.#parts.vault.root, folder);
  }

  // Without the note that records it nothing is done: neither where it cannot be made, nor where it cannot be completed.
  #demandRecord(intent: Intent): void {
    const { root } = this.#parts.vault;
    for (const step of intent.steps.filter((one) => isRecord(intent, one.path))) {
      demandFolder(root, path.posix.dirname(step.path));
      demandNote(root, step.path);
    }
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
    const at = iso(this.#parts.now()); // to the millisecond: it says which came first
    return { schemaVersion: FORMATS.journal.version, id, at, kept_before: this.#parts.publisher.keptUnder(id), steps };
  }

  #writeDown(intent: Intent): void {
    try {
      this.#parts.journal.open(intent);
    } catch (error) {
      this.#finisher.withdraw(intent);
      throw fileError(error, journalFile(intent));
    }
  }

  #decide(intent: Intent, step: Step): boolean {
    try {
      return step.do === 'edit' ? this.#steps.edit(intent, step) : this.create(step.path, step.text);
    } catch (error) {
      if (this.#wasDecidedAnyway(intent)) return true;
      // Refused before the note changed: the intent is withdrawn, so that it cannot be finished half a day later.
      this.#finisher.withdraw(intent);
      throw fileError(error, step.path);
    }
  }

  // The disk may refuse after the deciding moment: the swap was made, and reading its result failed.
  #wasDecidedAnyway(intent: Intent): boolean {
    try {
      return this.#steps.wasDecided(intent);
    } catch (error) {
      this.#finisher.holdUp(intent, error);
      throw fileError(error, journalFile(intent));
    }
  }
}

/** The folders that every action needs. */
const OWN_PLACES = ['journal', 'tmp', 'history'].map((name) => `${OWN_FOLDER}/${name}`);
