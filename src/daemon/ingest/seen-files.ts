import type { SeenFiles } from '../context/ports.ts';
import type { State } from '../context/state.ts';

/** Returns the key under which it is remembered that bytes have left the vault: half of their hash tells them apart. */
export function retiredKey(sha256: string): string {
  return sha256.slice(0, 32);
}

/**
 * Remembers under which name bytes were read and gave signals, so that a mail that is filed under another name gives
 * them only once. Built from the state at the first question.
 */
export class RememberedFiles implements SeenFiles {
  readonly #state: State;
  #files: Map<string, string> | null = null;

  constructor(state: State) {
    this.#state = state;
  }

  /** Returns the file that was read with this hash and gave signals, or null. */
  of(sha256: string): string | null {
    this.#files ??= this.#built();
    return this.#files.get(sha256) ?? null;
  }

  /** Whether bytes with this hash were read, and have left the vault since. */
  isRetired(sha256: string): boolean {
    return this.#state.get('retired')[retiredKey(sha256)] !== undefined;
  }

  /** Remembers that a file with this hash gave signals. */
  add(sha256: string, file: string): void {
    this.#files?.set(sha256, file);
  }

  #built(): Map<string, string> {
    const read = Object.entries(this.#state.get('streams')).filter(([, { signals }]) => signals > 0);
    return new Map(read.map(([file, { sha256 }]) => [sha256, file]));
  }
}
