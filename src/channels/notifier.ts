import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Capability, type Running, request } from '../daemon/capability.ts';
import type { Context, ModelAccess, ReadAccess, Workspace, WriteAccess } from '../daemon/context.ts';
import { isBusy, keepNote } from '../daemon/managed-notes.ts';
import { attentionNow, collectProblems, refreshProblems } from '../daemon/problems.ts';
import { type Awaiting, type RetryQueue, retryDelay, WorkQueue } from '../daemon/queue.ts';
import { Alarm, type Timers } from '../daemon/timers.ts';
import { type Attention, findingsByMatter, type WaitingEntry } from '../steward/inbox.ts';
import { comesAfter, isReversed } from '../steward/proposals.ts';
import { eventsElsewhere, isOwnNote, targetPath } from '../steward/records.ts';
import type { Want } from '../steward/settings.ts';
import { type Diagnostic, diagnostic } from '../vault/errors.ts';
import { SETTINGS_FILE } from '../vault/layout.ts';
import { changeLine, noteMoment } from '../vault/note-text.ts';
import { type EventRecord, isSiblingType, type VaultRecord } from '../vault/record.ts';
import { bearsOtherMark } from '../vault/seal.ts';
import { atOnce, iso, localDate, parseLocalTime, quietUntil, startOfDay } from '../vault/time.ts';
import type { RecordChange } from '../vault/vault.ts';
import type { Channel, ChannelName, Message, NotifyAccess, NotSentKind, SendFailure, SendResult } from './channel.ts';
import { commandChannel, desktopChannel } from './command.ts';
import type { Links } from './links.ts';
import type { Digest, DueTask } from './message.ts';
import { ntfyChannel } from './ntfy.ts';
import {
  addNews,
  choosePolicy,
  DIGEST_NOTE,
  emptyOutbox,
  findNews,
  forgetOld,
  isLimitReached,
  isOpen,
  lastsAt,
  makeNewsKey,
  type News,
  NOTIFY,
  type NotifyMemory,
  newsOfChange,
  type Outbox,
  type Policy,
  planMessages,
  type RecentChange,
} from './outbox.ts';

const STATE_FILE = '.steward/state/notify.json';
const NOTE_FAULT = 'notify digest';
/** A look that takes longer than this, in ms, is not made again at once; the pause is so much longer than the look. */
const QUICK_MS = 20;
const PAUSE = 50;
/** How long a digest waits for the checks that are due with it, in ms. */
const CHECKS_MS = 5 * 60_000;

/** Messages to the person. */
export const notifications = {
  name: 'notifications',
  words: 'the messages',
  isSecret: true,
  state: [NOTIFY],
  /** Messages to the person; null if no channel is named and none are asked for. */
  status: ({ context }: Workspace) => ({ notify: notifyStatus(context) }),
  problems: ({ context }: Workspace) => channelProblems(context),
  start: (own) => new Notifier({ ...own, access: own.space.context.env.notify ?? null }),
} satisfies Capability;

interface NotifierParts {
  readonly space: Workspace;
  readonly retries: RetryQueue;
  readonly timers: Timers;
  readonly caughtUp: () => Promise<void>;
  /** Null if no channel is named on this machine. */
  readonly access: NotifyAccess | null;
  /** A figure from 0 to 1, another one each time. */
  readonly chance: () => number;
}

/** Sends messages about what is new. Looks when something has changed, and at the moments that the plan names. */
class Notifier implements Running {
  readonly requests = { 'notify-test': request({}, (_, { gone }) => this.test(gone)) };
  readonly #parts: NotifierParts;
  readonly #abort = new AbortController();
  readonly #notes = new WorkQueue(1);
  /** When each entry of the list came up first, by its key (epoch ms). */
  readonly #seen = new Map<string, number>();
  /** One queue for each channel: a slow channel doesn't block the others. */
  #senders: readonly { readonly sender: Sender; readonly queue: WorkQueue }[] = [];
  #channels: readonly Channel[] = [];
  #links: Links | null = null;
  #changes: News[] = [];
  #isStarted = false;
  #isQueued = false;
  #notBefore = 0;
  readonly #alarm: Alarm;
  /** The start of the period of the digest that is to be written; null if no digest is due. */
  #digestDue: number | null = null;
  /** Whether what is due with the digest is done, so that the digest has it. */
  #isCaughtUp = false;

