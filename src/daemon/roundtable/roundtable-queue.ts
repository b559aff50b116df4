import type { Progress } from '../../roundtable/session/session.ts';
import type { Workspace } from '../context/ports.ts';
import { WorkQueue } from '../runtime/work-queue.ts';
import type { RoundtableRequest, RoundtableResult } from './convene.ts';
import { cutOff } from './errors.ts';
import { groundIn } from './ground.ts';

/** The roundtables of a daemon: one after the other, independent of all other work, stopped when the daemon stops. */
export class RoundtableQueue {
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

  // Loaded when the first roundtable is held: most vaults never hold one.
  async #convene(request: RoundtableRequest, matter: string | null): Promise<RoundtableResult> {
    const { convene } = await import('./convene.ts');
    this.#space.transactions.demand(); // before its place is taken
    const say = (progress: Progress) => this.#tell(request.briefing, progress);
    return convene(groundIn(this.#space, matter), request, { abort: this.#stop.signal, say });
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
  drained(): Promise<void> {
    return this.#queue.drained();
  }

  /** Stops the roundtable that is running. What was said is kept, and it continues when it is asked for again. */
  close(): Promise<void> {
    this.#stop.abort(cutOff('The daemon stopped.'));
    return this.#queue.close();
  }

  // One line for each round; the roundtable's own log has the rest.
  #tell(id: string, progress: Progress): void {
    if (progress.what !== 'closed') return;
    this.#space.context.emit({ what: 'roundtable-round', id, round: progress.round, converged: progress.converged });
  }
}
