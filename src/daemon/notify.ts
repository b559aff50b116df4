import type { Channel, NotifyAccess } from '../notify/channel.ts';
import { type Policy, policyOf } from '../steward/notify/policy.ts';
import {
  DIGEST_NOTE,
  digestText,
  keyOf,
  lastsAt,
  type News,
  newsIn,
  newsOfDeed,
  paced,
  taken,
  withoutOld,
} from '../steward/notify.ts';
import { diagnostic } from '../vault/errors.ts';
import type { Change } from '../vault/watch.ts';
import type { Workspace } from './context.ts';
import { isBusy, keepNote } from './kept-note.ts';
import { composerFor, deedOf, deedsSince, digestNow, keepMemory, Sender, waitingNow } from './messages.ts';
import type { Links } from './notify-links.ts';
import { type RetryQueue, WorkQueue } from './queues.ts';
import { recordProblemsInTurns } from './status.ts';
import type { NotifyTest } from './test-message.ts';
import type { Timers } from './timers.ts';

const STATE_FILE = '.steward/state/notify.json';
const NOTE_FAULT = 'notify digest';
/** A look that takes longer than this, in ms, is not made again at once; the pause is so much longer than the look. */
const QUICK_MS = 20;
const PAUSE = 50;

interface NotifierParts {
  readonly space: Workspace;
  readonly retries: RetryQueue;
  readonly timers: Timers;
  /** Null where no channel is named on this machine. */
  readonly access: NotifyAccess | null;
  /** A figure from 0 to 1, another one each time. */
  readonly chance: () => number;
}

/** One channel, and what waits for its turn there: however slow it is, no other waits for it. */
interface Line {
  readonly sender: Sender;
  readonly queue: WorkQueue;
}

/**
 * Tells a person what is new. Looks where something has changed, and at the moments that the pace names; while nothing is
 * new it costs nothing.
 */
export class Notifier {
  readonly #parts: NotifierParts;
  readonly #abort = new AbortController();
  readonly #notes = new WorkQueue(1);
  /** When each entry of the list came up first, by its key (epoch ms). */
  readonly #seen = new Map<string, number>();
  #lines: readonly Line[] = [];
  #channels: readonly Channel[] = [];
  #links: Links | null = null;
  #deeds: News[] = [];
  #isStarted = false;
  #isQueued = false;
  #notBefore = 0;
  #nextWake = Number.POSITIVE_INFINITY;
  /** Since when the digest that is to be written tells; null where none is. */
  #digestDue: number | null = null;

  constructor(parts: NotifierParts) {
    this.#parts = parts;
  }

  /** Loads the channels that are named, takes up what came while the program was away, and begins to look. */
  async start(): Promise<void> {
    const { space } = this.#parts;
    await this.#open();
    const { since } = space.context.state.get('notify');
    if (since !== null && space.vault.away === null) this.#take(deedsSince(space, since));
    this.#isStarted = true;
    this.look();
  }

  /** Follows what was done without asking, and looks what is new. */
  changed(changes: readonly Change[]): void {
    const { space } = this.#parts;
    if (this.#policy().want === 'each') {
      const fresh = changes.filter(({ before }) => before?.kind !== 'event').flatMap(({ after }) => after ?? []);
      this.#take(fresh.flatMap((record) => deedOf(space, record) ?? []));
    }
    this.look();
  }

