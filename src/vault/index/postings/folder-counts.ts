/** How many paths are known in each folder, kept up with each change: a listing of one folder is compared with a number. */
export class FolderCounts {
  readonly #counts = new Map<string, number>();

  /** Counts a path that has become known. */
  add(path: string): void {
    const folder = folderOf(path);
    this.#counts.set(folder, this.of(folder) + 1);
  }

  /** No longer counts a path that was known. */
  remove(path: string): void {
    const folder = folderOf(path);
    if (this.of(folder) > 1) this.#counts.set(folder, this.of(folder) - 1);
    else this.#counts.delete(folder);
  }

  /** Returns how many known paths lie directly in a folder. */
  of(folder: string): number {
    return this.#counts.get(folder) ?? 0;
  }

  /** Returns the counts as they are now. */
  taken(): ReadonlyMap<string, number> {
    return new Map(this.#counts);
  }
}

/** Returns the folder that a vault-relative path lies in; '' for the vault itself. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
