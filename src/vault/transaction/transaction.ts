import fs from 'node:fs';
import path from 'node:path';
import { type Diagnostic, StewardError, systemCode } from '../errors.ts';
import { fileError, insideVault, readBytes } from '../files.ts';
import { appendFields } from '../frontmatter/append.ts';
import { editFields } from '../frontmatter/edit.ts';
import { same } from '../frontmatter/equal.ts';
import { MAX_NOTE_BYTES, readNote } from '../frontmatter/parse.ts';
import { sha256 } from '../hash.ts';
import { KeyedMutex } from '../keyed-mutex.ts';
import { EventNames, intentId } from '../notes/event-names.ts';
import { withHistory } from '../notes/history-block.ts';
import type { Frontmatter, Yaml } from '../records/values.ts';
import { utc } from '../time.ts';
import { createNote, type TransactionVault } from './create-note.ts';
import type { DisplacedFiles } from './displaced-files.ts';
import type { Edition } from './edition.ts';
import type { EditStep, Intent, Journal, Step } from './journal.ts';
import type { OwnWrites } from './own-writes.ts';
import type { Publisher } from './publish.ts';

/** How often a judgement is made again where the note changed before its change could be published. */
const ATTEMPTS = 3;
/** How often a following edit is made again on a note that somebody keeps writing. */
const TRIES = 5;
/** How long a note that is just being written may hold an action up; after that it is left as it is. */
const PATIENCE_MS = 60_000;

/** Hears of an action that the disk holds up half way, by its journal file, and of its end. */
export interface HeldUpListener {
  heldUp(file: string, diagnostic: Diagnostic): void;
  finished(file: string): void;
}

interface TransactionParts {
  readonly vault: TransactionVault;
  readonly journal: Journal;
  readonly publisher: Publisher;
  readonly displaced: DisplacedFiles;
  readonly own: OwnWrites;
  readonly listener: HeldUpListener;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * Everything that is written into the vault's notes: one intent at a time, journalled before its deciding step, all or
 * nothing through a crash. What the disk holds up after the deciding step is finished before anything new is decided.
 */
export class Transactions {
  readonly #parts: TransactionParts;
  readonly #names: EventNames;
  readonly #turns = new KeyedMutex();
  /** Intents that were decided and then held up by the disk. */
  readonly #unfinished = new Map<string, Intent>();

  constructor(parts: TransactionParts) {
    this.#parts = parts;
    this.#names = new EventNames(parts.vault);
  }

  /** A path for a new event note of a type about a target. `now` in epoch ms. */
  eventPath(type: string, target: string, now: number): string {
    return this.#names.free(type, target, now);
  }

  /** Puts a new note in its place, whole; false where the name is taken. Throws `vault-away` where its folder is gone. */
  create(file: string, text: string): boolean {
    return createNote(this.#parts.vault, file, text);
  }

  /** Does one piece of work on a key (a note, some bytes) at a time, in the order asked. */
  inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    return this.#turns.run(key, work);
  }

  /**
   * Judges and commits, and judges again where a note changed before its change could be published: then `judge` returns
   * null. Null where it changes again and again. Throws the system's error while the disk holds up an earlier action.
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
   * Carries out one action: journal, the deciding step, the rest, journal closed. `note` is the note that records it, or
   * the id under which it is journalled. False where a note changed in between: nothing was written, and it is to be
   * judged again. Throws where the disk refuses before anything was decided. After that it is done: what the disk
   * holds up of the rest stays in the journal, is named in `status`, and is finished at the next start or the next try.
   */
  commit(note: string, steps: readonly Step[]): boolean {
    const [first, ...rest] = steps;
    if (first === undefined) return true;
    const intent = this.#intentOf(note, [first, ...rest]);
    this.#writeDown(intent);
    if (!this.#decide(intent, first)) {
      this.#withdraw(intent);
      return false;
    }
    this.#unfinished.set(intent.id, intent);
    try {
      for (const step of rest) this.#follow(intent, step);
      this.#finish(intent);
    } catch (error) {
      this.holdUp(intent, error);
    }
    return true;
  }

