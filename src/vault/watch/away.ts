import fs from 'node:fs';
import path from 'node:path';
import { ownPlacesRefusal } from '../disk/own-places.ts';
import { reasonOf, StewardError } from '../errors.ts';
import { type FolderKind, type Layout, OWN_FOLDER, RECORD_KINDS } from '../layout.ts';

/** What a walk met out of the ordinary. */
interface Met {
  readonly unreadable: ReadonlyMap<string, string>;
  readonly passedOver: ReadonlyMap<string, string>;
}

/** How many files each record folder held when last looked at, and holds now. */
export interface Held {
  readonly before: ReadonlyMap<FolderKind, number>;
  readonly now: ReadonlyMap<FolderKind, number>;
}

/** Returns why the vault as a whole cannot be looked at, in one sentence, or null where it can. */
export function unreachable(root: string, met: Met): string | null {
  if (met.unreadable.has('')) return `the vault folder cannot be read (${met.unreadable.get('')})`;
  const refusal = ownPlacesRefusal(root);
  if (refusal !== null) return refusal.trouble.message.replace(/\.$/, '');
  if (!fs.existsSync(path.join(root, OWN_FOLDER))) return `the folder ${OWN_FOLDER} is gone, as from an unmounted disk`;
  return null;
}

/**
 * Returns why a vault in which files are missing must be considered away rather than emptied, in one sentence, or null
 * where it is there. A vault that cannot be read is not an empty vault (contract, section 4).
 */
export function emptied(root: string, layout: Layout, met: Met, held: Held): string | null {
  for (const kind of RECORD_KINDS) {
    const folder = layout.folders[kind];
    const count = held.before.get(kind) ?? 0;
    if (count === 0 || (held.now.get(kind) ?? 0) > 0) continue;
    const error = [...met.unreadable].find(([name]) => name === folder || name.startsWith(`${folder}/`));
    if (error !== undefined) return `the folder ${folder} cannot be read (${error[1]})`;
    const link = met.passedOver.get(folder);
    if (link !== undefined) return `the folder ${folder}, which held ${count} notes, cannot be read: ${link}`;
    if (!fs.existsSync(path.join(root, folder))) return `the folder ${folder}, which held ${count} notes, has vanished`;
    // One note deleted is a decision; every one of several gone at once is a sync tool or a mount at work.
    if (count > 1) return `the folder ${folder}, which held ${count} notes, is suddenly empty`;
  }
  return null;
}

/** Returns the error of a vault that cannot be read at all, `vault-away` (exit 75). */
export function awayError(root: string, reason: string): StewardError {
  return new StewardError(
    {
      code: 'vault-away',
      message: `The vault ${root} cannot be read (${reasonOf(reason)}).`,
      hint: 'Mount it or mend its permissions; work goes on when it is back.',
    },
    75,
  );
}
