import { RE2JS } from 're2js';
import type { Source } from '../files/source.ts';

/** A line that fits, and its number. */
interface Hit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** A longer line is not looked at: a part of it could fit where the whole does not. */
export const MAX_LINE = 200_000;
/** How long the loop of events is kept waiting at a time, in ms. */
const BREATH_MS = 30;

/** Whether a line fits. An engine in linear time: no expression makes it go back and forth for ever. Throws where it is none. */
export function lineTest(pattern: string, ignoreCase: boolean): (line: string) => boolean {
  const expression = RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  return (line) => line.length <= MAX_LINE && expression.matcher(line).find();
}

/** The lines of some texts that fit, at most `max`. Others have their turn meanwhile; rejects with the signal's reason. */
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
      if (performance.now() - since < BREATH_MS) continue;
      await new Promise(setImmediate);
      abort.throwIfAborted();
      since = performance.now();
    }
  }
  return hits;
}