  /**
   * Finishes what the disk held up half way, before anything new is decided on notes it may concern. Throws the
   * system's error while the disk still refuses.
   */
  finishHeldUp(): void {
    for (const intent of [...this.#unfinished.values()]) {
      try {
        this.resolve(intent);
      } catch (error) {
        throw fileError(error, journalFile(intent));
      }
    }
  }

  /**
   * Brings to its end an intent that was cut off, by a crash or a failing disk: finished if its deciding step happened,
   * withdrawn if not. May itself be cut off at any point and called again. Returns whether it was finished.
   */
  resolve(intent: Intent): boolean {
    if (!this.#wasDecided(intent)) {
      this.#finish(intent);
      return false;
    }
    this.#unfinished.set(intent.id, intent);
    for (const step of intent.steps.slice(1)) {
      if (step.do === 'edit') this.#resolveEdit(intent, step, false);
      this.#follow(intent, step);
    }
    this.#finish(intent);
    return true;
  }

  /** Keeps an intent that the disk holds up, and says so. */
  holdUp(intent: Intent, error: unknown): Diagnostic {
    this.#unfinished.set(intent.id, intent);
    const file = journalFile(intent);
    const { trouble } = fileError(error, file);
    this.#parts.listener.heldUp(file, trouble);
    return trouble;
  }

  #intentOf(note: string, steps: Intent['steps']): Intent {
    const id = intentId(note);
    const at = utc(this.#parts.now());
    return { schemaVersion: 1, id, at, kept_before: this.#parts.publisher.keptUnder(id), steps };
  }

  // The step that decides may be long past: then one of the others shows that it happened.
  #wasDecided(intent: Intent): boolean {
    const [first, ...rest] = intent.steps;
    if (first === undefined) return false;
    const beyond = rest.some((step) => this.#isDone(intent, step));
    if (first.do === 'create') return beyond || this.#exists(first.path);
    return this.#resolveEdit(intent, first, !beyond) || beyond;
  }

  #isDone(intent: Intent, step: Step): boolean {
    if (step.do === 'edit') return this.#currentSha(step.path) === step.after_sha256;
    return intentId(step.path) === intent.id && this.#exists(step.path);
  }

  // What an edit that was cut off displaced is kept, or goes back.
  #resolveEdit(intent: Intent, step: EditStep, first: boolean): boolean {
    const { publisher, displaced } = this.#parts;
    const left = publisher.resolve(editionOf(intent, step), first);
    if (left.displaced !== null) displaced.keepWatch(step.path, left.displaced, step.before_sha256, left.apart);
    if (left.found !== null) displaced.report(step.path, left.found);
    return left.published;
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
      return step.do === 'edit' ? this.#edit(intent, step) : this.create(step.path, step.text);
    } catch (error) {
      if (this.#isDecidedAllTheSame(intent)) return true;
      // Refused before the note changed: the intent is withdrawn, so that it cannot be finished half a day later.
      this.#withdraw(intent);
      throw fileError(error, step.path);
    }
  }

  // The disk may refuse after the deciding moment: the swap was made, and the look at it failed.
  #isDecidedAllTheSame(intent: Intent): boolean {
    try {
      return this.#wasDecided(intent);
    } catch (error) {
      this.holdUp(intent, error);
      throw fileError(error, journalFile(intent));
    }
  }

  #edit(intent: Intent, step: EditStep): boolean {
    const { publisher, displaced, own } = this.#parts;
    const result = publisher.publish(editionOf(intent, step));
    if (result.done) {
      own.remember(step.path, step.after_sha256);
      displaced.keepWatch(step.path, result.displaced, step.before_sha256, result.apart);
    } else for (const file of result.found) displaced.report(step.path, file);
    return result.done;
  }

  // A step behind the deciding one must end done, whoever else wrote to the note meanwhile, and do nothing twice.
  #follow(intent: Intent, step: Step): void {
    if (step.do === 'create') {
      this.create(step.path, step.text);
      return;
    }
    const now = this.#currentSha(step.path);
    if (now === null || now === step.after_sha256) return; // null: what lies there is no note, and stays as it is
    if (this.#edit(intent, step)) return;
    this.#editAgain(intent, step);
  }

  #editAgain(intent: Intent, step: EditStep): void {
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const note = this.#currentNote(intent, step.path);
      if (note === null || !isStillExpected(note.data, step)) return;
      const text = madeAgain(step, note.text);
      if (text === note.text) return;
      const retry = { ...step, before_sha256: sha256(note.text), after_sha256: sha256(text), text };
      if (this.#edit(intent, retry)) return;
    }
    throw busy(step.path);
  }

  #currentNote(intent: Intent, file: string): { data: Frontmatter; text: string } | null {
    const bytes = this.#currentBytes(file);
    const read = bytes === null ? null : readNote(file, bytes);
    if (read?.ok === false && this.#isBeingWritten(intent, read.trouble)) throw busy(file);
    return read?.ok ? read.note : null;
  }

  #isBeingWritten(intent: Intent, { code }: Diagnostic): boolean {
    const halfWritten = code === 'note-empty' || code === 'frontmatter-unclosed';
    return halfWritten && this.#parts.now() - Date.parse(intent.at) < PATIENCE_MS;
  }

  #exists(file: string): boolean {
    return fs.existsSync(path.join(this.#parts.vault.root, file));
  }

  #currentSha(file: string): string | null {
    const bytes = this.#currentBytes(file);
    return bytes === null ? null : sha256(bytes);
  }

  #currentBytes(file: string): Buffer | null {
    try {
      return readBytes(insideVault(this.#parts.vault.root, file), MAX_NOTE_BYTES).bytes;
    } catch (error) {
      if (systemCode(error) === 'ENOENT' || error instanceof StewardError) return null;
      throw error;
    }
  }
}

function editionOf(intent: Intent, step: EditStep): Edition {
  return {
    path: step.path,
    beforeSha256: step.before_sha256,
    bytes: Buffer.from(step.text),
    keepAs: intent.id,
    keptBefore: intent.kept_before ?? 0,
  };
}

function madeAgain(step: EditStep, text: string): string {
  if (step.append !== undefined) return appendFields(step.path, text, step.append);
  if (step.again === undefined) return text;
  return withHistory(step.path, editFields(step.path, text, step.again).text, step.history ?? []);
}

// A field that no longer holds what the edit was decided on is the person's now, or was already written by us.
function isStillExpected(data: Frontmatter, step: EditStep): boolean {
  return Object.entries(step.expects ?? {}).every(([field, value]) => same(data[field] ?? null, value as Yaml));
}

function busy(file: string): StewardError {
  return new StewardError({
    code: 'note-busy',
    file,
    message: `${file} is being written again and again just now.`,
    hint: 'The rest of the action is made as soon as the note is quiet.',
  });
}

function journalFile(intent: Intent): string {
  return `.steward/journal/${intent.id}.json`;
}
