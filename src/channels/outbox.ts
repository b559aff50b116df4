import { z } from 'zod';
import { slice } from '../daemon/state.ts';
import type { WaitingEntry } from '../steward/inbox.ts';
import { WAITING_KINDS, type WaitingKind } from '../steward/inbox-words.ts';
import type { NotifySettings, Want } from '../steward/settings.ts';
import { sha256 } from '../vault/note-text.ts';
import { type Hours, lastAt, localDate, nextAt, quietUntil, startOfDay } from '../vault/time.ts';
import { CHANNELS, type ChannelName } from './channel.ts';

/** The note with the digest. It is in the root, whose notes are no records. */
export const DIGEST_NOTE = 'Steward digest.md';

/** The default quiet hours: 22:00-07:00. */
const NIGHT: Hours = { from: 22 * 60, to: 7 * 60 };

/** The effective notification settings. */
export interface Policy {
  readonly want: Want;
  readonly digestAt: number | null;
  readonly quiet: Hours | null;
  readonly atMost: number;
}

/**
 * Returns the effective settings. If this machine has a channel, each message is sent unless the vault asks for fewer.
 * Without a channel, the vault can at most get a digest note.
 */
export function choosePolicy(settings: NotifySettings, hasChannel: boolean): Policy {
  const { notify, notify_digest_at: digestAt, notify_quiet_hours: named, notify_at_most: atMost } = settings;
  const quiet = named === 'none' ? null : (named ?? settings.quiet_hours ?? NIGHT);
  const asked = notify ?? (hasChannel ? 'each' : 'off');
  return { want: asked === 'each' && !hasChannel ? 'digest' : asked, digestAt, quiet, atMost };
}

const optional = z.string().nullable();

/** One item to report: an entry of the inbox, or a change that was applied without asking. */
const news = z.object({
  /** Identifies the item, which is reported once. */
  key: z.string(),
  kind: z.enum([...WAITING_KINDS, 'done']),
  event: optional,
  target: optional,
  change: optional,
  from: optional,
  quote: optional,
  /** The problem with its sender, with a warning sign; null if it is no warning. */
  warning: optional.default(null),
  candidates: z.array(z.string()),
  /** When it came up (epoch ms). */
  at: z.number(),
});
export type News = z.infer<typeof news>;

/** A change that was applied without asking, from its event note. */
export interface RecentChange extends Pick<News, 'target' | 'change' | 'from' | 'quote'> {
  readonly event: string;
  readonly at: number;
}

/** Problems are reported after they have lasted this long, because many end quickly. */
const LASTING_MS = 60_000;

/**
 * Returns the entries of the inbox that weren't reported before. `seen`: when each entry first came up, by key.
 * Problems must have lasted for a while.
 */
export function findNews(
  waiting: readonly WaitingEntry[],
  told: Readonly<Record<string, number>>,
  seen: ReadonlyMap<string, number>,
  now: number,
): News[] {
  return waiting
    .map((entry) => ({ entry, key: makeNewsKey(entry) }))
    .filter(({ key }) => told[key] === undefined)
    .filter(({ entry, key }) => entry.kind !== 'trouble' || now - (seen.get(key) ?? now) >= LASTING_MS)
    .map(({ entry, key }) => newsOf(entry, key, seen.get(key) ?? now));
}

/** Returns when to look again at problems that have just come up (epoch ms); null if there aren't any. */
export function lastsAt(
  waiting: readonly WaitingEntry[],
  told: Readonly<Record<string, number>>,
  seen: ReadonlyMap<string, number>,
  now: number,
): number | null {
  const young = waiting
    .filter(({ kind }) => kind === 'trouble')
    .map(makeNewsKey)
    .filter((key) => told[key] === undefined)
    .map((key) => (seen.get(key) ?? now) + LASTING_MS)
    .filter((at) => at > now);
  return young.length === 0 ? null : Math.min(...young);
}