  constructor(parts: NotifierParts) {
    this.#parts = parts;
    this.#alarm = new Alarm(parts.timers, () => this.check());
  }

  /** Opens the channels, adds what happened while the program was away, and begins to look. */
  async begin(): Promise<void> {
    const { space } = this.#parts;
    await this.#open();
    const { since } = space.context.state.get(NOTIFY);
    if (since !== null && space.vault.away === null) this.#add(recentChanges(space, since));
    this.#isStarted = true;
    this.check();
  }

  /** Adds changes that were made without asking, and looks what is new. */
  changed(changes: readonly RecordChange[]): void {
    const { space } = this.#parts;
    if (this.#policy().want === 'each') {
      const fresh = changes.filter(({ before }) => before?.kind !== 'event').flatMap(({ after }) => after ?? []);
      this.#add(fresh.flatMap((record) => recentChangeOf(space, record) ?? []));
    }
    this.check();
  }

  settingsChanged(): void {
    this.check();
  }

  /** Looks what is new, behind what is already to be done. */
  check(): void {
    const { space } = this.#parts;
    if (!this.#isStarted || this.#isQueued) return;
    if (this.#policy().want === 'off' && space.context.state.get(NOTIFY).since === null) return;
    if (space.context.now() >= this.#notBefore) this.#queueLook();
    else this.#alarm.set(this.#notBefore);
  }

  /** Sends a message to each channel, whatever the settings say. */
  test(abort: AbortSignal): Promise<NotifyTest> {
    return testChannels(this.#channels, this.#parts.space.vault.root, AbortSignal.any([abort, this.#abort.signal]));
  }

  next({ now }: Awaiting): number | null {
    return this.#queues().every((queue) => queue.isIdle) ? null : now;
  }

  async idle(): Promise<void> {
    await Promise.all(this.#queues().map((queue) => queue.idle()));
  }

  /** Ends what is under way. Unsent messages are left for the next start. */
  async close(): Promise<void> {
    this.#abort.abort();
    await this.#links?.close();
    await Promise.all(this.#queues().map((queue) => queue.close()));
  }

  #queues(): readonly WorkQueue[] {
    return [this.#notes, ...this.#senders.map(({ queue }) => queue)];
  }

  async #open(): Promise<void> {
    const { space, access, chance } = this.#parts;
    if (access === null) return;
    this.#channels = openChannels(access, space.context.env.variables ?? {});
    if (access.links !== null) {
      const { Links } = await import('./links.ts');
      this.#links = new Links(space, access.links);
      await this.#links.open();
    }
    const common = {
      space,
      access,
      links: () => this.#links,
      policy: () => this.#policy(),
      chance,
      abort: this.#abort.signal,
    };
    this.#senders = this.#channels.map((channel) => ({
      sender: new Sender({ ...common, channel }),
      queue: new WorkQueue(1),
    }));
  }

  #policy(): Policy {
    return choosePolicy(this.#parts.space.context.settings, this.#parts.access !== null);
  }

  #add(changes: readonly RecentChange[]): void {
    this.#changes.push(...changes.map(newsOfChange));
  }

  #queueLook(): void {
    const { space, retries } = this.#parts;
    this.#isQueued = true;
    retries.add('notify', STATE_FILE, async () => {
      this.#isQueued = false;
      const began = performance.now();
      if (this.#policy().want === 'each') await refreshProblems(space);
      this.#look();
      const took = performance.now() - began;
      this.#notBefore = took > QUICK_MS ? space.context.now() + took * PAUSE : 0;
    });
  }

  #look(): void {
    const { space } = this.#parts;
    const { context } = space;
    const [now, policy, before] = [context.now(), this.#policy(), context.state.get(NOTIFY)];
    const waiting = policy.want === 'each' ? reportableWaiting(space) : [];
    const current = this.#noteSeen(waiting.map(makeNewsKey), now);
    const changes = this.#changes.splice(0).filter(({ key }) => before.told[key] === undefined);
    const fresh = [...findNews(waiting, before.told, this.#seen, now), ...changes];
    const kept = policy.want === 'each' ? before : { ...before, pending: [], trays: {} };
    const names = this.#channels.map(({ name }) => name);
    const memory = forgetOld(addNews(kept, fresh, policy, now), current, now);
    const plan = (by: Policy) => planMessages(memory, by, names, now, () => isShared(space));
    const planned = plan(policy);
    const isEarly = planned.digest !== null && !this.#isCaughtUp;
    if (isEarly) this.#catchUp();
    else this.#isCaughtUp = false;
    const step = isEarly ? plan({ ...policy, digestAt: null }) : planned;
    if (JSON.stringify(step.memory) !== JSON.stringify(before)) saveMemory(space, step.memory);
    if (step.digest !== null) this.#digestDue = step.digest;
    if (this.#digestDue !== null) this.#writeDigest(this.#digestDue);
    for (const one of this.#senders) this.#send(one);
    void this.#links?.open();
    const lasts = lastsAt(waiting, step.memory.told, this.#seen, now);
    for (const at of [step.next, lasts]) if (at !== null) this.#alarm.set(at);
  }

  // The night's mails may be read, and the checks of the same minute made, only now that the machine is awake.
  #catchUp(): void {
    if (!this.#notes.isIdle) return;
    this.#notes.add(async () => {
      const done = new AbortController();
      const signal = AbortSignal.any([this.#abort.signal, done.signal]);
      const patience = pause(CHECKS_MS, undefined, { signal, ref: false }).catch(() => {});
      try {
        await Promise.race([this.#parts.caughtUp(), patience]);
      } catch (error) {
        this.#parts.retries.fault(NOTE_FAULT, DIGEST_NOTE, error);
      } finally {
        done.abort();
        this.#isCaughtUp = true;
        this.check();
      }
    });
  }

  #noteSeen(keys: readonly string[], now: number): ReadonlySet<string> {
    const current = new Set(keys);
    for (const key of [...this.#seen.keys()].filter((one) => !current.has(one))) this.#seen.delete(key);
    for (const key of keys) if (!this.#seen.has(key)) this.#seen.set(key, now);
    return current;
  }

  #send({ sender, queue }: { readonly sender: Sender; readonly queue: WorkQueue }): void {
    queue.add(async () => {
      try {
        const next = await sender.run();
        if (next !== null) this.#alarm.set(Math.max(next, this.#parts.space.context.now() + 1000));
        this.#parts.space.problems.faults.delete('notify-state');
      } catch (error) {
        if (!this.#abort.signal.aborted) this.#parts.retries.fault('notify-state', STATE_FILE, error);
      }
    });
  }

  #writeDigest(since: number): void {
    const { space, retries } = this.#parts;
    const { faults } = space.problems;
    this.#digestDue = null;
    this.#notes.add(async () => {
      try {
        const part = { path: DIGEST_NOTE, name: 'digest' };
        await refreshProblems(space);
        const { digestText } = await wording();
        const note = await keepNote(space, part, digestText(digestNow(space, since)));
        if (isBusy(note)) this.#digestDue = since; // with the next look
        faults.delete(NOTE_FAULT);
        if (note.state === 'left' && !isBusy(note)) faults.set(NOTE_FAULT, notWritten(note.reason ?? ''));
      } catch (error) {
        this.#digestDue = since;
        retries.fault(NOTE_FAULT, DIGEST_NOTE, error);
      }
    });
  }
}

function notWritten(message: string) {
  const hint = 'Correct the note, or delete it: the next digest creates it again.';
  return diagnostic({ code: 'notify-digest', file: DIGEST_NOTE, message, hint });
}

/** Returns the channels that are named on this machine. `own`: the variables of this process. */
export function openChannels(
  { ntfy, desktop, command }: NotifyAccess,
  own: Readonly<Record<string, string | undefined>>,
): Channel[] {
  return [
    ...(ntfy === null ? [] : [ntfyChannel(ntfy)]),
    ...(desktop ? [desktopChannel(own)] : []),
    ...(command === null ? [] : [commandChannel(command, own)]),
  ];
}

/** The results of a test message to each channel (`notify test --json`). */
export interface NotifyTest {
  readonly schemaVersion: 1;
  readonly channels: readonly {
    readonly channel: ChannelName;
    /** A host, a program; never a topic. */
    readonly place: string;
    readonly ok: boolean;
    readonly message: string | null;
    readonly hint: string | null;
  }[];
}

/** Sends one message to each channel at once, and returns the results. */
export async function testChannels(
  channels: readonly Channel[],
  root: string,
  abort: AbortSignal,
): Promise<NotifyTest> {
  const { obsidianLink } = await wording();
  const message: Message = {
    title: 'A test message from Steward',
    text: 'Messages arrive here. Your vault is unchanged.',
    link: obsidianLink(vaultName(root), SETTINGS_FILE),
    actions: [],
    events: [],
  };
  const tested = channels.map(async (channel) => {
    const sent = await channel.send(message, abort);
    const failure = sent.ok ? null : sent;
    const { name, place } = channel;
    return { channel: name, place, ok: sent.ok, message: failure?.message ?? null, hint: failure?.hint ?? null };
  });
  return { schemaVersion: 1, channels: await Promise.all(tested) };
}

/** Nothing of it was taken for certain, so it is kept for the next try. */
const KEPT: readonly NotSentKind[] = ['away', 'busy', 'refused', 'ended'];
/** A refused token is tried once an hour: it may have been renewed at the server. */
const REFUSED_MS = 60 * 60_000;
/** A digest that couldn't be sent at its hour respects the quiet hours. */
const LATE_MS = 30 * 60_000;
/** No pause is longer. A later moment was stored before the clock was set back. */
const LONGEST_MS = 25 * 60 * 60_000;

interface SenderParts {
  readonly space: Workspace;
  readonly access: NotifyAccess;
  readonly links: () => Links | null;
  readonly channel: Channel;
  readonly policy: () => Policy;
  readonly chance: () => number;
  readonly abort: AbortSignal;
}

// Loaded only when there is a message to send: a command that only reads doesn't send any.
type Wording = typeof import('./message.ts');
const wording = (): Promise<Wording> => import('./message.ts');

interface Attempt {
  readonly message: Message;
  readonly things: number;
  readonly back: Pick<Outbox, 'news' | 'digest'>;
}

/**
 * Sends what is in the outbox of one channel. Messages leave the outbox on disk before they are sent: after a crash it
 * isn't known whether the channel took them, and no message is sent twice.
 */
class Sender {
  readonly #parts: SenderParts;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  /** Sends what can be sent now. Returns when to try again (epoch ms); null if there is no message to send. */
  async run(): Promise<number | null> {
    const { space, channel, abort } = this.#parts;
    for (let next = this.#held(); ; next = this.#held()) {
      if (next !== 'now' || abort.aborted || space.vault.away !== null) return next === 'now' ? null : next;
      const attempt = this.#takeAttempt(await wording());
      if (attempt === null) continue; // all its messages were answered in the meantime
      this.#settle(attempt, await channel.send(attempt.message, abort));
    }
  }

  #held(): number | 'now' | null {
    const { space, channel, policy } = this.#parts;
    const { state, now: clock } = space.context;
    const [outbox, now] = [outboxOf(space, channel.name), clock()];
    if (outbox.news.length === 0 && outbox.digest === null) return null;
    if (outbox.next > now && outbox.next - now < LONGEST_MS) return outbox.next;
    const quiet = quietUntil(policy().quiet, now);
    const isTimely = outbox.digest !== null && Math.abs(now - (state.get(NOTIFY).digest ?? 0)) < LATE_MS;
    return quiet === null || isTimely ? 'now' : quiet;
  }

  // Out of the outbox on disk before it is sent.
  #takeAttempt({ digestMessage, buildMessage }: Wording): Attempt | null {
    const { space, channel } = this.#parts;
    const { digest, news } = outboxOf(space, channel.name);
    if (digest !== null) {
      saveOutbox(space, channel.name, (outbox) => ({ ...outbox, digest: null }));
      const message = digestMessage(digestNow(space, digest), vaultName(space.vault.root));
      return message === null ? null : { message, things: 0, back: { news: [], digest } };
    }
    saveOutbox(space, channel.name, (outbox) => ({ ...outbox, news: [] }));
    const made = composeMessage(buildMessage, news, this.#parts);
    if (made === null) return null;
    return { message: made.message, things: made.news.length, back: { news: [...made.news], digest: null } };
  }

  #settle({ things, back }: Attempt, sent: SendResult): void {
    const { space, channel } = this.#parts;
    const { context, problems } = space;
    const fault = `notify ${channel.name}`;
    if (sent.ok) {
      const delivered = context.now();
      saveOutbox(space, channel.name, (outbox) => ({ ...outbox, tries: 0, next: 0, delivered, trouble: null }));
      problems.faults.delete(fault);
      context.emit({ what: 'notified', channel: channel.name, things });
      return;
    }
    saveOutbox(space, channel.name, (outbox) => this.#afterFailure(outbox, back, sent));
    if (sent.kind === 'ended') return;
    const trouble = diagnostic({ code: `notify-${channel.name}`, message: sent.message, hint: sent.hint });
    if (problems.faults.get(fault)?.message !== trouble.message) context.emit({ what: 'trouble', trouble });
    problems.faults.set(fault, trouble);
  }

  #afterFailure(outbox: Outbox, { news, digest }: Attempt['back'], sent: SendFailure): Outbox {
    const { kind, message, hint, waitMs } = sent;
    const now = this.#parts.space.context.now();
    const kept = KEPT.includes(kind)
      ? { ...outbox, news: [...news, ...outbox.news], digest: digest ?? outbox.digest }
      : outbox;
    if (kind === 'ended') return kept;
    const tries = outbox.tries + 1;
    const pause = kind === 'refused' ? REFUSED_MS : retryDelay(tries, waitMs, this.#parts.chance());
    return { ...kept, tries, next: now + pause, trouble: { message, hint } };
  }
}

function outboxOf({ context }: Pick<Workspace, 'context'>, name: ChannelName): Outbox {
  return context.state.get(NOTIFY).trays[name] ?? emptyOutbox();
}

/** Changes an outbox, on disk. Throws what the disk refuses. */
function saveOutbox(space: Pick<Workspace, 'context'>, name: ChannelName, change: (outbox: Outbox) => Outbox): void {
  const memory = space.context.state.get(NOTIFY);
  saveMemory(space, { ...memory, trays: { ...memory.trays, [name]: change(outboxOf(space, name)) } });
}

function saveMemory({ context: { state } }: Pick<Workspace, 'context'>, memory: NotifyMemory): void {
  state.set(NOTIFY, memory);
  state.save(NOTIFY);
}

function composeMessage(
  messageOf: Wording['buildMessage'],
  news: readonly News[],
  { space, access, links, policy, channel }: Pick<SenderParts, 'space' | 'access' | 'links' | 'policy' | 'channel'>,
): { readonly message: Message; readonly news: readonly News[] } | null {
  const now = space.context.now();
  const { catalogue } = space.vault;
  const entries = new Map(reportableWaiting(space).map((entry) => [makeNewsKey(entry), entry]));
  const current = news.filter((one) => (isOpen(one.kind) ? entries.has(one.key) : isStillDone(space, one)));
  const message = messageOf(current, {
    vault: vaultName(space.vault.root),
    now,
    quotes: access.quotes ?? isOwn(channel.name, access),
    last: isLimitReached(space.context.state.get(NOTIFY), policy(), now) ? lastWords(policy()) : null,
    actions: (one) => links()?.actionsFor(one, entries.get(one.key) ?? null) ?? [],
    pathOf: (event) => catalogue.named(event)[0]?.path ?? null,
  });
  return message === null ? null : { message, news: current };
}

/**
 * Whether a channel belongs to the user, so that messages by it name senders and quote them unless the environment says
 * otherwise: this machine's screen, a program on it, and an ntfy topic that is not open to everybody.
 */
function isOwn(name: ChannelName, { ntfy }: NotifyAccess): boolean {
  return name !== 'ntfy' || ntfy?.token != null;
}

function isStillDone(space: WriteAccess, { event }: News): boolean {
  return event !== null && space.vault.catalogue.named(event).some((record) => recentChangeOf(space, record) !== null);
}

function lastWords({ digestAt }: Policy): string {
  if (digestAt === null) return 'No more messages today; the rest is in `steward inbox`.';
  const [hour, minute] = [Math.floor(digestAt / 60), digestAt % 60].map((part) => String(part).padStart(2, '0'));
  return `No more messages today; the rest comes with the digest at ${hour}:${minute}.`;
}

/** Obsidian names a vault after its folder. */
function vaultName(root: string): string {
  return path.basename(root);
}

/** The items to bring to the user, without problems of messages themselves. */
function reportable(space: ModelAccess & WriteAccess): Attention {
  return attentionNow(
    space,
    collectProblems(space).shown.filter(({ code }) => !code.startsWith('notify-')),
  );
}

/** The same as one list, warnings first. */
function reportableWaiting(space: ModelAccess & WriteAccess): WaitingEntry[] {
  const { warnings, decisions, problems } = reportable(space);
  const isHere = ({ event }: WaitingEntry) =>
    event === null ||
    !space.vault.catalogue.named(event).some((one) => isEvent(one) && isReportedElsewhere(space, one));
  return [...[...warnings, ...decisions].filter(isHere), ...problems];
}

function digestNow(space: ModelAccess & WriteAccess, since: number): Digest {
  const now = space.context.now();
  const findings = atOnce(findingsByMatter(space)) ?? [];
  const due = dueTasks(space, now);
  return { ...reportable(space), now, since, done: changesSince(space, since), due, findings };
}

const WEEK = 7;

function dueTasks({ vault }: ModelAccess, now: number): DueTask[] {
  const last = localDate(startOfDay(now, WEEK - 1)); // through the last day of a week
  return vault.catalogue.agenda
    .dueBy(last)
    .flatMap(({ path, fields: { due } }) => {
      const at = due === null ? null : parseLocalTime(due);
      return at === null ? [] : [{ path, day: localDate(at) }];
    })
    .filter(({ day }) => day >= localDate(now) && day <= last)
    .toSorted((one, other) => (`${one.day} ${one.path}` < `${other.day} ${other.path}` ? -1 : 1));
}

/** An older change is no news, whenever it is found: a whole vault may be read again. */
const NEWS_MS = 24 * 60 * 60_000;

/** Returns the changes since a moment that were made without asking and weren't undone. */
function recentChanges(space: ReadAccess, since: number): RecentChange[] {
  const { catalogue } = space.vault;
  return changesSince(space, since).filter(({ event }) =>
    catalogue.named(event).some((record) => recentChangeOf(space, record) !== null),
  );
}

/** Returns a change that was made without asking and wasn't undone; null of anything else. */
function recentChangeOf(space: ReadAccess, record: VaultRecord): RecentChange | null {
  if (record.kind !== 'event' || isSiblingType(record.fields.type) || !isMade(space, record)) return null;
  if (isReportedElsewhere(space, record)) return null;
  const change = changeOf(space, record);
  return Math.abs(space.context.now() - change.at) < NEWS_MS ? change : null;
}

// Two machines may do or ask the same before a sync has brought it from the one to the other: the earlier one reports it.
function isReportedElsewhere(space: ReadAccess, event: EventRecord): boolean {
  const timeOf = ({ name, fields }: EventRecord) => noteMoment(name, fields.timestamp);
  return eventsElsewhere(space, event).some(
    (other) => comesAfter(event, other) && timeOf(event) - timeOf(other) < NEWS_MS,
  );
}

/** A machine that wrote no event note for this long doesn't delay messages. */
const PEER_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Whether an event note of the last days has the mark of another machine. A forged mark delays messages by a minute.
 */
function isShared({ vault, context }: ReadAccess): boolean {
  const since = context.now() - PEER_MS;
  for (const hour of vault.catalogue.chronicle.newestHours()) {
    const recent = hour.filter(isEvent).filter(({ name, fields }) => noteMoment(name, fields.timestamp) >= since);
    if (recent.length === 0 && hour.some(isEvent)) return false;
    if (recent.some((event) => bearsOtherMark(context.seal, event))) return true;
  }
  return false;
}

/** Returns all changes since a moment (epoch ms) that weren't undone, newest first; confirmed ones too. */
function changesSince(space: ReadAccess, since: number): RecentChange[] {
  const made: RecentChange[] = [];
  for (const hour of space.vault.catalogue.chronicle.newestHours()) {
    const records = hour.filter((record) => record.kind === 'event');
    const times = records.map((record) => noteMoment(record.name, record.fields.timestamp));
    if (times.length > 0 && times.every((at) => at < since)) break;
    made.push(...records.filter((record) => isMade(space, record)).map((record) => changeOf(space, record)));
  }
  return made.filter(({ at }) => at >= since).toSorted((one, other) => other.at - one.at);
}

function isEvent(record: VaultRecord): record is EventRecord {
  return record.kind === 'event';
}

function isMade(space: ReadAccess, event: EventRecord): boolean {
  return (
    event.fields.undo_recipe !== null &&
    event.fields.dismisses === null &&
    isOwnNote(space, event) &&
    !isReversed(space, event)
  );
}

function changeOf(space: ReadAccess, event: EventRecord): RecentChange {
  const { change, changes, from, quote, timestamp } = event.fields;
  return {
    event: event.name,
    target: targetPath(space.vault, event),
    change: change ?? changeLine(changes),
    from,
    quote,
    at: noteMoment(event.name, timestamp) || 0,
  };
}

/** Returns the problem of each channel whose last message failed, also if no daemon runs that would have met it. */
function channelProblems({ env, state }: Context): Diagnostic[] {
  return channelNames(env.notify ?? null).flatMap((channel) => {
    const trouble = state.get(NOTIFY).trays[channel]?.trouble ?? null;
    return trouble === null ? [] : [diagnostic({ code: `notify-${channel}`, ...trouble })];
  });
}

function channelNames(access: NotifyAccess | null): readonly ChannelName[] {
  return [
    ...(access?.ntfy ? (['ntfy'] as const) : []),
    ...(access?.desktop ? (['desktop'] as const) : []),
    ...(access?.command ? (['command'] as const) : []),
  ];
}

/** How messages to the person stand. */
export interface NotifyStatus {
  readonly wants: Want;
  /** Messages sent today, and how many there may be. */
  readonly today: number;
  readonly atMost: number;
  /** Minutes since midnight; null for no digest. */
  readonly digestAt: number | null;
  /** How many things the next message will have, and when the quiet hours end that hold it back (ISO, UTC); null if there are none. */
  readonly held: { readonly things: number; readonly until: string | null } | null;
  /** The address at which their buttons are answered; null if they have no buttons. */
  readonly actions: string | null;
  readonly channels: readonly ChannelStatus[];
}

interface ChannelStatus {
  readonly channel: ChannelName;
  /** How many things it has still to tell. */
  readonly waiting: number;
  /** ISO, UTC; null if it has taken no message yet. */
  readonly last: string | null;
  /** The last problem; null if the last attempt went well. */
  readonly trouble: string | null;
}

function notifyStatus({ env, settings, state, now }: Context): NotifyStatus | null {
  const access = env.notify ?? null;
  const { want, atMost, digestAt, quiet } = choosePolicy(settings, access !== null);
  if (access === null && want === 'off') return null;
  const memory = state.get(NOTIFY);
  const channels = channelNames(access).map((channel): ChannelStatus => {
    const tray = memory.trays[channel];
    const last = tray?.delivered ?? null;
    const waiting = (tray?.news.length ?? 0) + (tray?.digest == null ? 0 : 1);
    return { channel, waiting, last: last === null ? null : iso(last), trouble: tray?.trouble?.message ?? null };
  });
  const today = memory.day === localDate(now()) ? memory.sent : 0;
  const things = memory.pending.length;
  const until = things === 0 ? null : quietUntil(quiet, now());
  const held = things === 0 ? null : { things, until: until === null ? null : iso(until) };
  const links = access?.links ?? null;
  const actions = links === null ? null : `${links.host}:${links.port}`;
  return { wants: want, today, atMost, digestAt, held, actions, channels };
}
