import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { type Capability, type Own, type Running, request } from '../daemon/capability.ts';
import type { Workspace } from '../daemon/context.ts';
import { type Awaiting, WorkQueue } from '../daemon/queue.ts';
import { EXIT, StewardError } from '../vault/errors.ts';
import type { EventRecord, VaultRecord } from '../vault/record.ts';
import type { RecordChange } from '../vault/vault.ts';
import type { RoundtableRequest, RoundtableResult } from './convene.ts';
import type { Deliberations } from './deliberations.ts';
import { tableGround } from './place.ts';
import type { SessionProgress } from './session.ts';

/** Roundtables that a command or a ticked `deliberate` asks for. */
export const roundtable = {
  name: 'roundtable',
  words: 'the roundtable',
  follows: ['event'],
  start: (own) => new Roundtables(own),
} satisfies Capability;

class Roundtables implements Running {
  readonly requests = {
    roundtable: request(
      {
        briefing: z.string(),
        recorded: z.boolean(),
        /** The folders outside the vault that this command allows to be read. */
        roots: z.array(z.string().refine(isAbsolute)).optional(),
      },
      (asked) => this.#queue.hold(asked),
    ),
  };
  readonly #own: Pick<Own, 'space' | 'retries' | 'timers'>;
  readonly #queue: RoundtableQueue;
  /** Loaded when a person first ticks `deliberate`. */
  #deliberations: Promise<Deliberations> | null = null;
  #waiting = 0;

  constructor(own: Pick<Own, 'space' | 'retries' | 'timers'>) {
    this.#own = own;
    this.#queue = new RoundtableQueue(own.space);
  }

  begin(): void {
    for (const event of this.#own.space.vault.catalogue.eventsThat('asking')) this.#look(event);
  }

  changed(changes: readonly RecordChange[]): void {
    for (const { before, after } of changes)
      if (after?.kind === 'event' && (isTicked(after) || isTicked(before))) this.#look(after);
  }

  next({ now }: Awaiting): number | null {
    return this.#waiting === 0 && this.#queue.isIdle ? null : now;
  }

  async idle(): Promise<void> {
    await this.#deliberations;
    await this.#queue.idle();
  }

  close(): Promise<void> {
    return this.#queue.close();
  }

  #look(event: EventRecord): void {
    this.#deliberations ??= this.#load();
    this.#waiting += 1;
    void this.#deliberations.then((deliberations) => {
      this.#waiting -= 1;
      deliberations.look(event);
    });
  }

  async #load(): Promise<Deliberations> {
    const { Deliberations: Loaded } = await import('./deliberations.ts');
    return new Loaded({ ...this.#own, roundtables: this.#queue });
  }
}

// A note that could not be read may have been ticked.
function isTicked(record: VaultRecord | null): boolean {
  return record !== null && (record.kind === 'event' ? record.fields.deliberate : record.kind === 'bad');
}

/** Returns the error of a roundtable that was stopped from outside (exit 75). The messages so far are kept. */
export function cutOff(message: string): StewardError {
  const hint = 'All replies are kept; the same command continues.';
  return new StewardError({ code: 'roundtable-cut-off', message, hint }, EXIT.tryAgain);
}

/** The roundtables of a daemon: one after the other, independent of all other work, stopped when the daemon stops. */
class RoundtableQueue {
  readonly #space: Workspace;
  readonly #queue = new WorkQueue(1);
  readonly #stop = new AbortController();

  constructor(space: Workspace) {
    this.#space = space;
  }

  /**
   * Holds a roundtable when its turn comes. Rejects as `convene` does, or with `roundtable-cut-off` as the daemon
   * stops.
   */
  hold(request: RoundtableRequest, matter: string | null = null): Promise<RoundtableResult> {
    const abort = this.#stop.signal;
    return new Promise((resolve, reject) => {
      abort.addEventListener('abort', () => reject(abort.reason), { once: true });
      this.#queue.add(() => this.#convene(request, matter).then(resolve, reject));
    });
  }

  // Loaded for the first roundtable: most vaults never have one.
  async #convene(request: RoundtableRequest, matter: string | null): Promise<RoundtableResult> {
    const { convene } = await import('./convene.ts');
    this.#space.transactions.demand(); // before its place is taken
    const say = (progress: SessionProgress) => this.#tell(request.briefing, progress);
    return convene(tableGround(this.#space, matter), request, { abort: this.#stop.signal, say });
  }

  /** Whether no roundtable is queued or held. */
  get isIdle(): boolean {
    return this.#queue.isIdle;
  }

  /** Whether the daemon is stopping. */
  get isClosed(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Resolves when no roundtable is queued or running. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /** Stops the roundtable that is running. Its messages are kept, and it continues when it is asked for again. */
  close(): Promise<void> {
    this.#stop.abort(cutOff('The daemon stopped.'));
    return this.#queue.close();
  }

  // One line for each round; the roundtable's own log has the rest.
  #tell(id: string, progress: SessionProgress): void {
    if (progress.what !== 'closed') return;
    this.#space.context.emit({ what: 'roundtable-round', id, round: progress.round, converged: progress.converged });
  }
}