/** Returns the key that identifies an entry of the inbox. */
export function makeNewsKey({ kind, event, target, change, since }: WaitingEntry): string {
  if (kind === 'conflict') return `conflict ${event} ${since}`;
  if (event !== null) return `waits ${event}`;
  // Numbers that change, such as a count of attempts, don't make it another problem.
  return `${kind} ${sha256(`${target}\0${change?.replace(/\d+/g, '0')}`).slice(0, 16)}`;
}

export function newsOfChange({ event, target, change, from, quote, at }: RecentChange): News {
  return { key: `done ${event}`, kind: 'done', event, target, change, from, quote, warning: null, candidates: [], at };
}

function newsOf({ candidates, ...entry }: WaitingEntry, key: string, at: number): News {
  const { kind, event, target, change, from, quote, warning } = entry;
  return { key, kind, event, target, change, from, quote, warning, candidates: [...candidates], at };
}

/** Whether something waits for the person, rather than being done. */
export function isOpen(kind: News['kind']): kind is WaitingKind {
  return kind !== 'done';
}

/** The items that one channel still has to send, and the result of its last attempts. Times in epoch ms. */
const outbox = z.object({
  news: z.array(news),
  /** The start of the period that the digest reports; null if no digest is to be sent. */
  digest: z.number().nullable(),
  /** Failures in a row, and when the next attempt is due. */
  tries: z.number().int().min(0),
  next: z.number(),
  /** When the channel last took a message; null for never. */
  delivered: z.number().nullable(),
  /** The last problem; null if the last attempt went well. */
  trouble: z.object({ message: z.string(), hint: z.string() }).nullable(),
});
export type Outbox = z.infer<typeof outbox>;

/** The stored state of notifications. */
const notifyMemory = z.object({
  /** Changes made since this moment are reported (epoch ms); null before the first check. */
  since: z.number().nullable(),
  /** Reported items → when (epoch ms). An item in here isn't reported again. */
  told: z.record(z.string(), z.number()),
  /** Items for the next message. */
  pending: z.array(news),
  /** The local day of the last messages, and their number on that day. */
  day: z.string(),
  sent: z.number().int().min(0),
  /** When the last digest was sent or skipped (epoch ms); null before the first. */
  digest: z.number().nullable(),
  trays: z.partialRecord(z.enum(CHANNELS), outbox),
  /** Links in messages that were used → when they expire (epoch ms). */
  used: z.record(z.string(), z.number()),
});
export type NotifyMemory = z.infer<typeof notifyMemory>;

function emptyNotify(): NotifyMemory {
  return { since: null, told: {}, pending: [], day: '', sent: 0, digest: null, trays: {}, used: {} };
}

export function emptyOutbox(): Outbox {
  return { news: [], digest: null, tries: 0, next: 0, delivered: null, trouble: null };
}

/** Items within this time after the first go into the same message. */
const BUNDLE_MS = 10_000;
/**
 * The same if another machine works on the vault: a sync needs this time to bring what that machine did and reports
 * itself.
 */
const BUNDLE_SHARED_MS = 60_000;
/** A digest that is later than this respects the quiet hours. */
const LATE_MS = 30 * 60_000;
/** How exactly `since` is stored, so that a sleeping disk isn't woken each time. */
const SINCE_MS = 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/**
 * How long reported items are remembered after they are over. Problems are forgotten sooner, because they may come
 * back.
 */
const KEPT_MS = 30 * DAY_MS;
const KEPT_TROUBLE_MS = DAY_MS;
/** Older items are dropped from messages. The inbox and the digest still have them. */
const MOST_HELD = 100;

interface Step {
  readonly memory: NotifyMemory;
  /** The start of the period for a digest (epoch ms); null if no digest is due. */
  readonly digest: number | null;
  /** Whether the pending items go to the channels now. */
  readonly says: boolean;
  /** Epoch ms; null if unscheduled. */
  readonly next: number | null;
}

