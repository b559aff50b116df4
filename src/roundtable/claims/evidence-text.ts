import { parseQuery } from '../../evidence/query/query.ts';
import type { Source } from './source.ts';

const FENCE = /^`{3,}$/;
/** Of what is beside the extracts: who looked and for how long, what did not hold, what was cut off. */
const NO_GROUND = /^(?:\[Research result for |Struck, since |\[truncated\])/;

/**
 * What of a result bears a figure out: the extracts, their places, and what was counted. The condition of a count is in
 * the words of whoever asked, so it is no finding by itself: else a figure need only be asked for to be held.
 */
export function evidenceText(request: string, result: string): Source[] {
  const query = parseQuery(request);
  const condition = query?.kind === 'count' && query.where !== null ? ` where ${query.whereText}.` : null;
  const kept: string[] = [];
  const asked: Source[] = [];
  let fence: string | null = null;
  for (const line of result.split('\n')) {
    const outside: boolean = fence === null;
    if (FENCE.test(line)) fence = outside ? line : line === fence ? null : fence;
    if (outside && NO_GROUND.test(line)) continue;
    const isCount = outside && condition !== null && line.endsWith(condition);
    kept.push(isCount ? line.slice(0, -condition.length) : line);
    if (isCount) asked.push({ file: null, text: condition, beside: countsIn(line) });
  }
  return [{ file: null, text: kept.join('\n') }, ...asked];
}

function countsIn(line: string): number[] {
  return (/^(\d{1,9}) of (\d{1,9}) /.exec(line) ?? []).slice(1).map(Number);
}
