import { z } from 'zod';
import { sha256 } from '../vault/hash.ts';
import { stem } from '../vault/note-names.ts';
import { clipped, oneLine } from '../vault/note-text.ts';
import { escapeMarkdown, linkTo } from '../vault/notes.ts';
import { localDate, localTime } from '../vault/time.ts';
import { NOUNS, type WaitingKind, waitingText } from './attention/kinds.ts';
import type { Waiting } from './attention-waiting.ts';
import { lastAt, nextAt, quietUntil, startOfDay } from './notify/hours.ts';
import type { Policy } from './notify/policy.ts';

/** Returns the address that opens a note in Obsidian. `vault`: the name of its folder; `path`: vault-relative. */
export function obsidianLink(vault: string, path: string): string {
  return `obsidian://open?vault=${encoded(vault)}&file=${encoded(path.replace(/\.md$/i, ''))}`;
}

// Half a surrogate is no text that an address could hold.
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DAY = /\b(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])\b/g;
/** What turns the direction of a text round, hides it, or is no character at all. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** Returns text from outside in one short line that is only text, wherever it is shown. */
export function plainLine(text: string, most: number): string {
  return clipped(oneLine(text).replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim(), most);
}

/** Returns a text with days as people write them: `9 Dec`, and `9 Dec 2027` in another year than that of `now`. */
export function withDays(text: string, now: number): string {
  const year = String(new Date(now).getFullYear());
  return text.replace(DAY, (_, written: string, month: string, day: string) => {
    const name = MONTHS[Number(month) - 1] ?? month;
    return `${Number(day)} ${name}${written === year ? '' : ` ${written}`}`;
  });
}

/** Returns the title of the note at a path, in one line. */
export function titleOf(path: string): string {
  return plainLine(stem(path), 100);
}

/** Returns the title of the note that a link names. */
export function titleOfLink(link: string): string {
  return titleOf(link.replace(/^\[\[|\]\]$/g, '').split('|')[0] ?? link);
}

