import { RE2JS } from 're2js';
import type { Source } from '../files/source.ts';

/** A matching line and its number. */
interface Hit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Longer lines are not searched: a truncated line could match where the whole one does not. */
export const MAX_LINE = 200_000;
/** How many milliseconds the event loop may be blocked at a time. */
const MAX_BLOCK_MS = 30;

/**
 * Returns a test for lines. It runs in linear time, so no expression can make it backtrack. Throws for an invalid one.
 */
export function lineTest(pattern: string, ignoreCase: boolean): (line: string) => boolean {
  const expression = RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  return (line) => line.length <= MAX_LINE && expression.matcher(line).find();
}

/** Returns the matching lines, at most `max`. Yields to the event loop. Rejects with the reason of the abort signal. */
export async function grep(
  sources: Iterable<Source>,
  fits: (line: string) => boolean,
  max: number,
  abort: AbortSignal,
): Promise<readonly Hit[]> {
  const hits: Hit[] = [];
  let since = performance.now();
  for (const { path, lines } of sources) {
    for (const [index, line] of lines.entries()) {
      if (fits(line)) hits.push({ path, line: index + 1, text: line });
      if (hits.length === max) return hits;
      if (performance.now() - since < MAX_BLOCK_MS) continue;
      await new Promise(setImmediate);
      abort.throwIfAborted();
      since = performance.now();
    }
  }
  return hits;
}