/** Adds what is new. From now on it counts as reported, whatever happens to the message. */
export function addNews(memory: NotifyMemory, fresh: readonly News[], { want }: Policy, now: number): NotifyMemory {
  const isStale = memory.since === null || Math.abs(now - memory.since) > SINCE_MS;
  if (fresh.length === 0 && !isStale) return memory;
  const told = { ...memory.told, ...Object.fromEntries(fresh.map(({ key }) => [key, now])) };
  // The digest is built from the vault, and doesn't need pending items.
  const pending = want === 'each' ? [...memory.pending, ...fresh.map((one) => ({ ...one, at: now }))] : [];
  return { ...memory, since: now, told, pending: pending.slice(-MOST_HELD) };
}

/** Whether another machine works on the vault too. Asked only if there is something to send. */
type IsShared = () => boolean;

/** Decides what to send now. `channels`: those that are set up on this machine. */
export function planMessages(
  memory: NotifyMemory,
  policy: Policy,
  channels: readonly ChannelName[],
  now: number,
  isShared: IsShared = () => false,
): Step {
  const digest = digestStep(memory, policy, now);
  const messages = messageStep(memory, policy, now, isShared);
  const today = localDate(now);
  const sent = memory.day === today ? memory.sent : 0;
  const filled = (name: ChannelName): Outbox => {
    const before = memory.trays[name] ?? emptyOutbox();
    const news = messages.says ? [...before.news, ...memory.pending].slice(-MOST_HELD) : before.news;
    return { ...before, news, digest: digest.due ? (before.digest ?? digest.since) : before.digest };
  };
  const changed: NotifyMemory = {
    ...memory,
    pending: messages.drops ? [] : memory.pending,
    day: today,
    sent: sent + (messages.says ? 1 : 0),
    digest: digest.made,
    // The outbox of a channel that is no longer set up is dropped.
    trays: Object.fromEntries(channels.map((name) => [name, filled(name)])),
  };
  const nexts = [digest.next, messages.next].filter((at) => at !== null);
  const next = nexts.length === 0 ? null : Math.min(...nexts);
  return { memory: changed, digest: digest.due ? digest.since : null, says: messages.says, next };
}

/** Whether no further message may be sent on the day of `now`. */
export function isLimitReached({ day, sent }: NotifyMemory, { atMost }: Policy, now: number): boolean {
  return (day === localDate(now) ? sent : 0) >= atMost;
}

/** Forgets old items. `current`: the keys of everything that still waits. */
export function forgetOld(memory: NotifyMemory, current: ReadonlySet<string>, now: number): NotifyMemory {
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
  /** Whether the pending items are sent, or left to the digest. */
  readonly drops: boolean;
  readonly next: number | null;
}

function messageStep(memory: NotifyMemory, policy: Policy, now: number, isShared: IsShared): MessageStep {
  const [first] = memory.pending;
  if (first === undefined) return { says: false, drops: false, next: null };
  if (policy.want !== 'each' || isLimitReached(memory, policy, now)) return { says: false, drops: true, next: null };
  // A clock that was set back must not delay a message for long.
  const at = Math.min(first.at, now) + (isShared() ? BUNDLE_SHARED_MS : BUNDLE_MS);
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

/** Checks that are due at the time of the digest begin within a second of it; the digest comes after them. */
const AFTER_CHECKS_MS = 5000;

function digestStep({ digest: made }: NotifyMemory, { want, digestAt, quiet }: Policy, now: number): DigestStep {
  const since = Math.max(Math.min(made ?? now, now - DAY_MS), startOfDay(now, -7));
  const none = { due: false, since, made, next: null };
  if (want === 'off' || digestAt === null) return none;
  const begun = now - AFTER_CHECKS_MS;
  const next = nextAt(digestAt, begun + 1) + AFTER_CHECKS_MS;
  // The first digest comes at its scheduled time, not when it was switched on.
  if (made === null) return { ...none, made: now, next };
  const last = lastAt(digestAt, begun);
  if (made >= last) return { ...none, made: Math.min(made, now), next };
  const held = now - last > LATE_MS ? quietUntil(quiet, now) : null;
  return held === null ? { due: true, since, made: now, next } : { ...none, next: Math.min(next, held) };
}

export const NOTIFY = slice('notify', notifyMemory, emptyNotify);
