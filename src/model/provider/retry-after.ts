interface WaitHeaders {
  /** `retry-after`, in seconds or as a date. */
  readonly retryAfter: string | null;
  /** `date`: the server's own clock. */
  readonly date: string | null;
}

/**
 * Returns how long a server asks us to wait, in seconds and never negative; null where it says nothing usable. A date is
 * counted from the server's own clock, or from ours (`now`, epoch ms) if the server sends no `date`.
 */
export function secondsToWait({ retryAfter, date }: WaitHeaders, now: number): number | null {
  if (retryAfter === null || retryAfter.trim() === '') return null;
  const seconds = Number(retryAfter);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const until = Date.parse(retryAfter);
  const from = Date.parse(date ?? '');
  return Number.isNaN(until) ? null : Math.max(0, (until - (Number.isNaN(from) ? now : from)) / 1000);
}
