const MAX_LINK = 300;

/** Returns the wikilink to write for a link in any form people use (contract, section 3); null where it is no link. */
export function asWikilink(written: string): string | null {
  const text = written.trim();
  const inner = /^\[\[([^[\]]+)\]\]$/.exec(text)?.[1] ?? text;
  if (inner.trim() === '' || text.length > MAX_LINK || /[[\]\p{Cc}\p{Zl}\p{Zp}]/u.test(inner)) return null;
  return inner === text ? `[[${inner.replace(/\.md$/i, '')}]]` : text;
}

/** Returns whether a text is nothing but one wikilink. */
export function isWikilink(text: string): boolean {
  return /^\s*\[\[[^[\]]+\]\]\s*$/.test(text);
}

/** Returns whether two links mean the same note: folder, shown text, heading, `.md` and case aside. */
export function sameLink(one: string, other: string): boolean {
  const [a, b] = [linkName(one), linkName(other)];
  if (a === b) return true;
  return a.includes('/') !== b.includes('/') && lastPart(a) === lastPart(b);
}

/** Returns whether a member of a list is the given text, or links to the same note. */
export function includesLink(members: readonly string[], member: string): boolean {
  return members.some((one) => one === member || sameLink(one, member));
}

function linkName(written: string): string {
  const inner = /^\s*\[\[([^[\]]*)\]\]\s*$/.exec(written)?.[1] ?? written;
  const target = inner.split('|')[0]?.split('#')[0] ?? '';
  return target.trim().replace(/\.md$/i, '').normalize('NFC').toLowerCase();
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}
