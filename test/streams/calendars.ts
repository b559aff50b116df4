import { CALENDAR } from '../../src/streams/kinds.ts';
import type { ItemContent, ReadContext } from '../../src/streams/stream.ts';
import { type ReadItem, readAll } from './read-all.ts';

type EventContent = Extract<ItemContent, { what: 'event' }>;

/** Returns a calendar of these lines. */
export function calendar(...lines: readonly string[]): Buffer {
  return Buffer.from(['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n'));
}

/** Returns the lines of an appointment; of those that it has by default, the given ones take the place. */
export function entry(...lines: readonly string[]): readonly string[] {
  const given = new Set(lines.map((line) => /^[\w-]+/.exec(line)?.[0]));
  const usual = ['UID:one@sample.example', 'DTSTART:20350402T080000Z', 'SUMMARY:Dentist'];
  const own = usual.filter((line) => !given.has(/^[\w-]+/.exec(line)?.[0]));
  return ['BEGIN:VEVENT', ...own, ...lines, 'END:VEVENT'];
}

/** Reads all items of a calendar, in Berlin on 2 March 2035. */
export function readCalendar(bytes: Uint8Array, door: Partial<ReadContext> = {}): Promise<ReadItem[]> {
  return readAll(CALENDAR, bytes, { file: 'stream/calendar/home.ics', sourceType: 'calendar', ...door });
}

/** Returns the events of a calendar, without what is refused or nothing. */
export async function eventsIn(bytes: Uint8Array, door: Partial<ReadContext> = {}): Promise<readonly EventContent[]> {
  const items = await readCalendar(bytes, door);
  return items.map(({ content }) => content).filter((content) => content.what === 'event');
}

/** Returns the one appointment of a calendar with an entry of these lines, after `around`. */
export async function appointmentOf(
  lines: readonly string[],
  around: readonly string[] = [],
  door: Partial<ReadContext> = {},
) {
  const [content] = await readCalendar(calendar(...around, ...entry(...lines)), door);
  if (content?.content.what !== 'event') throw new Error(JSON.stringify(content));
  const { event, identity } = content.content;
  if (event.appointment === undefined) throw new Error('no appointment');
  return { ...event.appointment, event, identity };
}
