import { nameTime, nameTimeExact } from '../time.ts';

/**
 * The times in the names of event notes: to the second, or to the millisecond where another was named within the same
 * second, so that the names show in which order things happened.
 */
export class EventClock {
  #last = Number.NEGATIVE_INFINITY;

  /** Returns the time for a name; `isFree` says whether no note has that name yet. `now` in epoch ms. */
  next(now: number, isFree: (time: string) => boolean): string {
    const isFirst = Math.floor(now / 1000) !== Math.floor(this.#last / 1000);
    if (isFirst && isFree(nameTime(now))) {
      this.#last = now;
      return nameTime(now);
    }
    let at = isFirst ? now : Math.max(now, this.#last + 1);
    while (!isFree(nameTimeExact(at))) at += 1;
    this.#last = at;
    return nameTimeExact(at);
  }
}
