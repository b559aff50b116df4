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

function byVersion(one: KnownVersion, other: KnownVersion): number {
  return one.version < other.version ? -1 : Number(one.version > other.version);
}
