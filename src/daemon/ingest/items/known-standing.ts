import type { Identity } from '../../../stream/items/item.ts';
import { type KnownVersion, type Standing, standingAcross, standingAmong } from '../../../stream/items/standing.ts';
import type { Ingest } from '../../context/ports.ts';

type Known = Ingest['known'];

/** Returns how an event stands to those that were read before under its name, by whichever door they came. */
export function standingIn(known: Known, identity: Identity): Standing {
  const own = known.of(identity);
  const elsewhere = otherName(identity);
  if (elsewhere === null) return standingAmong(identity, own);
  return standingAcross(identity, own, known.of({ ...identity, key: elsewhere }));
}

/** Remembers that an event was read: an appointment that a mail brought also as one that has come by mail. */
export function rememberAs(known: Known, identity: Identity, version: KnownVersion): void {
  const { inCalendar } = identity;
  const names = [identity, ...(inCalendar === undefined ? [] : [{ ...identity, key: byMail(inCalendar) }])];
  for (const name of names) {
    if (!known.of(name).some((one) => isSame(one, version))) known.add(name, version);
  }
}

function isSame(one: KnownVersion, other: KnownVersion): boolean {
  return one.version === other.version && one.path === other.path && one.gave === other.gave;
}

/** The name that the same appointment has at the other door. */
function otherName({ key, inCalendar, otherwise }: Identity): string | null {
  if (inCalendar !== undefined) return inCalendar;
  return otherwise === 'newer' ? byMail(key) : null;
}

function byMail(key: string): string {
  return `${key} by mail`;
}
