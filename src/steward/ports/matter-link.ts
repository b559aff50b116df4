import type { Catalogue } from '../../vault/index/catalogue.ts';
import { wikilink } from '../../vault/links.ts';

/**
 * Returns the field by which tables put an event under its matter: a link to the matter of the note at `path`, or to the
 * note itself where it is a matter. Empty where there is none.
 */
export function matterField(
  { catalogue }: { readonly catalogue: Catalogue },
  path: string | null,
): { readonly matter?: string } {
  const note = path === null ? undefined : catalogue.get(catalogue.currentPath(path));
  const matter = note?.kind === 'task' ? catalogue.matterOf(note) : note;
  return matter?.kind === 'matter' ? { matter: wikilink(matter.path) } : {};
}
