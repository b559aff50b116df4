import type { Identity } from './item.ts';

/** A version of an event that was read before. */
export interface KnownVersion {
  readonly version: string;
  /** The path of the event as it was read. */
  readonly path: string;
  /** Whether it gave a signal. */
  readonly gave: boolean;
}

/** How an event stands to those that were read before under its name. */
export type Standing =
  | { readonly kind: 'new' }
  /** It was read before; or a newer version of it was. */
  | { readonly kind: 'known'; readonly as: KnownVersion; readonly isOutdated: boolean }
  /** Another event has its name. */
  | { readonly kind: 'namesake'; readonly of: KnownVersion }
  /** It is a newer version of what was read before, oldest first. */
  | { readonly kind: 'newer'; readonly than: readonly KnownVersion[] };

/** Returns how an event stands to what is known of its name, oldest first (see `Identity`). */
export function standingAmong({ version, otherwise }: Identity, known: readonly KnownVersion[]): Standing {
  const same = known.findLast((one) => one.version === version);
  if (same !== undefined && otherwise === 'other') return { kind: 'known', as: same, isOutdated: false };
  const newest = known.reduce<KnownVersion | null>((a, b) => (a === null || b.version >= a.version ? b : a), null);
  if (newest === null) return { kind: 'new' };
  if (otherwise === 'other') return { kind: 'namesake', of: newest };
  if (version > newest.version) return { kind: 'newer', than: known.toSorted(byVersion) };
  return { kind: 'known', as: newest, isOutdated: version !== newest.version };
}

/**
 * Does the same where it may have come by another door as well: `there` is what was read of it there. One version is the same
 * by both doors. A calendar is the person's own, so a later version in it outdates what a mail brings; what a mail brings
 * outdates nothing in a calendar, since anybody can write it.
 */
export function standingAcross(
  identity: Identity,
  own: readonly KnownVersion[],
  there: readonly KnownVersion[],
): Standing {
  const here = standingAmong(identity, own);
  if (here.kind === 'known') return here;
  const { version, inCalendar } = identity;
  const same = there.find((one) => one.version === version);
  if (same !== undefined) return { kind: 'known', as: same, isOutdated: false };
  const later = inCalendar === undefined ? undefined : there.findLast((one) => one.version > version);
  if (later !== undefined) return { kind: 'known', as: later, isOutdated: true };
  const than = [...there, ...own].filter((one) => one.version < version).toSorted(byVersion);
  return than.length === 0 ? here : { kind: 'newer', than };
}

function byVersion(one: KnownVersion, other: KnownVersion): number {
  return one.version < other.version ? -1 : Number(one.version > other.version);
}
