import { StewardError } from '../../errors.ts';

/** What a person can do about frontmatter that cannot be edited. */
export const BY_HAND = 'Change this note by hand, or write its frontmatter as plain "field: value" lines.';

/** Returns the error of an edit that cannot be made exactly, `edit-unsupported`. */
export function unsupported(file: string, what: string, hint: string): StewardError {
  return new StewardError({ code: 'edit-unsupported', file, message: what, hint });
}
