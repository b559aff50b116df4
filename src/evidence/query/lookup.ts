import { StewardError } from '../../vault/errors.ts';
import { extractOf, type Finding, found, notFound } from '../files/finding.ts';
import type { Source } from '../files/source.ts';
import { findNamed } from './named-lookup.ts';
import type { Query } from './query.ts';
import { countRows } from './row-count.ts';

/**
 * Returns what a query finds in one file: lines verbatim, or a count with the lines of its rows. Pure: the same text has
 * the same finding. Returns null for a format that is not understood well enough to say that something is missing.
 */
export function lookUp(query: Query, source: Source): Finding | null {
  try {
    if (query.kind === 'lines') return linesOf(query, source);
    if (query.kind === 'count') return countRows(query, source);
    return findNamed(query, source);
  } catch (error) {
    if (error instanceof StewardError) return notFound([error.message], [source.path]);
    throw error;
  }
}

function linesOf({ first, last }: Extract<Query, { kind: 'lines' }>, source: Source): Finding {
  const end = Math.min(last, source.lines.length);
  if (first > end) return notFound([`${source.path} has ${source.lines.length} lines.`], [source.path]);
  return found({ statements: [], extracts: [extractOf(source, first, end)], checked: [source.path] });
}
