import type { Progress } from '../../roundtable/session/session.ts';
import type { Workspace } from '../context/ports.ts';
import { WorkQueue } from '../runtime/work-queue.ts';
import type { Held, RoundtableRequest } from './convene.ts';
import { cutOff } from './errors.ts';

/** The roundtables of a daemon: one after the other, beside everything else, stopped when it stops. */
export class RoundtableQueue {
  readonly #space: Workspace;
  readonly #lane = new WorkQueue(1);
  readonly #stop = new AbortController();

  constructor(space: Workspace) {
    this.#space = space;
  }

  /** Holds a roundtable when its turn comes. Rejects as `convene` does, and where the daemon stops first. */
  hold(request: RoundtableRequest, matter: string | null = null): Promise<Held> {
    const abort = this.#stop.signal;
    return new Promise((resolve, reject) => {
      abort.addEventListener('abort', () => reject(abort.reason), { once: true });
      this.#lane.add(() => this.#held(request, matter).then(resolve, reject));
    });
  }

  // Loaded when the first is held: most vaults never hold one.
  async #held(request: RoundtableRequest, matter: string | null): Promise<Held> {
    const { convene } = await import('./convene.ts');
    const say = (progress: Progress) => this.#tell(request.briefing, progress);
    return convene(this.#space, request, { abort: this.#stop.signal, matter, say });
  }

  get isClosed(): boolean {
    return this.#stop.signal.aborted;
  }

  drained(): Promise<void> {
    return this.#lane.drained();
  }

  /** Stops what is held; what was said is kept, and it is gone on with when it is asked for again. */
  close(): Promise<void> {
    this.#stop.abort(cutOff('The daemon stopped.'));
    return this.#lane.close();
  }

  // One line for each round: the rest stands in its log.
  #tell(id: string, progress: Progress): void {
    if (progress.what !== 'closed') return;
    this.#space.context.emit({ what: 'roundtable-round', id, round: progress.round, converged: progress.converged });
  }
}
