import { parseQuery } from '../evidence/query/query.ts';
import type { Source } from './figures.ts';

const FENCE = /^`{3,}$/;
/** Lines around the extracts that support nothing: who looked and for how long, what was rejected, what was cut off. */
const NO_SUPPORT = /^(?:\[Research result for |Struck, since |\[truncated\])/;

/**
 * Returns what in a lookup result supports figures: the extracts, their places, and what was counted. The condition of
 * a count is a source of its own, since it repeats the request: otherwise asking for a figure would be enough to support it.
 */
export function evidenceText(request: string, result: string): Source[] {
  const query = parseQuery(request);
  const condition = query !== null && 'where' in query && query.where !== null ? ` where ${query.whereText}.` : null;
  const kept: string[] = [];
  const asked: Source[] = [];
  let fence: string | null = null;
  for (const line of result.split('\n')) {
    const outside: boolean = fence === null;
    if (FENCE.test(line)) fence = outside ? line : line === fence ? null : fence;
    if (outside && NO_SUPPORT.test(line)) continue;
    const isCount = outside && condition !== null && line.endsWith(condition);
    kept.push(isCount ? line.slice(0, -condition.length) : line);
    if (isCount) asked.push({ file: null, text: condition, beside: countsIn(line) });
  }
  return [{ file: null, text: kept.join('\n') }, ...asked];
}

function countsIn(line: string): number[] {
  return (/^(\d{1,9}) of (\d{1,9}) /.exec(line) ?? []).slice(1).map(Number);
}
