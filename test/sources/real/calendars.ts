import { onTestFinished } from 'vitest';
import { caldavSource } from '../../../src/sources/caldav.ts';
import { type CaldavSettings, type Session, sourceSettings } from '../../../src/sources/source.ts';
import { Radicale } from '../../servers/radicale.ts';
import type { MemoryInlet } from '../memory-inlet.ts';

const DAY = 24 * 3_600_000;

/** A Radicale that is stopped when the test ends. */
export async function radicale(): Promise<Radicale> {
  const server = await Radicale.start();
  onTestFinished(async () => await server.stop());
  return server;
}

/** A session of the connector with the calendars at an address; closed when the test ends. */
export async function openedCalendars(
  server: Radicale,
  inlet: MemoryInlet,
  { secret = server.password, ...fields }: Readonly<Record<string, unknown>> & { readonly secret?: string } = {},
): Promise<Session> {
  const settings = noted(server, fields);
  const connector = caldavSource({ settings, credential: { reveal: async () => secret } });
  const session = await connector.open(inlet, new AbortController().signal);
  onTestFinished(async () => await session.close());
  return session;
}

/** One visit from connecting to closing. Returns what was wrong with parts of it. */
export async function visitedCalendars(...options: Parameters<typeof openedCalendars>): Promise<readonly string[]> {
  const session = await openedCalendars(...options);
  try {
    return (await session.poll()).map(({ message }) => message);
  } finally {
    await session.close();
  }
}

/** A calendar with one appointment, so many days ahead. */
export function appointment(uid: string, inDays: number, ...lines: readonly string[]): string {
  return calendarOf(entry(uid, inDays, ...lines));
}

/** One appointment as it stands in a calendar. */
export function entry(uid: string, inDays: number, ...lines: readonly string[]): string {
  const start = stamp(Date.now() + inDays * DAY);
  const head = ['BEGIN:VEVENT', `UID:${uid}`, 'DTSTAMP:20261101T080000Z', `DTSTART:${start}`, 'DURATION:PT1H'];
  return [...head, `SUMMARY:Meeting ${uid}`, ...lines, 'END:VEVENT'].join('\r\n');
}

/** A calendar with these entries. */
export function calendarOf(...entries: readonly string[]): string {
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//made up//EN', ...entries, 'END:VCALENDAR', ''].join('\r\n');
}

/** The UIDs of what was brought, in the order in which it came; cancelled ones are marked with a cross. */
export function brought(inlet: MemoryInlet): string[] {
  return inlet.texts().map((text) => {
    const uid = /^UID:(.*?)\r?$/m.exec(text)?.[1] ?? '?';
    return /^(?:METHOD:CANCEL|STATUS:CANCELLED)\r?$/m.test(text) ? `×${uid}` : uid;
  });
}

function stamp(at: number): string {
  return new Date(at).toISOString().replace(/[-:]|\.\d+/g, '');
}

function noted(server: Radicale, fields: object): CaldavSettings {
  const read = sourceSettings.parse({ kind: 'caldav', url: server.url, user: server.user, ...fields });
  if (read.kind !== 'caldav') throw new Error('not a calendar');
  return read;
}
