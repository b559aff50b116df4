import fs from 'node:fs';
import { StewardError } from './errors.ts';
import { type FileBytes, insideVault, notAFile, readBytes } from './files.ts';

/**
 * Reads the file that a vault-relative path means, as `readBytes` does. Between the look at the path and its opening a
 * folder on the way may be replaced by a link; so what was opened must still lie in the vault before a byte of it is read.
 * Throws `path-outside-vault` where it does not.
 */
export function readInside(root: string, file: string, maxBytes: number): FileBytes {
  const real = insideVault(root, file);
  return readBytes(real, maxBytes, fs.constants.O_NOFOLLOW, (handle) => {
    if (!isStillInside(root, real, openedAt(handle))) throw swapped(file);
  });
}

/**
 * Opens the file that a vault-relative path means, with the same care. Whoever asked for it closes the handle. Throws as
 * `readInside` does.
 */
export function openInside(root: string, file: string): { readonly handle: number; readonly stat: fs.Stats } {
  const real = insideVault(root, file);
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;
  const handle = fs.openSync(real, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const stat = fs.fstatSync(handle);
    if (!isStillInside(root, real, openedAt(handle))) throw swapped(file);
    if (!stat.isFile()) throw notAFile(real);
    return { handle, stat };
  } catch (error) {
    fs.closeSync(handle);
    throw error;
  }
}

// Where it was opened under the path that was judged, the root need not be resolved once more.
function isStillInside(root: string, real: string, at: string | null): boolean {
  return at === null || at === real || at.startsWith(`${fs.realpathSync.native(root)}/`);
}

/** Returns the path of an open file by the system's own account; null where the system gives none. */
export function openedAt(handle: number): string | null {
  try {
    return fs.readlinkSync(`/proc/self/fd/${handle}`);
  } catch {
    return null;
  }
}

function swapped(file: string): StewardError {
  return new StewardError({
    code: 'path-outside-vault',
    file,
    message: `The path ${JSON.stringify(file)} led out of the vault at the moment when it was opened.`,
    hint: 'Only files inside the vault are read; find out what puts links into it.',
  });
}

/** For how long (ms) one piece of work goes on before others have a turn. */
export const SLICE_MS = 5;

/** Lets others have their turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Lets others have their turn in long work. */
export class Turns {
  #since = performance.now();

  /** Whether others should have their turn. */
  get isLate(): boolean {
    return performance.now() - this.#since >= SLICE_MS;
  }

  /** Lets others have their turn where it is time. */
  async giveWay(): Promise<void> {
    if (!this.isLate) return;
    await nextTurn();
    this.#since = performance.now();
  }
}

/** Carries out as much of some work as fits into one slice of time. Returns whether all of it is done. */
export function oneSlice(work: Generator<void>): boolean {
  for (const turns = new Turns(); ; ) {
    if (work.next().done === true) return true;
    if (turns.isLate) return false;
  }
}

/** Carries out work that pauses after each small step, for somebody who waits for all of it. Returns its result. */
export function atOnce<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

/**
 * Carries out work that pauses after each small step: others have a turn after each slice of time. Returns its result.
 * Rejects with the signal's reason once it is aborted.
 */
export async function inSlices<Result>(work: Generator<void, Result>, signal?: AbortSignal): Promise<Result> {
  for (const turns = new Turns(); ; ) {
    const { done, value } = work.next();
    if (done === true) return value;
    if (!turns.isLate) continue;
    await turns.giveWay();
    if (signal?.aborted === true) work.throw(signal.reason); // what it has open is closed
  }
}
