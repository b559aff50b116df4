import fs from 'node:fs';
import path from 'node:path';
import { type Diagnostic, diagnostic, EXIT, StewardError, systemCode } from './errors.ts';
import { fileError } from './files.ts';
import type { Journal } from './journal.ts';
import { intentId } from './note-text.ts';
import { type HeldUp, inOrder } from './transaction/held-up.ts';
import type { Intent, Step } from './transaction/intent.ts';
import type { StepExecutor } from './transaction/step-executor.ts';

/** Is told what holds up decided actions just now, each note or place once; nothing where all is finished. */
export type HeldUpListener = (diagnostics: readonly Diagnostic[]) => void;

interface FinisherParts {
  readonly journal: Journal;
  readonly steps: StepExecutor;
  readonly heldUp: HeldUp;
  readonly listener: HeldUpListener;
  readonly look: (notes: readonly string[]) => void;
}

/** What became of intents that were cut off, by id. */
interface Resolved {
  readonly finished: readonly string[];
  readonly withdrawn: readonly string[];
  readonly heldUp: readonly string[];
}

/**
 * Brings decided actions to their end, at once or when the disk lets them. Each step is tried, so that one note that
 * cannot be written holds up no other.
 */
export class Finisher {
  readonly #parts: FinisherParts;
  /** Why each action is held up, by intent. */
  readonly #reasons = new Map<string, Diagnostic>();

  constructor(parts: FinisherParts) {
    this.#parts = parts;
  }

  /** Makes what follows the deciding step of an action, or holds up what the disk refuses. */
  finish(intent: Intent, steps: readonly Step[]): void {
    const { steps: executor, heldUp } = this.#parts;
    this.#carryOn({ ...intent, decided: true }, steps, heldUp.notes(), (step) => executor.follow(intent, step));
  }

  /** Takes an intent that decided nothing out of the journal, before anything else is decided about its notes. */
  withdraw(intent: Intent): void {
    try {
      this.#close(intent);
    } catch (error) {
      this.holdUp(intent, error);
    }
  }

  /** Holds up an intent of which the disk does not let us know whether it was decided. */
  holdUp(intent: Intent, error: unknown): void {
    this.#keep(intent, intent.steps, fileError(error, journalFile(intent)).trouble);
  }

  /** Tries everything again that is held up. */
  retry(): void {
    this.resolveAll(this.#parts.heldUp.all().map(({ intent }) => intent));
  }

  /**
   * Resolves intents that a crash or a failing disk cut off, in the order in which they were decided: finishes each
   * whose deciding step happened, withdraws the others. May itself be cut off at any point and called again.
   */
  resolveAll(intents: readonly Intent[]): Resolved {
    const resolved = { finished: [] as string[], withdrawn: [] as string[], heldUp: [] as string[] };
    const blocked = new Set<string>();
    for (const intent of inOrder(intents)) {
      resolved[this.#resolve(intent, blocked)].push(intent.id);
      for (const step of this.#parts.heldUp.leftOf(intent.id) ?? []) blocked.add(step.path);
    }
    return resolved;
  }

  /** Returns the error of work about a note that has to wait for an earlier action: `held-up` (exit 75). */
  waitsFor(note: string): StewardError {
    const reason = this.#reasonFor(note);
    return new StewardError(
      {
        code: 'held-up',
        file: reason?.file ?? note,
        message: `An earlier action about ${note} is not finished: ${reason?.message ?? 'the disk refuses.'}`,
        hint: reason?.hint ?? 'Look at the file and its folder; the program tries again by itself.',
      },
      EXIT.tryAgain,
    );
  }

  #resolve(intent: Intent, blocked: ReadonlySet<string>): keyof Resolved {
    const { steps, heldUp } = this.#parts;
    const left = heldUp.isDecided(intent.id) ? heldUp.leftOf(intent.id) : null;
    try {
      if (left === null && intent.decided !== true && !steps.wasDecided(intent)) {
        this.#close(intent);
        return 'withdrawn';
      }
    } catch (error) {
      this.holdUp(intent, error);
      return 'heldUp';
    }
    const finish = (step: Step) => steps.finish(intent, step);
    const isDone = this.#carryOn({ ...intent, decided: true }, left ?? intent.steps.slice(1), blocked, finish);
    return isDone ? 'finished' : 'heldUp';
  }

  // The event note comes first: what follows refers to it. A note that an earlier action waits for has its turn later.
  #carryOn(intent: Intent, steps: readonly Step[], blocked: ReadonlySet<string>, make: (step: Step) => void): boolean {
    const left: Step[] = [];
    let reason: Diagnostic | null = null;
    for (const step of steps) {
      const isBehind = left.some(({ path }) => isRecord(intent, path));
      const failed: Diagnostic | null = isBehind
        ? reason
        : blocked.has(step.path)
          ? this.#reasonFor(step.path)
          : refusal(step, make);
      if (failed === null) continue;
      reason ??= failed;
      left.push(step);
    }
    return reason === null ? this.#isClosed(intent) : this.#keep(intent, left, reason);
  }

  #isClosed(intent: Intent): boolean {
    try {
      this.#close(intent);
      return true;
    } catch (error) {
      return this.#keep(intent, [], fileError(error, journalFile(intent)).trouble);
    }
  }

