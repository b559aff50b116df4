/**
 * Returns a path that a note names, where it is spelled as the catalogue spells paths: relative to the vault, with
 * single forward slashes, and no part that leads elsewhere. Null for every other spelling: the program writes none, and
 * a second spelling would lead to the same file past all that is known of it. Nothing is decoded, for the same reason.
 */
export function plainPath(written: string): string | null {
  if (/[\\\p{Cc}\p{Zl}\p{Zp}]/u.test(written) || /^[a-z][a-z\d+.-]*:/i.test(written)) return null;
  return written.split('/').every((part) => part !== '' && part !== '.' && part !== '..') ? written : null;
}
