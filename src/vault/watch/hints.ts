import { SLICE_MS } from '../disk/slices.ts';
import type { KnownFiles } from './known-files.ts';
import { statInside } from './scan.ts';

const READ_CHUNK = 200;

interface HintsParts {
  readonly files: KnownFiles;
  /** Reads these paths, and tells what changed. */
  readonly look: (files: Iterable<string>) => void;
  /** Asks for a listing of the whole vault. */
  readonly sweepSoon: () => void;
}

/** Paths that something happened to, as somebody said: each is looked at once the current work yields. */
export class Hints {
  readonly #parts: HintsParts;
  readonly #touched = new Set<string>();
  #isDraining = false;
  #isHeldBack = false;

  constructor(parts: HintsParts) {
    this.#parts = parts;
  }

  take(file: string): void {
    this.#touched.add(file);
    this.#drainSoon();
  }

  /** Keeps what comes in until `letGo`. */
  holdBack(): void {
    this.#isHeldBack = true;
  }

  letGo(): void {
    this.#isHeldBack = false;
    this.#drainSoon();
  }

  #drainSoon(): void {
    if (this.#isDraining || this.#isHeldBack || this.#touched.size === 0) return;
    this.#isDraining = true;
    setImmediate(() => this.#drain());
  }

  #drain(): void {
    this.#isDraining = false;
    const { files, look, sweepSoon } = this.#parts;
    const since = performance.now();
    const there: string[] = [];
    for (const file of this.#touched) {
      if (there.length === READ_CHUNK || performance.now() - since > SLICE_MS) break;
      this.#touched.delete(file);
      if (statInside(files.root, file) !== null) there.push(file);
      // Only a whole listing tells whether it was deleted, moved, or went away with much else.
      else if (files.has(file)) sweepSoon();
      else files.conflictCopies.delete(file);
    }
    const left = there.values();
    lookForAWhile(left, look);
    for (const file of left) this.#touched.add(file);
    this.#drainSoon();
  }
}

/** Looks at files until others should have a turn; returns whether any may be left. */
export function lookForAWhile(files: Iterator<string>, look: HintsParts['look']): boolean {
  const since = performance.now();
  let count = 0;
  let isMore = true;
  const some = function* () {
    while (count < READ_CHUNK && performance.now() - since < SLICE_MS) {
      const { done, value } = files.next();
      if (done === true) {
        isMore = false;
        return;
      }
      count += 1;
      yield value;
    }
  };
  look(some());
  return isMore;
}
