import { localDate } from '../../vault/time.ts';
import { lastAt, nextAt, quietUntil, startOfDay } from './hours.ts';
import { type ChannelName, emptyTray, type NotifyMemory, type Tray } from './memory.ts';
import type { News } from './news.ts';
import type { Policy } from './policy.ts';

/** What comes within so long of the first is said with it, as one. */
const BUNDLE_MS = 10_000;
/** A digest that is so late is no longer one that was asked for at this hour. */
const LATE_MS = 30 * 60_000;
/** Since when changes are told is kept this exactly: a disk that sleeps is not woken for it. */
const SINCE_MS = 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** So long it is known what was told, once it is over; of trouble, since that may well come again. */
const KEPT_MS = 30 * DAY_MS;
const KEPT_TROUBLE_MS = DAY_MS;
/** More than this is said by nobody: the digest and the list have it. */
const MOST_HELD = 100;

/** What is to be done now, and when to look again. */
interface Step {
  readonly memory: NotifyMemory;
  /** Since when a digest is to tell (epoch ms); null where none is due. */
  readonly digest: number | null;
  /** Whether what was pending is now for the channels to say. */
  readonly says: boolean;
  /** Epoch ms; null where nothing is to come by itself. */
  readonly next: number | null;
}

/** Takes up what is new: from now on it counts as told, whatever becomes of the message. */
export function taken(memory: NotifyMemory, fresh: readonly News[], { want }: Policy, now: number): NotifyMemory {
  const isStale = memory.since === null || Math.abs(now - memory.since) > SINCE_MS;
  if (fresh.length === 0 && !isStale) return memory;
  const told = { ...memory.told, ...Object.fromEntries(fresh.map(({ key }) => [key, now])) };
  // The digest works out by itself what waits and what was done.
  const pending = want === 'each' ? [...memory.pending, ...fresh.map((one) => ({ ...one, at: now }))] : [];
  return { ...memory, since: now, told, pending: pending.slice(-MOST_HELD) };
}

/** Decides what is to be said now. `channels`: those that are named on this machine. */
export function paced(memory: NotifyMemory, policy: Policy, channels: readonly ChannelName[], now: number): Step {
  const digest = digestStep(memory, policy, now);
  const messages = messageStep(memory, policy, now);
  const today = localDate(now);
  const sent = memory.day === today ? memory.sent : 0;
  const given = (name: ChannelName): Tray => {
    const tray = memory.trays[name] ?? emptyTray();
    const news = messages.says ? [...tray.news, ...memory.pending].slice(-MOST_HELD) : tray.news;
    return { ...tray, news, digest: digest.due ? (tray.digest ?? digest.since) : tray.digest };
  };
  const changed: NotifyMemory = {
    ...memory,
    pending: messages.drops ? [] : memory.pending,
    day: today,
    sent: sent + (messages.says ? 1 : 0),
    digest: digest.made,
    // What was given to a channel that is no longer named is forgotten.
    trays: Object.fromEntries(channels.map((name) => [name, given(name)])),
  };
  const nexts = [digest.next, messages.next].filter((at) => at !== null);
  const next = nexts.length === 0 ? null : Math.min(...nexts);
  return { memory: changed, digest: digest.due ? digest.since : null, says: messages.says, next };
}

/** Whether no further message may be sent on the day of `now`. */
export function isSpent({ day, sent }: NotifyMemory, { atMost }: Policy, now: number): boolean {
  return (day === localDate(now) ? sent : 0) >= atMost;
}

/** Forgets what is over. `current`: the keys of what still stands in the list. */
export function withoutOld(memory: NotifyMemory, current: ReadonlySet<string>, now: number): NotifyMemory {
  const isKept = ([key, at]: [string, number]) =>
    current.has(key) || now - at < (key.startsWith('trouble ') ? KEPT_TROUBLE_MS : KEPT_MS);
  return {
    ...memory,
    told: Object.fromEntries(Object.entries(memory.told).filter(isKept)),
    used: Object.fromEntries(Object.entries(memory.used).filter(([, until]) => until > now)),
  };
}

interface MessageStep {
  readonly says: boolean;
  /** Whether nothing is pending any more: it is said, or left to the digest. */
  readonly drops: boolean;
  readonly next: number | null;
}

function messageStep(memory: NotifyMemory, policy: Policy, now: number): MessageStep {
  const [first] = memory.pending;
  if (first === undefined) return { says: false, drops: false, next: null };
  if (policy.want !== 'each' || isSpent(memory, policy, now)) return { says: false, drops: true, next: null };
  // A clock that was set back must not hold anything back for long.
  const at = Math.min(first.at, now) + BUNDLE_MS;
  const quiet = quietUntil(policy.quiet, Math.max(at, now));
  const next = quiet ?? at;
  return next > now ? { says: false, drops: false, next } : { says: true, drops: true, next: null };
}

interface DigestStep {
  readonly due: boolean;
  readonly since: number;
  readonly made: number | null;
  readonly next: number | null;
}

function digestStep({ digest: made }: NotifyMemory, { want, digestAt, quiet }: Policy, now: number): DigestStep {
  const since = Math.max(Math.min(made ?? now, now - DAY_MS), startOfDay(now, -7));
  const none = { due: false, since, made, next: null };
  if (want === 'off' || digestAt === null) return none;
  const next = nextAt(digestAt, now + 1);
  // The first one comes at its time, and not at the moment in which it was asked for.
  if (made === null) return { ...none, made: now, next };
  const last = lastAt(digestAt, now);
  if (made >= last) return { ...none, made: Math.min(made, now), next };
  const held = now - last > LATE_MS ? quietUntil(quiet, now) : null;
  return held === null ? { due: true, since, made: now, next } : { ...none, next: Math.min(next, held) };
}
