import { SourceError } from '../../failure.ts';
import { statusTrouble } from '../wire/troubles.ts';
import type { DavServer } from './dav-server.ts';

/** An entry as the server gave it. */
export interface FetchedEntry {
  readonly url: string;
  /** Empty where the server gives none. */
  readonly etag: string;
  /** Null where it is there no longer. */
  readonly text: string | null;
}

const MULTISTATUS = 207;

/**
 * Returns some entries of a calendar. What the server does not give is left out; where the answer as a whole cannot be read,
 * it is asked for in smaller parts, so that one entry spoils only itself.
 */
export async function fetchedEntries(
  server: DavServer,
  calendar: string,
  urls: readonly string[],
): Promise<readonly FetchedEntry[]> {
  try {
    return await asked(server, calendar, urls);
  } catch (error) {
    if (!(error instanceof SourceError) || error.kind !== 'strange') throw error;
    if (urls.length === 1) return [];
    const half = Math.ceil(urls.length / 2);
    const first = await fetchedEntries(server, calendar, urls.slice(0, half));
    // A server of which nothing can be read is not asked for each entry.
    if (first.length === 0) throw error;
    return [...first, ...(await fetchedEntries(server, calendar, urls.slice(half)))];
  }
}

async function asked(server: DavServer, calendar: string, urls: readonly string[]): Promise<readonly FetchedEntry[]> {
  const wanted = new Set(urls);
  const { list, status } = await server.fetched(calendar, urls.map(pathOf));
  if (status !== MULTISTATUS) throw statusTrouble(status, server.host, undefined, 0);
  return list.flatMap(({ href, status: own, props }): FetchedEntry[] => {
    const url = server.addressOf(href, calendar);
    if (!wanted.has(url)) return [];
    const { getetag: etag = '', calendarData: text = '' } = props;
    if (own === 404 || own === 410) return [{ url, etag, text: null }];
    return text === '' ? [] : [{ url, etag, text }];
  });
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}
