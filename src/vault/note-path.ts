/**
 * Returns a path that a note names, where it is spelled as the catalogue spells paths: relative to the vault, with
 * single forward slashes, and no part that leads elsewhere. Null for every other spelling: the program writes none, and
 * a second spelling would lead to the same file past all that is known of it. Nothing is decoded, for the same reason. Any
 * other character is one that a file's name may have.
 */
export function plainPath(written: string): string | null {
  if (written.includes('\0')) return null;
  return written.split('/').every((part) => part !== '' && part !== '.' && part !== '..') ? written : null;
}
