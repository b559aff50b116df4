/** How long is waited at most, whatever a server says. */
const LONGEST_MS = 60 * 60 * 1000;
/** The window of the limit: sixty requests a minute. */
const WINDOW_MS = 60_000;

/**
 * Returns until when nothing may be asked (epoch ms), by what an answer says of the limit; null where there is room.
 */
export function pauseAfter(status: number, headers: Headers, now: number): number | null {
  const reset = resetIn(headers, now);
  if (status === 429) return bounded(retryAfterIn(headers, now) ?? reset ?? now + WINDOW_MS, now);
  return headers.get('X-RateLimit-Remaining')?.trim() === '0' ? bounded(reset ?? now + WINDOW_MS, now) : null;
}

/**
 * Whether a pause is still on. One that seems longer than any that is made was begun by a clock that was set back since.
 */
export function isPaused(until: number, now: number): boolean {
  return now < until && until <= now + LONGEST_MS;
}

function retryAfterIn(headers: Headers, now: number): number | null {
  const written = headers.get('Retry-After')?.trim() ?? '';
  if (/^\d{1,9}$/.test(written)) return now + Number(written) * 1000;
  const date = Date.parse(written);
  return Number.isNaN(date) ? null : date;
}

// A moment in seconds since 1970; a small figure can only mean seconds from now.
function resetIn(headers: Headers, now: number): number | null {
  const written = headers.get('X-RateLimit-Reset')?.trim() ?? '';
  if (!/^\d{1,12}(\.\d+)?$/.test(written)) return null;
  const seconds = Number(written);
  return seconds > 1_000_000_000 ? seconds * 1000 : now + seconds * 1000;
}

function bounded(until: number, now: number): number {
  return Math.min(Math.max(until, now + 1000), now + LONGEST_MS);
}
