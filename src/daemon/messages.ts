import path from 'node:path';
import type { Channel, NotifyAccess, NotSentKind, Sent } from '../notify/channel.ts';
import { nextTry } from '../source/source.ts';
import type { Waiting } from '../steward/attention-waiting.ts';
import { parseLocalTime } from '../steward/local-time.ts';
import { quietUntil } from '../steward/notify/hours.ts';
import type { Policy } from '../steward/notify/policy.ts';
import {
  type ChannelName,
  type Deed,
  type Digest,
  type DueTask,
  digestMessage,
  emptyTray,
  isOpen,
  isSpent,
  keyOf,
  lastDueDay,
  type Message,
  messageOf,
  type News,
  type NotifyMemory,
  type Tray,
} from '../steward/notify.ts';
import { isOwnNote } from '../steward/ports/own-notes.ts';
import { isReversed } from '../steward/proposals/reversed.ts';
import { diagnostic } from '../vault/errors.ts';
import type { EventRecord, VaultRecord } from '../vault/index/record.ts';
import { changeLine, momentOf } from '../vault/note-text.ts';
import { isSiblingType } from '../vault/records.ts';
import { localDate } from '../vault/time.ts';
import type { State } from './context/state.ts';
import type { ModelAccess, ReadAccess, WriteAccess } from './context.ts';
import { targetPath } from './effective-mode.ts';
import type { Links } from './notify-links.ts';
import { waitingNow as allWaiting } from './status/waiting-now.ts';
import { problemsOf } from './status.ts';

/** What is older is no news, whenever it is found: a vault may be read anew as a whole. */
const NEWS_MS = 24 * 60 * 60_000;

/** Returns a change that the program made without asking, and that still holds; null of anything else. */
export function deedOf(space: ReadAccess, record: VaultRecord): Deed | null {
  const isDeed = record.kind === 'event' && !isSiblingType(record.fields.type) && isMade(space, record);
  const deed = isDeed ? told(space, record) : null;
  return deed !== null && Math.abs(space.context.now() - deed.at) < NEWS_MS ? deed : null;
}

/** Returns the changes that were made since a moment (epoch ms) and still hold, newest first; also those that a person confirmed. */
function madeSince(space: ReadAccess, since: number): Deed[] {
  const made: Deed[] = [];
  for (const hour of space.vault.catalogue.chronicle.newestHours()) {
    const records = hour.filter((record) => record.kind === 'event');
    const times = records.map((record) => momentOf(record.name, record.fields.timestamp));
    if (times.length > 0 && times.every((at) => at < since)) break;
    made.push(...records.filter((record) => isMade(space, record)).map((record) => told(space, record)));
  }
  return made.filter(({ at }) => at >= since).toSorted((one, other) => other.at - one.at);
}

/** Returns those of them that nobody was asked about. */
export function deedsSince(space: ReadAccess, since: number): Deed[] {
  const { catalogue } = space.vault;
  return madeSince(space, since).filter(({ event }) =>
    catalogue.named(event).some((record) => deedOf(space, record) !== null),
  );
}

function isMade(space: ReadAccess, event: EventRecord): boolean {
  return event.fields.undo_recipe !== null && isOwnNote(space, event) && !isReversed(space, event);
}

function told(space: ReadAccess, event: EventRecord): Deed {
  const { change, changes, from, quote, timestamp } = event.fields;
  return {
    event: event.name,
    target: targetPath(space.vault, event),
    change: change ?? changeLine(changes),
    from,
    quote,
    at: momentOf(event.name, timestamp) || 0,
  };
}

/** Returns the list of what waits, without what is wrong with messages themselves: nobody is told of that by a message. */
export function waitingNow(space: ModelAccess & WriteAccess): Waiting[] {
  const trouble = problemsOf(space).filter(({ code }) => !code.startsWith('notify-'));
  return allWaiting(space, trouble);
}

/** Returns what a digest tells, of what was done since a moment (epoch ms). */
export function digestNow(space: ModelAccess & WriteAccess, since: number): Digest {
  const now = space.context.now();
  return { now, since, waiting: waitingNow(space), done: madeSince(space, since), due: dueTasks(space, now) };
}

