import fs from 'node:fs';
import path from 'node:path';
import { type Make, makeVault } from './vault.ts';

/** What every measure is given. */
export interface Bench {
  /** A folder that is removed afterwards. */
  readonly home: string;
  readonly isQuick: boolean;
  /** What `--size` adds to the sizes that are measured; null: nothing. */
  readonly size: number | null;
  readonly vaults: Vaults;
}

/** Returns the sizes at which something is measured, with the one that was asked for. */
export function sizesOf({ isQuick, size }: Bench, whole: readonly number[], quick: readonly number[]): number[] {
  return [...new Set([...(isQuick ? quick : whole), ...(size === null ? [] : [size])])].sort((a, b) => a - b);
}

/** The vaults of a run: each is made when it is first asked for. */
export class Vaults {
  readonly #home: string;

  constructor(home: string) {
    this.#home = home;
  }

  /** Returns the vault that measures share which leave its notes as they are, of so many notes. */
  sized(notes: number): string {
    return this.named(`sized-${notes}`, notes);
  }

  /** Returns a vault that one measure has for itself. */
  named(name: string, size: number | Make): string {
    const root = path.join(this.#home, name);
    if (!fs.existsSync(root)) makeVault(root, size);
    return root;
  }

  /** Returns a folder of so many small vaults, each with a few notes of its own. */
  many(count: number, make: Make): string {
    const folder = path.join(this.#home, `many-${count}`);
    for (let nth = 0; nth < count; nth += 1) {
      const root = path.join(folder, `vault-${String(nth).padStart(5, '0')}`);
      if (!fs.existsSync(root)) makeVault(root, make, nth);
    }
    return folder;
  }

  /** Gives back the room of a vault that is not needed any more. */
  remove(root: string): void {
    fs.rmSync(root, { recursive: true, force: true });
  }
}
