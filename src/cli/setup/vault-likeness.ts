import path from 'node:path';
import { EXIT, StewardError } from '../../vault/errors.ts';
import { clean, count } from '../print/plain-text.ts';
import type { Surroundings } from './survey/look-around.ts';

/**
 * What a folder is before anything is made in it: `new` holds nothing yet, a `vault` says that it is one, `notes` are
 * Markdown files that nothing calls a vault; `unlikely`: something else, and why.
 */
type Likeness =
  | { readonly kind: 'new' }
  | { readonly kind: 'vault' }
  | { readonly kind: 'notes' }
  | { readonly kind: 'unlikely'; readonly reason: string };

/** Returns what a folder looks like. */
export function likenessOf({ marks, files, notes, isCut }: Surroundings): Likeness {
  if (marks.length > 0) return { kind: 'vault' };
  if (files === 0) return { kind: 'new' };
  const held = `${isCut ? 'more than ' : ''}${count(files, 'file')}`;
  if (notes.length === 0) return { kind: 'unlikely', reason: `it holds ${held} and no note` };
  if (notes.length * 2 < files) {
    return {
      kind: 'unlikely',
      reason: `of its ${held}, ${notes.length} ${notes.length === 1 ? 'is a note' : 'are notes'}`,
    };
  }
  return { kind: 'notes' };
}

/** Returns why a folder is none that anybody makes a vault of, by its place alone; null where it may be one. */
export function unlikelyPlace(root: string, home: string | undefined): string | null {
  if (root === path.parse(root).root) return 'it is the root of the disk';
  if (home === undefined || home === '') return null;
  if (root === path.resolve(home)) return 'it is your home folder';
  return path.resolve(home).startsWith(`${root}/`) ? 'your home folder lies in it' : null;
}

/** Returns the refusal to make a vault of a folder. */
export function unlikelyVault(root: string, reason: string): StewardError {
  return new StewardError(
    {
      code: 'vault-unlikely',
      file: clean(root),
      message: `This looks like no vault: ${reason}. Nothing is made.`,
      hint: 'Name the folder of your notes, or add --anyway to use this one.',
    },
    EXIT.refused,
  );
}
