import fs from 'node:fs';
import path from 'node:path';
import { type Diagnostic, diagnostic } from '../../vault/errors.ts';
import { isBelow, isHiddenBelow } from './place.ts';

/**
 * Where a note may have files read: its vault (absolute, links resolved), and the folders outside of it that a person
 * has named in the environment or to a command (absolute). No note can add to them.
 */
export interface Ground {
  readonly vault: string;
  readonly roots: readonly string[];
}

/** The folder that the paths of a list are relative to, or why there is none. */
type RootChoice =
  | { readonly root: string; readonly trouble: null }
  | { readonly root: null; readonly trouble: Diagnostic };

/**
 * Returns the folder that a note's field `root` names, with links resolved: the vault where there is no such field.
 * `file` names the note in the diagnostic, which is the same whatever lies outside: it tells nobody what is there.
 */
export function rootOf(written: unknown, file: string, ground: Ground): RootChoice {
  if (written === undefined || written === null || written === '') return { root: ground.vault, trouble: null };
  const root = typeof written === 'string' && !written.includes('\0') ? allowedFolder(written, ground) : null;
  return root === null ? { root, trouble: badRoot(file, written) } : { root, trouble: null };
}

function allowedFolder(written: string, { vault, roots }: Ground): string | null {
  const asked = path.resolve(vault, written);
  const real = roots.map(realFolder).filter((root) => root !== null);
  // By its text first: of what lies elsewhere not even the existence is looked at.
  if (![vault, ...roots, ...real].some((base) => isBelow(base, asked))) return null;
  const folder = realFolder(asked);
  const bases = folder === null ? [] : [vault, ...real].filter((base) => isBelow(base, folder));
  return bases.some((base) => folder !== null && !isHiddenBelow(base, folder)) ? folder : null;
}

/** Returns a folder with links resolved; null where there is none, and for the whole disk, which is never registered. */
function realFolder(folder: string): string | null {
  try {
    const real = fs.realpathSync.native(folder);
    return real !== path.parse(real).root && fs.statSync(real).isDirectory() ? real : null;
  } catch {
    return null;
  }
}

function badRoot(file: string, written: unknown): Diagnostic {
  const named = typeof written === 'string' ? ` ${JSON.stringify(written.slice(0, 200))}, which is` : '';
  const home = named.startsWith(' "~') ? ' In a note ~ stands for no home folder.' : '';
  return diagnostic({
    code: 'evidence-root',
    file,
    message: `The field root names${named} no folder of the vault, nor one that may be read outside of it.`,
    hint: `Name a folder of the vault. One outside must be allowed by you: in STEWARD_EVIDENCE_ROOTS of the daemon, or with --root DIR of the command.${home}`,
  });
}
