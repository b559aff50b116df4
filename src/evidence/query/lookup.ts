import { StewardError } from '../../vault/errors.ts';
import { extractOf, type Finding, found, notFound } from '../files/finding.ts';
import type { Source } from '../files/source.ts';
import type { LinesAsked, Query } from './asked.ts';
import { findNamed } from './named-lookup.ts';
import { rowsOf } from './row-count.ts';

/**
 * Returns what a query finds in one file: lines verbatim, or a count with the lines of its rows. Pure: the same text has
 * the same finding. Returns null for a format that is not understood well enough to say that something is missing.
 */
export function lookUp(query: Query, source: Source): Finding | null {
  try {
    if (query.kind === 'lines') return linesOf(query, source);
    return 'where' in query ? rowsOf(query, source) : findNamed(query, source);
  } catch (error) {
    if (error instanceof StewardError) return notFound([error.message], [source.path]);
    throw error;
  }
}

function linesOf(asked: LinesAsked, source: Source): Finding {
  const all = source.lines.length;
  const first = asked.first < 0 ? Math.max(1, all + 1 + asked.first) : asked.first;
  const last = Math.min(asked.last < 0 ? all + 1 + asked.last : asked.last, all);
  if (first > last) return notFound([`${source.path} has ${all} lines.`], [source.path]);
  const part = `${first === last ? `line ${first}` : `lines ${first}-${last}`} of ${all}`;
  return found({ statements: [], extracts: [extractOf(source, first, last, part)], checked: [source.path] });
}
