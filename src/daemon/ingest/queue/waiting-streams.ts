import { questionRoom } from '../../budget/question-door.ts';
import type { ModelAccess, Workspace } from '../../context/ports.ts';
import type { Timers } from '../../runtime/timers.ts';
import { type Waits, waitForRoom } from '../extract-signals.ts';

const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 15 * 60_000;
/** How soon files that wait for room are looked at again: with those for which it is then. */
const SHORTEST_PAUSE_MS = 1_000;
/** No limit lasts longer: a later moment comes from a clock that ran ahead. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000;

/** The stream files that wait for a model, and when each is tried again. */
export class WaitingStreams {
  readonly #space: ModelAccess & Pick<Workspace, 'ingest'>;
  readonly #timers: Timers;
  readonly #tryAgain: (file: string) => void;
  /** When the files that wait for room are next looked at (epoch ms). */
  #wakesAt = Number.POSITIVE_INFINITY;

  constructor(space: ModelAccess & Pick<Workspace, 'ingest'>, timers: Timers, tryAgain: (file: string) => void) {
    this.#space = space;
    this.#timers = timers;
    this.#tryAgain = tryAgain;
  }

  /** Lets a file wait: until a moment, or until a pause that grows with each try is over. */
  wait(file: string, { reason, until, window }: Waits): void {
    const { waiting } = this.#space.ingest;
    const now = this.#space.context.now();
    const tries = (waiting.get(file)?.tries ?? 0) + 1;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS);
    waiting.set(file, { reason, tries, at: until ?? now + pause, untilAnswer: until === null, window });
    if (window !== null && until !== null) this.#wakeAt(until);
  }

  /**
   * Tries again what has waited for long enough. Of those that wait for room only as many are tried as there is room for:
   * the others would be opened in vain.
   */
  retry(): void {
    const { context, ingest } = this.#space;
    const now = context.now();
    let room = questionRoom(context);
    for (const [file, { at, window }] of ingest.waiting) {
      if (at > now && at <= now + LONGEST_WAIT_MS) continue;
      if (window !== null) room -= 1;
      if (window === null || room >= 0) this.#tryAgain(file);
    }
    if (room < 0) this.#wakeAt(waitForRoom(context)?.until ?? now);
  }

  // One timer for all that wait for room. A clock that was moved since makes no difference: each minute they are looked at.
  #wakeAt(at: number): void {
    const now = this.#space.context.now();
    const soonest = Math.max(at, now + SHORTEST_PAUSE_MS);
    if (this.#wakesAt > now && this.#wakesAt <= soonest) return;
    this.#wakesAt = soonest;
    this.#timers.at(soonest, () => {
      this.#wakesAt = Number.POSITIVE_INFINITY;
      this.retry();
    });
  }
}
