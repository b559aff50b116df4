import { utc } from '../vault/time.ts';

/** What tells the versions of an appointment apart. */
interface Revision {
  /** SEQUENCE: how often its organiser has moved it. */
  readonly sequence: number;
  /** When it was last changed (epoch ms); null where the calendar does not say. */
  readonly changed: number | null;
  readonly status: 'confirmed' | 'tentative' | 'cancelled';
  /** As the appointment says it; of a series, that of the first. */
  readonly start: string;
}

const MOST = 9_999_999_999;
const ORDER = { tentative: 0, confirmed: 1, cancelled: 2 } as const;

/** Returns a revision as a text. A later one comes later in the order of texts, and its end is where it stands. */
export function versionOf({ sequence, changed, status, start }: Revision): string {
  const number = Math.min(MOST, Math.max(0, Math.trunc(sequence) || 0));
  const time = changed === null ? '-' : utc(changed);
  return `${String(number).padStart(10, '0')} ${time} ${ORDER[status]} ${start}`;
}

/** Returns where an appointment stood by a version that `versionOf` made; null for any other text. */
export function startIn(version: string): string | null {
  return / (\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2})?)$/.exec(version)?.[1] ?? null;
}