  #close(intent: Intent): void {
    this.#parts.journal.close(intent.id);
    this.#parts.heldUp.forget(intent.id);
    if (this.#reasons.delete(intent.id)) this.#tell();
    // Also where nothing was decided: a note whose name was free for an instant has come back.
    this.#parts.look(intent.steps.map((step) => step.path));
  }

  #keep(intent: Intent, left: readonly Step[], reason: Diagnostic): false {
    const isNews = this.#parts.heldUp.leftOf(intent.id)?.length !== left.length;
    this.#parts.heldUp.keep(intent, left);
    this.#reasons.set(intent.id, reason);
    if (isNews) this.#writeLeft(intent, left);
    this.#tell();
    if (isNews) this.#parts.look(intent.steps.map((step) => step.path));
    return false;
  }

  // What is done is not made again after a restart: a person may have deleted it since.
  #writeLeft(intent: Intent, left: readonly Step[]): void {
    const [first] = intent.steps;
    if (intent.decided !== true || first === undefined) return;
    try {
      this.#parts.journal.open({ ...intent, steps: [first, ...left] });
    } catch {
      // The whole intent stays in the journal, and each of its steps can be seen to be done.
    }
  }

  #tell(): void {
    const lines = [...this.#reasons.values()].map((reason) => diagnostic({ ...reason, message: waiting(reason) }));
    this.#parts.listener([...new Map(lines.map((line) => [line.message, line])).values()]);
  }

  #reasonFor(note: string): Diagnostic | null {
    const holder = this.#parts.heldUp.all().find(({ left }) => left.some((step) => step.path === note));
    return (holder && this.#reasons.get(holder.intent.id)) ?? null;
  }
}

/** Whether a path is that of the note which records an intent. */
export function isRecord(intent: Intent, path: string): boolean {
  return intentId(path) === intent.id;
}

/** Returns the journal file of an intent, relative to the vault. */
export function journalFile(intent: Intent): string {
  return `.steward/journal/${intent.id}.json`;
}

function refusal(step: Step, make: (step: Step) => void): Diagnostic | null {
  try {
    make(step);
    return null;
  } catch (error) {
    return fileError(error, step.path).trouble;
  }
}

function waiting({ message }: Diagnostic): string {
  return `${message.replace(/\.$/, '')}; what an action still has to do there waits, and the rest goes on.`;
}

/**
 * Throws `no-permission` or `read-only` (exit 75) where the system says beforehand that nothing can be written into a
 * folder. A folder that is not there yet passes: it is made.
 */
export function demandFolder(root: string, folder: string): void {
  const code = refusalWritable(path.join(root, folder));
  if (code !== null) throw refused(folder, code, `Nothing may be written into ${folder} (${code}).`);
}

/** The same for a note that may not be changed by anybody: it is write-protected, or lies on a read-only disk. */
export function demandNote(root: string, note: string): void {
  const code = refusalWritable(path.join(root, note));
  // A note without write permission is replaced all the same, where its folder may be written.
  if (code !== null && code !== 'EACCES') throw refused(note, code, `${note} may not be changed (${code}).`);
}

function refusalWritable(place: string): string | null {
  try {
    fs.accessSync(place, fs.constants.W_OK);
    return null;
  } catch (error) {
    const code = systemCode(error);
    return code === 'EACCES' || code === 'EPERM' || code === 'EROFS' ? code : null;
  }
}

function refused(file: string, code: string, message: string): StewardError {
  const hint =
    'Let the user who runs the daemon write there: look at its permissions, its mount and its write protection (lsattr).';
  return new StewardError(
    { code: code === 'EROFS' ? 'read-only' : 'no-permission', file, message, hint },
    EXIT.tryAgain,
  );
}
