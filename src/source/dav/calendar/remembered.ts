import { z } from 'zod';
import { nameIn } from '../../../stream/calendar/content-line.ts';
import { namedZone, zoneByName } from '../../../stream/calendar/zone.ts';
import { codesIn } from '../../../stream/money/reference.ts';
import { linksIn } from '../../../stream/targets/link.ts';
import { type CalendarText, type EntryText, extentOf, isSeries, valueIn, zoneText } from './entry-text.ts';

/*
 * What is remembered of an entry, so that it can be said later that it was cancelled: the lines by which it is known again and
 * by which the note that it is about is found, and no more.
 */

/** One entry: when it begins and is over (epoch ms, to the day; null: a series without an end), and its lines. */
const entry = z.tuple([z.number(), z.number().nullable(), z.string().max(20_000)]);
export type RememberedEntry = z.infer<typeof entry>;
/** By UID and RECURRENCE-ID. */
export const rememberedEntries = z.record(z.string(), entry);
export type RememberedEntries = z.infer<typeof rememberedEntries>;

const KEPT = ['UID', 'RECURRENCE-ID', 'DTSTART', 'DTEND', 'DURATION', 'RRULE', 'SEQUENCE', 'ORGANIZER', 'SUMMARY'];
/** Only of a series. */
const EXCEPTIONS = ['RDATE', 'EXDATE'];
const MOST_OF_LINE = 600;
const MOST_OF_EXCEPTIONS = 1500;
const MOST_OF_ZONE = 1500;
const MOST_POINTERS = 400;
/** As in `stream/admission.ts`: what is over for longer is not looked into. */
const LONG_PAST_MS = 14 * 86_400_000;
/** Days are told without their zones. */
const DAY_MS = 86_400_000;

/** Whether an entry has been over for so long that nobody looks into it. */
export function isLongPast(one: EntryText, now: number): boolean {
  const extent = extentOf(one);
  return extent !== null && extent.end !== null && isOverSince(extent.end, now);
}

/** Whether what was over at `end` is so long past by now. */
export function isOverSince(end: number, now: number): boolean {
  return now - end > LONG_PAST_MS + DAY_MS;
}

/** Returns what is remembered of the entries of a calendar: of those that are not long past. */
export function remember({ entries, zones }: CalendarText, now: number): RememberedEntries {
  const needed = neededZones(zones);
  const known: [string, RememberedEntry][] = entries.flatMap((one) => {
    const extent = extentOf(one);
    if (one.key === null || extent === null || isLongPast(one, now)) return [];
    return [[one.key, [extent.start, extent.end, shortOf(one, needed)]]];
  });
  return Object.fromEntries(known);
}

/** Returns the lines of an entry that are kept, in a form that `cancelled.ts` makes an entry of again. */
function shortOf(one: EntryText, needed: (name: string) => readonly string[]): string {
  const named = Map.groupBy(one.lines, (line) => nameIn(line) ?? '');
  const first = KEPT.flatMap((name) => named.get(name)?.slice(0, 1) ?? []).map((line) => line.slice(0, MOST_OF_LINE));
  const exceptions = isSeries(one) ? EXCEPTIONS.flatMap((name) => named.get(name) ?? []) : [];
  // Of many days that were left out, none is better than half of one.
  const kept = exceptions.join('\n').length > MOST_OF_EXCEPTIONS ? [] : exceptions;
  const pointers = pointersIn(valueIn(one, 'DESCRIPTION'));
  const described = pointers === '' ? [] : [`DESCRIPTION:${pointers}`];
  const zone = one.properties.find(({ name }) => name === 'DTSTART')?.params.get('TZID') ?? '';
  return [...needed(zone), ...first, ...kept, ...described].join('\n');
}

/** Returns what gives the description of a zone, where its name alone does not tell it. */
function neededZones(zones: CalendarText['zones']): (name: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const lines = zones.get(name) ?? [];
    const found = name === '' || isTold(name) || lines.join('\n').length > MOST_OF_ZONE ? [] : zoneText(lines);
    known.set(name, found);
    return found;
  };
}

/** Names such as EST mean what the calendar says of them; a place or a name of Windows means the same everywhere. */
function isTold(name: string): boolean {
  return zoneByName(name, null) !== null && (name.includes('/') || namedZone(name) === null);
}

/** What in a description leads to a note: links, numbers, codes. */
function pointersIn(text: string): string {
  const links = linksIn(text).map(({ target }) => `[[${target}]]`);
  const all = [...links, ...codesIn(text)].join(' ').replaceAll('\n', ' ');
  return all.slice(0, MOST_POINTERS).replace(/[\\;,]/g, '\\$&');
}
