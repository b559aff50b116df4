import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { isId, newId, opaqueId } from '../ids.ts';
import { EXIT, StewardError, systemCode, writeState } from '../steward.ts';
import { vaultId } from './vault-id.ts';

const hostFile = z.object({ id: opaqueId });
const vaultFile = z.object({ path: z.string().refine(path.isAbsolute) });

/**
 * What this host keeps, in its own state folder: its id, and where each of its vaults lies. One small file a vault, so
 * that commands and the running host need not wait for each other. Paths never leave it.
 */
export class Registry {
  /** The id of this host, by which the engine knows it: the name of its task queue. */
  readonly host: string;
  readonly #vaults: string;

  /** `state`: the folder of this user's state; made where it is missing. Throws the system's error. */
  constructor(state: string) {
    const folder = path.join(state, 'fleet');
    this.#vaults = path.join(folder, 'vaults');
    fs.mkdirSync(this.#vaults, { recursive: true, mode: 0o700 });
    this.host = hostId(path.join(folder, 'host.json'));
  }

  /** Returns where a vault lies; null where it is not this host's. Throws `registry-unreadable` (75). */
  pathOf(id: string): string | null {
    if (!isId(id)) return null;
    const file = this.#fileOf(id);
    try {
      return vaultFile.parse(JSON.parse(fs.readFileSync(file, 'utf8'))).path;
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return null;
      throw new StewardError(
        {
          code: 'registry-unreadable',
          message: `The file that says where the vault ${id} lies can't be read: ${file}.`,
          hint: 'Delete the file, and run `steward-fleet add` for the folder of the vault.',
        },
        EXIT.tryAgain,
        { cause: error },
      );
    }
  }

  /** Returns where a vault lies, as far as that can be read. */
  readablePathOf(id: string): string | null {
    try {
      return this.pathOf(id);
    } catch {
      return null;
    }
  }

  /** Returns when a vault was added here last (epoch ms); null where it is not this host's. */
  addedAt(id: string): number | null {
    return fs.statSync(this.#fileOf(id), { throwIfNoEntry: false })?.mtimeMs ?? null;
  }

  /** Returns the ids of all vaults of this host, sorted. */
  ids(): string[] {
    const names = fs.readdirSync(this.#vaults).map((name) => path.parse(name));
    return names
      .filter(({ name, ext }) => ext === '.json' && isId(name))
      .map(({ name }) => name)
      .sort();
  }

  /** Notes that a vault lies here. */
  put(id: string, root: string): void {
    writeState(this.#fileOf(id), `${JSON.stringify({ path: root })}\n`);
  }

  /** Forgets a vault. */
  remove(id: string): void {
    fs.rmSync(this.#fileOf(id), { force: true });
  }

  /**
   * Looks for a vault among the direct subfolders of `folders`, and notes it where it is found: a disk may have been
   * brought here with its vaults. Returns where it lies, or null.
   */
  find(id: string, folders: readonly string[]): string | null {
    for (const root of folders.flatMap(subfolders)) {
      if (idOrNull(root) !== id) continue;
      this.put(id, root);
      return root;
    }
    return null;
  }

  /** Tells of each vault that comes or goes, by its id, until the watcher is closed. */
  watch(changed: (id: string) => void): fs.FSWatcher {
    return fs.watch(this.#vaults, { persistent: false }, (_, name) => {
      const { name: id, ext } = path.parse(name ?? '');
      if (ext === '.json' && isId(id)) changed(id);
    });
  }

  #fileOf(id: string): string {
    return path.join(this.#vaults, `${opaqueId.parse(id)}.json`);
  }
}

function hostId(file: string): string {
  try {
    fs.writeFileSync(file, `${JSON.stringify({ id: newId('h') })}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
  return hostFile.parse(JSON.parse(fs.readFileSync(file, 'utf8'))).id;
}

/** Returns the direct subfolders of a folder, absolute and sorted; none where it cannot be read. */
export function subfolders(folder: string): string[] {
  try {
    const items = fs.readdirSync(folder, { withFileTypes: true });
    return items
      .filter((item) => item.isDirectory() && !item.name.startsWith('.'))
      .map(({ name }) => path.join(folder, name))
      .sort();
  } catch {
    return [];
  }
}

function idOrNull(root: string): string | null {
  try {
    return vaultId(root);
  } catch {
    return null;
  }
}
