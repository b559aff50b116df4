import { type CalendarText, digestOf, type EntryText, extentOf, isSeries, leftOutOf } from '../calendar/entry-text.ts';
import { isLongPast, type RememberedEntries, remember } from '../calendar/remembered.ts';
import { liesAhead } from '../calendar/vanished.ts';

/** What is known of a feed: by UID and RECURRENCE-ID the hash of what each entry said, and what was remembered of it. */
interface KnownFeed {
  readonly digests: Readonly<Record<string, string>>;
  readonly entries: RememberedEntries;
}

/** What a feed says that it did not say before, and what is to be known of it from now on. */
interface FeedChanges {
  /** Entries that are new or say something else; of a series that has such, the series itself as well. */
  readonly changed: readonly EntryText[];
  /** Entries that are there no longer and should be. */
  readonly gone: RememberedEntries;
  readonly digests: Record<string, string>;
  readonly entries: RememberedEntries;
}

const DAY_MS = 86_400_000;

/**
 * Compares a feed with what was known of it. An entry that is there no longer is gone only where the feed still shows what lies
 * before and behind it: many show a window of time, or the next few entries, and what leaves at an edge was not cancelled.
 */
export function feedChanges(feed: CalendarText, known: KnownFeed, now: number): FeedChanges {
  const current = feed.entries.filter((one) => !isLongPast(one, now));
  const byUid = Map.groupBy(current, ({ uid }) => uid);
  const digests = Object.fromEntries(digestsOf(current));
  const isNew = (one: EntryText) => known.digests[nameOf(one)] !== digests[nameOf(one)];
  // A series is read together with the entries that stand for single ones of it.
  const fresh = new Set(current.filter(isNew).map(({ uid }) => uid));
  const changed = [...byUid].flatMap(([uid, all]) => {
    if (!fresh.has(uid)) return [];
    return uid !== '' && all.some(isSeries) ? all : all.filter(isNew);
  });
  const entries = remember({ entries: current, zones: feed.zones }, now);
  return { changed, digests, entries, gone: goneFrom(feed, known.entries, now) };
}

function goneFrom({ entries }: CalendarText, before: RememberedEntries, now: number): RememberedEntries {
  const there = new Set(entries.map(({ key }) => key));
  const series = new Set(entries.filter(isSeries).map(({ uid }) => uid));
  const left = new Set(entries.flatMap(leftOutOf));
  const span = spanOf(entries, now);
  const gone = Object.entries(before).filter(([key, one]) => {
    if (there.has(key) || !liesAhead(one, now)) return false;
    const [uid = '', planned = ''] = key.split('\n');
    // One of a series that has no entry of its own any more takes place again as the series has it, or is left out.
    if (planned !== '' && series.has(uid)) return left.has(key);
    return span !== null && isWithin(one, span);
  });
  return Object.fromEntries(gone);
}

/** From the first to the last day that a feed shows for sure; null where that is none. */
function spanOf(entries: readonly EntryText[], now: number): readonly [number, number] | null {
  const starts = entries.filter((one) => !isSeries(one)).flatMap((one) => extentOf(one)?.start ?? []);
  if (starts.length === 0) return null;
  // One that shows nothing of the past begins today, or tomorrow.
  const first = starts.reduce((one, other) => Math.min(one, other));
  return [Math.min(first, now + DAY_MS), starts.reduce((one, other) => Math.max(one, other))];
}

/** A series goes on through whatever is shown; where it began may lie long before that. */
function isWithin([start, end]: RememberedEntries[string], [first, last]: readonly [number, number]): boolean {
  return end === null ? start <= last : start >= first && start < last;
}

/** Several entries of one name count as one that says all of it. */
function digestsOf(entries: readonly EntryText[]): Map<string, string> {
  const named = Map.groupBy(entries, nameOf);
  return new Map([...named].map(([name, all]) => [name, digestOf(all)]));
}

function nameOf(one: EntryText): string {
  return one.key ?? `\n${digestOf([one])}`;
}