function dueTasks({ vault }: ModelAccess, now: number): DueTask[] {
  const last = lastDueDay(now);
  return vault.catalogue.agenda
    .dueBy(last)
    .flatMap(({ path, fields: { due } }) => {
      const at = due === null ? null : parseLocalTime(due);
      return at === null ? [] : [{ path, day: localDate(at) }];
    })
    .filter(({ day }) => day <= last)
    .toSorted((one, other) => (`${one.day} ${one.path}` < `${other.day} ${other.path}` ? -1 : 1));
}

interface ComposingParts {
  readonly space: WriteAccess & Parameters<typeof waitingNow>[0];
  readonly access: NotifyAccess;
  readonly links: () => Links | null;
  readonly policy: () => Policy;
}

/** Returns the name by which Obsidian knows a vault: that of its folder. */
export function vaultName(root: string): string {
  return path.basename(root);
}

/** Makes messages of what stands at the moment in which they are sent. */
export function composerFor({ space, access, links, policy }: ComposingParts): Composer {
  const vault = vaultName(space.vault.root);
  const { catalogue } = space.vault;
  return {
    message(news) {
      const now = space.context.now();
      const entries = new Map(waitingNow(space).map((entry) => [keyOf(entry), entry]));
      const told = news.filter((one) => (isOpen(one.kind) ? entries.has(one.key) : isStillDone(space, one)));
      const ground = {
        vault,
        now,
        quotes: access.quotes,
        last: isSpent(space.context.state.get('notify'), policy(), now) ? lastWords(policy()) : null,
        actions: (one: News) => links()?.actionsFor(one, entries.get(one.key) ?? null) ?? [],
        pathOf: (event: string) => catalogue.named(event)[0]?.path ?? null,
      };
      const message = messageOf(told, ground);
      return message === null ? null : { message, told };
    },
    digest: (since) => digestMessage(digestNow(space, since), vault),
  };
}

function isStillDone(space: WriteAccess, { event }: News): boolean {
  return event !== null && space.vault.catalogue.named(event).some((record) => deedOf(space, record) !== null);
}

function lastWords({ digestAt }: Policy): string {
  if (digestAt === null) return 'No more messages today; the rest is in `steward inbox`.';
  const [hour, minute] = [Math.floor(digestAt / 60), digestAt % 60].map((part) => String(part).padStart(2, '0'));
  return `No more messages today; the rest comes with the digest at ${hour}:${minute}.`;
}

/** Returns what a channel has still to say. */
function trayOf(state: State, name: ChannelName): Tray {
  return state.get('notify').trays[name] ?? emptyTray();
}

/** Changes what is remembered of a channel, on disk. Throws what the disk refuses. */
function keepTray(state: State, name: ChannelName, change: (tray: Tray) => Tray): void {
  const memory = state.get('notify');
  keepMemory(state, { ...memory, trays: { ...memory.trays, [name]: change(memory.trays[name] ?? emptyTray()) } });
}

/** Replaces what is remembered of messages, on disk. Throws what the disk refuses. */
export function keepMemory(state: State, memory: NotifyMemory): void {
  state.set('notify', memory);
  state.save('notify');
}

/** What is kept for the next try: it is certain that nothing was taken. */
const KEPT: readonly NotSentKind[] = ['away', 'busy', 'refused', 'ended'];
/** A token that is refused is tried once an hour: it may have been renewed at the server. */
const REFUSED_MS = 60 * 60_000;
/** A digest that could not be said at its hour keeps to the quiet hours. */
const LATE_MS = 30 * 60_000;
/** No pause is longer; what lies further ahead was noted before the clock was set back. */
const LONGEST_MS = 25 * 60 * 60_000;

/** Makes messages as they are now: what was answered meanwhile is left out. */
interface Composer {
  readonly message: (news: readonly News[]) => { readonly message: Message; readonly told: readonly News[] } | null;
  readonly digest: (since: number) => Message | null;
}

