/** Real time, moved ahead by hand, so that it stays in step with the times on disk. */
export class Clock {
  #ahead = 0;

  /** A clock at the next noon (UTC): what is counted from it falls the same at whatever hour the test runs. */
  static atNoon(): Clock {
    const clock = new Clock();
    clock.move(DAY - ((clock.now() + DAY / 2) % DAY));
    return clock;
  }

  readonly now = (): number => Date.now() + this.#ahead;

  /** Moves the clock; negative sets it back. */
  move(ms: number): void {
    this.#ahead += ms;
  }
}

/** Quiet hours, as the settings note has them, from two hours before a moment to six after it. */
export function quietHoursAround(now: number, hour: number = new Date(now).getHours()): string {
  return `${(hour + 22) % 24}:00-${(hour + 6) % 24}:00`;
}

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
