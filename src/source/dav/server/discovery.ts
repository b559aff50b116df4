import { oneLine } from '../../../stream/mail/plain-text.ts';
import { SourceError } from '../../failure.ts';
import type { Answered } from './answer.ts';
import type { DavServer } from './dav-server.ts';

/** A calendar of a server. */
export interface Calendar {
  readonly url: string;
  /** As the server shows it; else the end of its address. */
  readonly name: string;
  /** The token of its present state; empty where the server gives none. */
  readonly token: string;
  /** What changes with its entries, where there is no token; empty where the server gives none. */
  readonly tag: string;
  /** Whether the server says that it can tell what has changed since a token. */
  readonly canSync: boolean;
}

const OF_PLACE = ['d:current-user-principal', 'c:calendar-home-set', 'd:resourcetype'];
const OF_CALENDAR = [
  ...['d:displayname', 'd:resourcetype', 'c:supported-calendar-component-set', 'd:supported-report-set'],
  ...['d:sync-token', 'cs:getctag'],
];
const MAX_NAME = 80;
const MOST_HOMES = 10;

/**
 * Returns where the calendars of a person lie: below the address of the source note, or where that leads to, and else where the
 * host's well-known address leads to. Throws a `SourceError`.
 */
export async function homesFrom(server: DavServer, address: string): Promise<readonly string[]> {
  for (const url of [address, new URL('/.well-known/caldav', address).href, new URL('/', address).href]) {
    const homes = await homesAt(server, url);
    if (homes.length > 0) return homes.slice(0, MOST_HOMES);
  }
  throw new SourceError({
    kind: 'missing',
    message: `${server.host} has no calendars at that address.`,
    hint: 'Check the address: it is that of CalDAV, which the help pages of the provider name.',
  });
}

/** Returns the calendars that lie in some places, each once. */
export async function calendarsIn(server: DavServer, homes: readonly string[]): Promise<readonly Calendar[]> {
  const found = new Map<string, Calendar>();
  for (const home of homes) {
    const { list } = await server.find(home, OF_CALENDAR, '1');
    for (const each of list.filter(holdsAppointments)) {
      const calendar = calendarOf(each, server.addressOf(each.href, home));
      found.set(calendar.url, calendar);
    }
  }
  return [...found.values()];
}

/** None where the address shows the way to none. */
async function homesAt(server: DavServer, url: string): Promise<readonly string[]> {
  const { list, url: at } = await server.find(url, OF_PLACE, '0');
  const [place] = list;
  if (place === undefined) return [];
  const { calendarHomeSet = [], currentUserPrincipal = [], resourcetype = [] } = place.props;
  if (resourcetype.includes('calendar')) return [at];
  if (calendarHomeSet.length > 0) return addressesOf(server, calendarHomeSet, at);
  const [principal] = addressesOf(server, currentUserPrincipal, at);
  const there = principal === undefined ? null : await server.find(principal, OF_PLACE, '0');
  const homes = there?.list[0]?.props.calendarHomeSet ?? [];
  return there === null ? [] : addressesOf(server, homes, there.url);
}

function addressesOf(server: DavServer, hrefs: readonly string[], base: string): readonly string[] {
  return hrefs.map((href) => server.addressOf(href, base));
}

function holdsAppointments({
  props: { resourcetype = [], supportedCalendarComponentSet: kinds = [] },
}: Answered): boolean {
  return (
    resourcetype.includes('calendar') && (kinds.length === 0 || kinds.some((kind) => kind.toUpperCase() === 'VEVENT'))
  );
}

function calendarOf({ props }: Answered, url: string): Calendar {
  const reports = props.supportedReportSet ?? [];
  return {
    url,
    name: oneLine(props.displayname ?? '', MAX_NAME) || lastOf(url),
    token: props.syncToken ?? '',
    tag: props.getctag ?? '',
    canSync: reports.length === 0 || reports.includes('syncCollection'),
  };
}

function lastOf(url: string): string {
  const last = new URL(url).pathname.split('/').findLast((part) => part !== '') ?? '';
  return oneLine(decoded(last), MAX_NAME);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