interface SenderParts {
  readonly space: ModelAccess;
  readonly channel: Channel;
  readonly composer: Composer;
  readonly policy: () => Policy;
  readonly chance: () => number;
  readonly abort: AbortSignal;
}

/** One attempt: what is given to the channel, and what of it is put back where nothing was taken. */
interface Attempt {
  readonly message: Message;
  readonly things: number;
  readonly back: Pick<Tray, 'news' | 'digest'>;
}

/**
 * Says by one channel what is to be said. That something is being said is on disk before it is: after a crash nobody knows
 * whether it was taken, and nothing is said twice.
 */
export class Sender {
  readonly #parts: SenderParts;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  /** Says what can be said now. Returns when to come again (epoch ms); null where there is nothing to say. */
  async run(): Promise<number | null> {
    const { space, channel, abort } = this.#parts;
    for (let next = this.#held(); ; next = this.#held()) {
      if (next !== 'now' || abort.aborted || space.vault.away !== null) return next === 'now' ? null : next;
      const attempt = this.#taken();
      if (attempt === null) continue; // all of it was answered meanwhile
      this.#settle(attempt, await channel.send(attempt.message, abort));
    }
  }

  #held(): number | 'now' | null {
    const { space, channel, policy } = this.#parts;
    const { state, now: clock } = space.context;
    const [tray, now] = [trayOf(state, channel.name), clock()];
    if (tray.news.length === 0 && tray.digest === null) return null;
    if (tray.next > now && tray.next - now < LONGEST_MS) return tray.next;
    const quiet = quietUntil(policy().quiet, now);
    const isTimely = tray.digest !== null && Math.abs(now - (state.get('notify').digest ?? 0)) < LATE_MS;
    return quiet === null || isTimely ? 'now' : quiet;
  }

  // Off the tray on disk before it is sent.
  #taken(): Attempt | null {
    const { space, channel, composer } = this.#parts;
    const { state } = space.context;
    const { digest, news } = trayOf(state, channel.name);
    if (digest !== null) {
      keepTray(state, channel.name, (tray) => ({ ...tray, digest: null }));
      const message = composer.digest(digest);
      return message === null ? null : { message, things: 0, back: { news: [], digest } };
    }
    keepTray(state, channel.name, (tray) => ({ ...tray, news: [] }));
    const made = composer.message(news);
    return made === null
      ? null
      : { message: made.message, things: made.told.length, back: { news: [...made.told], digest: null } };
  }

  #settle({ things, back }: Attempt, sent: Sent): void {
    const { space, channel } = this.#parts;
    const { context, problems } = space;
    const fault = `notify ${channel.name}`;
    if (sent.ok) {
      const delivered = context.now();
      keepTray(context.state, channel.name, (tray) => ({ ...tray, tries: 0, next: 0, delivered, trouble: null }));
      problems.faults.delete(fault);
      context.emit({ what: 'notified', channel: channel.name, things });
      return;
    }
    keepTray(context.state, channel.name, (tray) => this.#after(tray, back, sent));
    if (sent.kind === 'ended') return;
    const trouble = diagnostic({ code: `notify-${channel.name}`, message: sent.message, hint: sent.hint });
    if (problems.faults.get(fault)?.message !== trouble.message) context.emit({ what: 'trouble', trouble });
    problems.faults.set(fault, trouble);
  }

  #after(tray: Tray, { news, digest }: Attempt['back'], sent: Extract<Sent, { ok: false }>): Tray {
    const { kind, message, hint, waitMs } = sent;
    const now = this.#parts.space.context.now();
    const kept = KEPT.includes(kind)
      ? { ...tray, news: [...news, ...tray.news], digest: digest ?? tray.digest }
      : { ...tray };
    if (kind === 'ended') return kept;
    const tries = tray.tries + 1;
    const pause = kind === 'refused' ? REFUSED_MS : nextTry(tries, waitMs, this.#parts.chance());
    return { ...kept, tries, next: now + pause, trouble: { message, hint } };
  }
}