/** Returns `1 thing`, `2 things`. */
function several(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** A task with a day. */
export interface DueTask {
  readonly path: string;
  /** YYYY-MM-DD */
  readonly day: string;
}

/** What a digest tells. */
export interface Digest {
  /** Epoch ms. */
  readonly now: number;
  /** Since when it tells what was done (epoch ms). */
  readonly since: number;
  readonly waiting: readonly Waiting[];
  /** Newest first. */
  readonly done: readonly Deed[];
  /** Open tasks that are due within a week or overdue, the earliest first. */
  readonly due: readonly DueTask[];
}

/** The note that holds the digest. It lies in the root, where no note is a record. */
export const DIGEST_NOTE = 'Steward digest.md';

const MOST_LISTED = 20;
const MOST_SAID = 3;
const MAX_LINE = 200;
const WEEK = 7;

/** Returns the digest as Markdown. */
export function digestText(digest: Digest): string {
  const { now, since, waiting, done, due } = digest;
  const today = localDate(now);
  const parts = [
    `As of ${withDays(localTime(now).slice(0, 16).replace('T', ', '), now)}`,
    section('Waits for you', waiting.map(waitingLine), 'Nothing waits for you.'),
    section(
      `Done since ${withDays(localTime(since).slice(0, 16).replace('T', ', '), now)}`,
      done.map((deed) => deedLine(deed, now)),
      'Nothing was changed.',
    ),
    ...(overdueIn(due, today).length > 0
      ? [
          section(
            'Overdue',
            overdueIn(due, today).map((task) => taskLine(task, now)),
            '',
          ),
        ]
      : []),
    section(
      'Due today',
      todayIn(due, today).map(({ path }) => `- ${linkTo(stem(path))}`),
      'Nothing is due today.',
    ),
    section(
      'Due this week',
      laterIn(due, today).map((task) => taskLine(task, now)),
      'Nothing else is due within a week.',
    ),
  ];
  return parts.join('\n\n');
}

/** Returns the digest as a message; null where there is nothing to tell. */
export function digestMessage(digest: Digest, vault: string): Message | null {
  const { now, waiting, done, due } = digest;
  const today = localDate(now);
  const [overdue, soon] = [overdueIn(due, today), todayIn(due, today)];
  if (waiting.length + done.length + overdue.length + soon.length === 0) return null;
  const counted = [
    ...(waiting.length === 0 ? [] : [`${waiting.length} ${waiting.length === 1 ? 'waits' : 'wait'}`]),
    ...(done.length === 0 ? [] : [`${done.length} done`]),
    ...(soon.length === 0 ? [] : [`${soon.length} due today`]),
    ...(overdue.length === 0 ? [] : [`${overdue.length} overdue`]),
  ];
  const lines = [
    ...(waiting.length === 0
      ? []
      : [`${waitingText(waiting).split(':', 1)[0]}${named(waiting.flatMap(({ target }) => target ?? []))}`]),
    ...(done.length === 0
      ? []
      : [`${several(done.length, 'change')} made${named(done.flatMap(({ target }) => target ?? []))}`]),
    ...(soon.length === 0 ? [] : [`Due today${named(soon.map(({ path }) => path))}`]),
    ...(overdue.length === 0 ? [] : [`Overdue${named(overdue.map(({ path }) => path))}`]),
  ];
  const link = obsidianLink(vault, DIGEST_NOTE);
  return { title: `Today: ${counted.join(', ')}`, text: lines.join('\n'), link, actions: [], events: [] };
}

/** Returns the days that a digest made now tells of as due: through the last one of a week (YYYY-MM-DD). */
export function lastDueDay(now: number): string {
  return localDate(startOfDay(now, WEEK - 1));
}

function overdueIn(due: readonly DueTask[], today: string): readonly DueTask[] {
  return due.filter(({ day }) => day < today);
}

function todayIn(due: readonly DueTask[], today: string): readonly DueTask[] {
  return due.filter(({ day }) => day === today);
}

function laterIn(due: readonly DueTask[], today: string): readonly DueTask[] {
  return due.filter(({ day }) => day > today);
}

function section(title: string, lines: readonly string[], nothing: string): string {
  const more = lines.length > MOST_LISTED ? [`- and ${lines.length - MOST_LISTED} more`] : [];
  const text = lines.length === 0 ? nothing : [...lines.slice(0, MOST_LISTED), ...more].join('\n');
  return `### ${title}\n\n${text}`;
}

function waitingLine({ kind, target, change, event, candidates }: Waiting): string {
  const about =
    target === null ? candidates.map((link) => linkTo(stem(link.replace(/^\[\[|\]\]$/g, '')))) : [linkTo(stem(target))];
  const what = change === null ? [] : [escapeMarkdown(plainLine(change, MAX_LINE))];
  const note = event === null ? [] : [linkTo(event)];
  return `- ${NOUNS[kind]}: ${[about.join(' or '), ...what, ...note].filter((part) => part !== '').join(' · ')}`;
}

function deedLine({ target, change, event }: Deed, now: number): string {
  const about = target === null ? [] : [linkTo(stem(target))];
  const what = change === null ? [] : [escapeMarkdown(plainLine(withDays(change, now), MAX_LINE))];
  return `- ${[...about, ...what, linkTo(event)].join(' · ')}`;
}

function taskLine({ path, day }: DueTask, now: number): string {
  return `- ${linkTo(stem(path))} · ${withDays(day, now)}`;
}

function named(paths: readonly string[]): string {
  if (paths.length === 0) return '';
  const more = paths.length > MOST_SAID ? [`and ${paths.length - MOST_SAID} more`] : [];
  return `: ${[...paths.slice(0, MOST_SAID).map(titleOf), ...more].join(', ')}`;
}

const optional = z.string().nullable();

/** One thing that a person is told: an entry of the list, or a change that was made without asking. */
const news = z.lazy(() =>
  z.object({
    /** What makes it one and the same: it is told once. */
    key: z.string(),
    kind: z.enum(['proposal', 'question', 'choice', 'found', 'conflict', 'unfinished', 'kept', 'trouble', 'done']),
    event: optional,
    target: optional,
    change: optional,
    from: optional,
    quote: optional,
    candidates: z.array(z.string()),
    /** When it came up (epoch ms). */
    at: z.number(),
  }),
);
export type News = z.infer<typeof news>;

/** A change that was made without asking, as its event note says it. */
export interface Deed extends Pick<News, 'target' | 'change' | 'from' | 'quote'> {
  readonly event: string;
  readonly at: number;
}

/** Trouble must have stood for so long: much of it is over before anybody could look. */
const LASTING_MS = 60_000;

/**
 * Returns what of the list is news: everything that was not told before. `seen`: when each entry came up first, by its
 * key; trouble is news once it has lasted.
 */
export function newsIn(
  waiting: readonly Waiting[],
  told: Readonly<Record<string, number>>,
  seen: ReadonlyMap<string, number>,
  now: number,
): News[] {
  return waiting
    .map((entry) => ({ entry, key: keyOf(entry) }))
    .filter(({ key }) => told[key] === undefined)
    .filter(({ entry, key }) => entry.kind !== 'trouble' || now - (seen.get(key) ?? now) >= LASTING_MS)
    .map(({ entry, key }) => newsOf(entry, key, seen.get(key) ?? now));
}

/** Returns when trouble that has only just come up is to be looked at again (epoch ms); null where there is none. */
export function lastsAt(
  waiting: readonly Waiting[],
  told: Readonly<Record<string, number>>,
  seen: ReadonlyMap<string, number>,
  now: number,
): number | null {
  const young = waiting
    .filter(({ kind }) => kind === 'trouble')
    .map(keyOf)
    .filter((key) => told[key] === undefined)
    .map((key) => (seen.get(key) ?? now) + LASTING_MS)
    .filter((at) => at > now);
  return young.length === 0 ? null : Math.min(...young);
}

/** Returns what makes an entry of the list one and the same. */
export function keyOf({ kind, event, target, change, since }: Waiting): string {
  if (kind === 'conflict') return `conflict ${event} ${since}`;
  if (event !== null) return `waits ${event}`;
  // A figure that goes up, how often something was tried for one, makes no other trouble of it.
  return `${kind} ${sha256(`${target}\0${change?.replace(/\d+/g, '0')}`).slice(0, 16)}`;
}

/** Returns a deed as news. */
export function newsOfDeed({ event, target, change, from, quote, at }: Deed): News {
  return { key: `done ${event}`, kind: 'done', event, target, change, from, quote, candidates: [], at };
}

function newsOf({ kind, event, target, change, from, quote, candidates }: Waiting, key: string, at: number): News {
  return { key, kind, event, target, change, from, quote, candidates: [...candidates], at };
}

/** Whether something waits for the person, rather than being done. */
export function isOpen(kind: News['kind']): kind is WaitingKind {
  return kind !== 'done';
}

/** One button of a message. */
export interface MessageAction {
  readonly label: string;
  /** Where it is asked for, by a POST. */
  readonly url: string;
}

/** A message as every channel is given it: plain text. */
export interface Message {
  readonly title: string;
  readonly text: string;
  /** Opens a note in Obsidian. */
  readonly link: string;
  readonly actions: readonly MessageAction[];
  /** What it tells of: the names of event notes. */
  readonly events: readonly string[];
}

/** What a message is made with. */
interface MessageGround {
  /** The name of the vault's folder. */
  readonly vault: string;
  readonly now: number;
  /** Whether the sender and the words of a mail may leave this machine. */
  readonly quotes: boolean;
  /** What is said where this is the last message of the day; null where it is not. */
  readonly last: string | null;
  /** Returns the buttons for one thing; none where there are none to press. */
  readonly actions: (news: News) => readonly MessageAction[];
  /** Returns the path of an event note. */
  readonly pathOf: (event: string) => string | null;
}

/** The page on which everything stands. */
const FRONT_PAGE = 'steward.md';
/** Whose address it is, is nobody's business elsewhere. */
const ADDRESS = /[^\s@<>()]{1,100}@[^\s@<>()]{1,100}/g;
const MOST_LINES = 6;
const MAX_TEXT = 300;
const MAX_LINE_MESSAGE = 160;

/** Returns one message for all that there is to say; null for nothing. */
export function messageOf(all: readonly News[], ground: MessageGround): Message | null {
  const [only, ...more] = all;
  if (only === undefined) return null;
  return more.length === 0 ? single(only, ground) : bundle(all, ground);
}

function single(news: News, ground: MessageGround): Message {
  const { quotes } = ground;
  const said = quotes && news.quote !== null ? [quoted(news)] : [];
  return {
    title: headOf(news),
    text: [bodyOf(news, ground, MAX_TEXT), ...said, ...rest(ground)].join('\n'),
    link: obsidianLink(ground.vault, placeOf(news, ground)),
    actions: ground.actions(news),
    events: eventsOf([news]),
  };
}

function bundle(all: readonly News[], ground: MessageGround): Message {
  const open = all.filter(({ kind }) => isOpen(kind));
  const done = all.length - open.length;
  const waits =
    open.length === 0 ? [] : [`${several(open.length, 'thing')} ${open.length === 1 ? 'waits' : 'wait'} for you`];
  const made = done === 0 ? [] : [`${several(done, 'change')} ${done === 1 ? 'was' : 'were'} made`];
  const lines = all.slice(0, MOST_LINES).map((news) => `• ${lineOf(news, ground)}`);
  const more = all.length > MOST_LINES ? [`and ${all.length - MOST_LINES} more`] : [];
  return {
    title: [...waits, ...made].join(', '),
    text: [...lines, ...more, ...rest(ground)].join('\n'),
    link: obsidianLink(ground.vault, FRONT_PAGE),
    actions: [],
    events: eventsOf(all),
  };
}

function lineOf(news: News, ground: MessageGround): string {
  const { kind, change, candidates } = news;
  if (kind === 'choice')
    return `${headOf(news)} ${plainLine(candidates.map(titleOfLink).join(' or '), MAX_LINE_MESSAGE)}`;
  if (kind !== 'done') return `${headOf(news)}: ${bodyOf(news, ground, MAX_LINE_MESSAGE)}`;
  return `${headOf(news)}${change === null ? '' : `, ${plainLine(shownChange(change, ground), MAX_LINE_MESSAGE)}`}`;
}

/** What it is about: the note, or that something is wrong. */
function headOf({ kind, target, candidates }: News): string {
  if (kind === 'trouble') return 'Steward needs you';
  if (kind === 'unfinished') return 'An action is unfinished';
  if (kind === 'kept') return 'Words of yours were kept';
  if (kind === 'done' && target !== null) return `Done: ${titleOf(target)}`;
  if (target !== null) return titleOf(target);
  return candidates.length > 0 ? 'Which note is meant?' : 'Steward';
}

// What somebody asks, and what a mail may mean, is told in the words of a mail: those stay here.
function bodyOf(news: News, ground: MessageGround, most: number): string {
  const { kind, change, candidates } = news;
  if (kind === 'choice') return plainLine(`It may be about ${candidates.map(titleOfLink).join(' or ')}.`, most);
  if (kind === 'question') return 'Somebody asks you for something.';
  const said = kind === 'found' ? firstSentence(change, ground) : change;
  const line = said === null ? null : plainLine(shownChange(said, ground), most);
  if (kind === 'done')
    return `${line ?? 'It was changed.'}${line === null ? ' ' : '. '}You can take it back for seven days.`;
  if (kind === 'proposal') return line === null ? 'A change is proposed.' : `${line}?`;
  return line ?? 'It waits for you.';
}

// What was found goes on to say from whom nothing was heard.
function firstSentence(change: string | null, { quotes }: MessageGround): string | null {
  return quotes ? change : (change?.split(/(?<=[.?!])\s/)[0] ?? null);
}

function shownChange(change: string, { now, quotes }: MessageGround): string {
  const days = withDays(change, now);
  return quotes ? days : days.replace(ADDRESS, 'somebody');
}

function quoted({ from, quote }: News): string {
  const who = from === null ? '' : `${plainLine(from, 100)}: `;
  return `${who}“${plainLine(quote ?? '', 200)}”`;
}

function rest({ last }: MessageGround): string[] {
  return last === null ? [] : [last];
}

// The event note has the boxes.
function placeOf({ event, target }: News, { pathOf }: MessageGround): string {
  return (event === null ? null : pathOf(event)) ?? target ?? FRONT_PAGE;
}

function eventsOf(all: readonly News[]): string[] {
  return all.flatMap(({ event }) => (event === null ? [] : [stem(event)]));
}

/** By what a message can go out. */
const CHANNELS = ['ntfy', 'desktop', 'command'] as const;
export type ChannelName = (typeof CHANNELS)[number];

/** What one channel has still to say, and how it went. Times in epoch ms. */
const tray = z.lazy(() =>
  z.object({
    news: z.array(news),
    /** Since when the digest tells; null where none is to be said. */
    digest: z.number().nullable(),
    /** How often it failed in a row, and when it is tried again. */
    tries: z.number().int().min(0),
    next: z.number(),
    /** When it last took a message; null for never. */
    delivered: z.number().nullable(),
    /** What went wrong last; null where it went well. */
    trouble: z.object({ message: z.string(), hint: z.string() }).nullable(),
  }),
);
export type Tray = z.infer<typeof tray>;

/** What is remembered of messages. */
export const notifyMemory = z.lazy(() =>
  z.object({
    /** Since when changes that were made are told (epoch ms); null before the first look. */
    since: z.number().nullable(),
    /** What was told → when (epoch ms). What is here is not told again. */
    told: z.record(z.string(), z.number()),
    /** What is to be said soon. */
    pending: z.array(news),
    /** The local day on which messages were last sent, and how many of them. */
    day: z.string(),
    sent: z.number().int().min(0),
    /** When the last digest was made, or passed over (epoch ms); null before the first. */
    digest: z.number().nullable(),
    trays: z.partialRecord(z.enum(CHANNELS), tray),
    /** Links in messages that were used → when they expire (epoch ms). */
    used: z.record(z.string(), z.number()),
  }),
);
export type NotifyMemory = z.infer<typeof notifyMemory>;

/** Nothing was ever said. */
export function emptyNotify(): NotifyMemory {
  return { since: null, told: {}, pending: [], day: '', sent: 0, digest: null, trays: {}, used: {} };
}

/** A channel that nothing was given to yet. */
export function emptyTray(): Tray {
  return { news: [], digest: null, tries: 0, next: 0, delivered: null, trouble: null };
}

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
