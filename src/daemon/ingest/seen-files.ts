import type { SeenFiles } from '../context/ports.ts';
import type { State } from '../context/state.ts';

/**
 * Under which name a stream file's bytes were read and gave signals, so that a mail that is filed away under another
 * name gives none again. Built when it is first asked.
 */
export class RememberedFiles implements SeenFiles {
  readonly #state: State;
  #files: Map<string, string> | null = null;

  constructor(state: State) {
    this.#state = state;
  }

  /** The file that was read with this hash, or null. */
  of(sha256: string): string | null {
    this.#files ??= this.#built();
    return this.#files.get(sha256) ?? null;
  }

  /** Says that signals were taken from a file with this hash. */
  add(sha256: string, file: string): void {
    this.#files?.set(sha256, file);
  }

  #built(): Map<string, string> {
    const read = Object.entries(this.#state.get('streams')).filter(([, { signals }]) => signals > 0);
    return new Map(read.map(([file, { sha256 }]) => [sha256, file]));
  }
}
