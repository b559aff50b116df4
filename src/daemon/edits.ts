import { mayBeEdit } from '../stream/edits.ts';
import type { TargetRecord, VaultRecord } from '../vault/index/record.ts';
import type { Change } from '../vault/watch.ts';
import type { Workspace } from './context.ts';
import type { Edited } from './edits-hear.ts';
import type { RetryQueue } from './queues.ts';
import type { Schedules } from './schedule.ts';
import type { Timers } from './timers.ts';
import { isStillUnread } from './unread-records.ts';

/** An edit is read after so many times the settle window: a sync may bring the record of who made it a little later. */
const RESTS = 3;
/** Where a record that may tell who made it cannot be read, it is looked at again then (ms). */
const UNREAD_MS = 30_000;
/** How many notes are remembered at a time until they have come to rest. */
const MOST_KEPT = 1_000;
const NEVER = Number.POSITIVE_INFINITY;

/** A note as it was before somebody changed it, and when it is looked at (epoch ms). */
interface Pending {
  readonly before: TargetRecord;
  readonly at: number;
}

/** A note that has come to rest; `edited` is null where it is gone. */
interface Due {
  readonly path: string;
  readonly pending: Pending;
  readonly edited: Edited | null;
}

/** A person's own edits as a stream: each is read once its note has come to rest. */
export class Edits {
  readonly #space: Workspace;
  readonly #retries: RetryQueue;
  readonly #timers: Timers;
  readonly #schedules: Schedules;
  readonly #pending = new Map<string, Pending>();
  #isSet = false;
  /** How many more notes were changed than are remembered. */
  #over = 0;

  constructor(parts: { space: Workspace; retries: RetryQueue; timers: Timers; schedules: Schedules }) {
    this.#space = parts.space;
    this.#retries = parts.retries;
    this.#timers = parts.timers;
    this.#schedules = parts.schedules;
  }

  /** Takes up what was edited while the program was away: what the records held then is known from their cache. */
  catchUp(): void {
    const { vault } = this.#space;
    const now = this.#space.context.now();
    // Not all of them anew: whoever starts again and again hears them at last.
    const restsAt = ({ after }: Change) => Math.min(now, after === null ? now : cameAt(after)) + this.#restMs();
    this.#remember(vault.editedMeanwhile, restsAt);
    vault.editedMeanwhile = [];
  }

  /** Remembers what notes were like before they changed. Of several changes of a note the first counts. */
  changed(changes: readonly Change[]): void {
    const at = this.#space.context.now() + this.#restMs();
    this.#remember(changes, () => at);
  }

  #remember(changes: readonly Change[], restsAt: (change: Change) => number): void {
    for (const change of changes) {
      const { path, before, after } = change;
      const known = this.#pending.get(path);
      const was = known?.before ?? (mayBeEdit(before, after) ? before : null);
      if (was === null) continue;
      if (known !== undefined || this.#pending.size < MOST_KEPT)
        this.#pending.set(path, { before: was, at: restsAt(change) });
      else this.#over += 1;
    }
    this.#wait();
  }

  /** Whether an edit of a note is still to be heard: until then it must be known what the note was like before. */
  isPending(path: string): boolean {
    return this.#pending.has(path);
  }

  /** Reads what has come to rest, whatever the timer says. */
  look(): void {
    if (this.#next() <= this.#space.context.now()) this.#retries.add('edits', '.', () => this.#hear());
    this.#wait();
  }

  #wait(): void {
    const next = this.#next();
    if (this.#isSet || next === NEVER) return;
    this.#isSet = true;
    this.#timers.at(next, () => {
      this.#isSet = false;
      this.look();
    });
  }

  #next(): number {
    return [...this.#pending.values()].reduce((first, { at }) => Math.min(first, at), NEVER);
  }

  async #hear(): Promise<void> {
    const { hearEdits } = await import('./edits-hear.ts');
    const due = this.#due();
    const edited = due.flatMap((one) => one.edited ?? []);
    const awoken = hearEdits(this.#space, edited, this.#over);
    this.#over = 0;
    for (const { path, pending } of due) if (this.#pending.get(path) === pending) this.#pending.delete(path);
    for (const matter of new Set(awoken)) this.#schedules.follow(matter);
    this.#wait();
  }

  #due(): Due[] {
    const now = this.#space.context.now();
    return [...this.#pending].flatMap(([path, pending]) =>
      pending.at > now ? [] : (this.#rested(path, pending) ?? []),
    );
  }

  // Whatever is typed in is looked at later, and a note that is half written once it is whole. What is gone says nothing.
  #rested(path: string, pending: Pending): Due | null {
    const { context, vault, notes } = this.#space;
    const after = vault.catalogue.get(vault.catalogue.currentPath(path));
    if (after?.kind === 'bad') {
      this.#pending.set(path, { ...pending, at: NEVER });
      return null;
    }
    if (after?.kind !== 'task' && after?.kind !== 'matter') return { path, pending, edited: null };
    if (isStillUnread(this.#space, after, pending.before.stat.mtimeMs)) {
      this.#pending.set(path, { ...pending, at: context.now() + UNREAD_MS });
      return null;
    }
    const { settledAt } = notes.fresh(after.path) ?? { settledAt: 0 };
    if (settledAt <= context.now()) return { path, pending, edited: { before: pending.before, after } };
    this.#pending.set(path, { ...pending, at: settledAt });
    return null;
  }

  #restMs(): number {
    return RESTS * this.#space.context.settings.settle_seconds * 1000;
  }
}

/** When a note came to be as it is on this disk (epoch ms): a sync keeps the time at which it was written elsewhere. */
function cameAt({ stat }: VaultRecord): number {
  return Math.max(stat.mtimeMs, stat.ctimeMs);
}
