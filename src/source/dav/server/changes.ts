import { strange } from '../wire/troubles.ts';
import type { Answered } from './answer.ts';
import type { Answers, DavServer } from './dav-server.ts';
import type { Calendar } from './discovery.ts';

/** What a calendar has now that it did not have before. */
interface Changes {
  /** Addresses of entries that are new or another, with their ETags (empty: the server gives none). */
  readonly changed: ReadonlyMap<string, string>;
  /** Addresses that are there no longer. */
  readonly gone: readonly string[];
  /** To ask from the next time; empty where the server has none. */
  readonly token: string;
  /** Whether entries that are long past were listed as well, since the server cannot leave them out. */
  readonly isAll: boolean;
}

/** What is known of a calendar: the token of its state then, and the ETags by the addresses of its entries. */
interface Known {
  readonly token: string;
  readonly isSame: (url: string, etag: string) => boolean;
  readonly urls: () => Iterable<string>;
}

const MULTISTATUS = 207;
const MOST_PAGES = 200;

/**
 * Returns what has changed in a calendar: by its token where it knows that, else by comparing the ETags of all entries that are
 * not over at `from` (null: of all).
 */
export async function changesIn(
  server: DavServer,
  calendar: Calendar,
  known: Known,
  from: Date | null,
): Promise<Changes> {
  const since = known.token !== '' && calendar.canSync ? await changesBy(server, calendar.url, known.token) : null;
  return since === null ? compared(server, calendar, known, from) : withoutSame(since, known);
}

/** Null where the server does not know the token, or no such question. */
async function changesBy(server: DavServer, url: string, first: string): Promise<Changes | null> {
  const changed = new Map<string, string>();
  const gone = new Set<string>();
  let token = first;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answers = await server.changesSince(url, token);
    if (answers.status !== MULTISTATUS || answers.token === '') return null;
    const asked = token;
    token = answers.token;
    for (const { href, status, props } of answers.list) {
      const at = entryAt(server, href, url);
      if (at === null) continue;
      if (status === 404 || status === 410) {
        changed.delete(at);
        gone.add(at);
      } else {
        gone.delete(at);
        changed.set(at, props.getetag ?? '');
      }
    }
    // It gave a part, and the rest is asked for by the token of that part.
    const isPart = answers.list.some(({ href, status }) => status === 507 && entryAt(server, href, url) === null);
    if (!isPart || token === asked) return { changed, gone: [...gone], token, isAll: false };
  }
  throw strange(server.host, 'never comes to the end of what has changed');
}

async function compared(
  server: DavServer,
  { url, token }: Calendar,
  known: Known,
  from: Date | null,
): Promise<Changes> {
  const { list, isAll } = await listed(server, url, from);
  const there = new Map<string, string>();
  for (const { href, props } of list) {
    const at = entryAt(server, href, url);
    if (at !== null) there.set(at, props.getetag ?? '');
  }
  const gone = [...known.urls()].filter((at) => !there.has(at));
  return withoutSame({ changed: there, gone, token, isAll }, known);
}

async function listed(
  server: DavServer,
  url: string,
  from: Date | null,
): Promise<{ list: readonly Answered[]; isAll: boolean }> {
  const asked: readonly (readonly [() => Promise<Answers>, boolean])[] = [
    ...(from === null ? [] : [[() => server.entriesFrom(url, from), false] as const]),
    [() => server.entriesFrom(url, null), true],
    [() => server.find(url, ['d:getetag', 'd:resourcetype'], '1'), true],
  ];
  for (const [ask, isAll] of asked) {
    const { list, status } = await ask();
    if (status === MULTISTATUS) return { list: list.filter(isThere), isAll };
  }
  throw strange(server.host, 'does not list the entries of a calendar');
}

function isThere({ status, props: { resourcetype = [] } }: Answered): boolean {
  return status >= 200 && status < 300 && !resourcetype.includes('collection');
}

function withoutSame(changes: Changes, { isSame }: Known): Changes {
  const changed = [...changes.changed].filter(([at, etag]) => etag === '' || !isSame(at, etag));
  return { ...changes, changed: new Map(changed) };
}

/** Null for the calendar itself, and for what holds more. */
function entryAt(server: DavServer, href: string, url: string): string | null {
  const at = href === '' ? url : server.addressOf(href, url);
  return at === url || at.endsWith('/') || `${at}/` === url ? null : at;
}
