import type { MatterRecord } from '../../vault/index/record.ts';
import type { State } from '../context/state.ts';

/** What is remembered of schedules between starts. */
export class ScheduleMemory {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  /** Remembers which matter a schedule is of. */
  follow(name: string, { path }: MatterRecord): void {
    const schedules = this.#state.get('schedules');
    const known = schedules[name];
    if (known?.path === path) return;
    schedules[name] =
      known === undefined
        ? { path, last: null, skipped: null, streak: 0, heard: null, fired: null, due: null }
        : { ...known, path };
    this.#state.touch('schedules', name);
  }

  /** Returns when a schedule last fired, also where that tick was skipped (epoch ms); null where it never did. */
  fired(name: string): number | null {
    const { fired = null, last = null } = this.#state.get('schedules')[name] ?? {};
    return fired ?? last;
  }

  /** Returns when a schedule was to fire that has not fired since (epoch ms); null where nothing was missed by `now`. */
  owed(name: string, now: number): number | null {
    const { due = null, last = null, fired = null } = this.#state.get('schedules')[name] ?? {};
    return due !== null && due <= now && Math.max(last ?? due - 1, fired ?? due - 1) < due ? due : null;
  }

  /** Remembers when a schedule last fired, and is to fire next. What is lost of it costs a look at most. */
  keep(name: string, fired: number | null, due: number | null): void {
    const schedules = this.#state.get('schedules');
    const known = schedules[name];
    const untold = known?.last != null && fired !== null && fired <= known.last ? null : fired; // the tick tells it as well
    if (known === undefined || (known.fired === untold && known.due === due)) return;
    schedules[name] = { ...known, fired: untold, due };
    this.#state.touchLater('schedules', name);
  }
}
