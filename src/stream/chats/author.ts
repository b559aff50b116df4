import { oneLine } from '../mail/plain-text.ts';

/** Who said something. */
export interface Author {
  /** What tells them apart from others, as a pattern of a source; null for the vault's owner, and where nobody is named. */
  readonly id: string | null;
  /** As shown. Never used to decide anything. */
  readonly name: string | null;
}

/** The vault's owner, or somebody who is not named: nothing is learnt of anybody from what they say. */
export const NOBODY_NAMED = { id: null, name: null } as const satisfies Author;

const MAX_NAME = 120;
/** Whatever could make a name read as an address, as a domain, as `Name <…>`, or as a mark of this program. */
const NO_NAME = /[^\p{L}\p{M}\p{N} ~+._'-]+/gu;

/**
 * Returns an author who is known by a name alone: it is folded, and holds nothing that an address is recognised by. Whoever
 * calls themselves `anna@notary.example` is not taken for a sender of mails.
 */
export function namedAuthor(written: string): Author {
  const id = foldedName(written);
  return { id: id === '' ? null : id, name: shownName(written) };
}

/**
 * Returns an author whom the channel knows by an id, which nobody chooses. The channel stands in brackets behind it, which
 * no name has: a name that is written like an id is not taken for it.
 */
export function identifiedAuthor(id: string, channel: string, name: string | null): Author {
  const plain = foldedName(id);
  const shown = name === null ? null : shownName(name);
  return { id: plain === '' ? null : `${plain} (${foldedName(channel)})`, name: shown };
}

function foldedName(written: string): string {
  const plain = oneLine(written.normalize('NFKC'), MAX_NAME).toLowerCase();
  return plain.replace(NO_NAME, ' ').replace(/ {2,}/g, ' ').trim();
}

function shownName(written: string): string | null {
  const shown = oneLine(written, MAX_NAME);
  return shown === '' ? null : shown;
}