  /** Looks what is new, behind what is already to be done. */
  look(): void {
    const { space } = this.#parts;
    if (!this.#isStarted || this.#isQueued) return;
    if (this.#policy().want === 'off' && space.context.state.get('notify').since === null) return;
    if (space.context.now() >= this.#notBefore) this.#add();
    else this.#wakeAt(this.#notBefore);
  }

  /** Sends a message to each channel, whatever the settings say, and returns what came of it. */
  async test(abort: AbortSignal): Promise<NotifyTest> {
    const { testChannels } = await import('./test-message.ts');
    return testChannels(this.#channels, this.#parts.space.vault.root, AbortSignal.any([abort, this.#abort.signal]));
  }

  /** Whether nothing is under way. */
  get isIdle(): boolean {
    return [this.#notes, ...this.#lines.map(({ queue }) => queue)].every((queue) => queue.isIdle);
  }

  /** Resolves when nothing is under way. */
  async drained(): Promise<void> {
    await Promise.all([this.#notes, ...this.#lines.map(({ queue }) => queue)].map((queue) => queue.drained()));
  }

  /** Ends what is under way; what was not taken is left for the next start. */
  async close(): Promise<void> {
    this.#abort.abort();
    await this.#links?.close();
    await Promise.all([this.#notes, ...this.#lines.map(({ queue }) => queue)].map((queue) => queue.close()));
  }

  // Without a channel nothing of all this is loaded.
  async #open(): Promise<void> {
    const { space, access, chance } = this.#parts;
    if (access === null) return;
    const { channelsOf } = await import('../notify/channels.ts');
    this.#channels = channelsOf(access, space.context.env.forPrograms ?? {});
    if (access.links !== null) {
      const { Links } = await import('./notify-links.ts');
      this.#links = new Links(space, access.links);
      await this.#links.open();
    }
    const policy = () => this.#policy();
    const composer = composerFor({ space, access, links: () => this.#links, policy });
    const common = { space, composer, policy, chance, abort: this.#abort.signal };
    this.#lines = this.#channels.map((channel) => ({
      sender: new Sender({ ...common, channel }),
      queue: new WorkQueue(1),
    }));
  }

  #policy(): Policy {
    return policyOf(this.#parts.space.context.settings, this.#parts.access !== null);
  }

  #take(deeds: Parameters<typeof newsOfDeed>[0][]): void {
    this.#deeds.push(...deeds.map(newsOfDeed));
  }

  #add(): void {
    const { space, retries } = this.#parts;
    this.#isQueued = true;
    retries.add('notify', STATE_FILE, async () => {
      this.#isQueued = false;
      const began = performance.now();
      if (this.#policy().want === 'each') await recordProblemsInTurns(space);
      this.#look();
      const took = performance.now() - began;
      this.#notBefore = took > QUICK_MS ? space.context.now() + took * PAUSE : 0;
    });
  }

  #look(): void {
    const { space } = this.#parts;
    const { context } = space;
    const [now, policy, before] = [context.now(), this.#policy(), context.state.get('notify')];
    const waiting = policy.want === 'each' ? waitingNow(space) : [];
    const current = this.#see(waiting.map(keyOf), now);
    const deeds = this.#deeds.splice(0).filter(({ key }) => before.told[key] === undefined);
    const fresh = [...newsIn(waiting, before.told, this.#seen, now), ...deeds];
    const kept = policy.want === 'each' ? before : { ...before, pending: [], trays: {} };
    const names = this.#channels.map(({ name }) => name);
    const step = paced(withoutOld(taken(kept, fresh, policy, now), current, now), policy, names, now);
    if (JSON.stringify(step.memory) !== JSON.stringify(before)) keepMemory(context.state, step.memory);
    if (step.digest !== null) this.#digestDue = step.digest;
    if (this.#digestDue !== null) this.#writeDigest(this.#digestDue);
    for (const line of this.#lines) this.#say(line);
    void this.#links?.open();
    const lasts = lastsAt(waiting, step.memory.told, this.#seen, now);
    for (const at of [step.next, lasts]) if (at !== null) this.#wakeAt(at);
  }

  #see(keys: readonly string[], now: number): ReadonlySet<string> {
    const current = new Set(keys);
    for (const key of [...this.#seen.keys()].filter((one) => !current.has(one))) this.#seen.delete(key);
    for (const key of keys) if (!this.#seen.has(key)) this.#seen.set(key, now);
    return current;
  }

  #say({ sender, queue }: Line): void {
    queue.add(async () => {
      try {
        const next = await sender.run();
        if (next !== null) this.#wakeAt(Math.max(next, this.#parts.space.context.now() + 1000));
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
        await recordProblemsInTurns(space);
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

  // One timer, whatever is to come: the earliest counts.
  #wakeAt(moment: number): void {
    if (moment >= this.#nextWake) return;
    this.#nextWake = moment;
    this.#parts.timers.at(moment, () => {
      this.#nextWake = Number.POSITIVE_INFINITY;
      this.look();
    });
  }
}

function notWritten(message: string) {
  const hint = 'Mend the note, or delete it: the next digest makes it anew.';
  return diagnostic({ code: 'notify-digest', file: DIGEST_NOTE, message, hint });
}
