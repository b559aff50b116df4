/** Events that weren't read, by the reason. */
export type UnreadCounts = Readonly<Record<string, number>>;

/** A file may give as many reasons as its writer likes: the rest are counted together. */
const MAX_REASONS = 20;
export const OTHER_REASONS = 'other reasons';

/** Returns the counts with more events that weren't read for a reason. */
export function addUnread(unread: UnreadCounts, reason: string, events = 1): Record<string, number> {
  const isKnown = Object.hasOwn(unread, reason) || Object.keys(unread).length < MAX_REASONS;
  const key = isKnown ? reason : OTHER_REASONS;
  return { ...unread, [key]: (Object.hasOwn(unread, key) ? (unread[key] ?? 0) : 0) + events };
}

/** Returns how many events weren't read, and why: `3 not read (2 encrypted with PGP, 1 only a picture)`. Empty if all were. */
export function unreadWords(unread: UnreadCounts): string {
  const all = Object.entries(unread).toSorted(([, one], [, other]) => other - one);
  const sum = all.reduce((events, [, each]) => events + each, 0);
  return sum === 0 ? '' : `${sum} not read (${all.map(([reason, each]) => `${each} ${reason}`).join(', ')})`;
}
