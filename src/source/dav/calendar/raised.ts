import { z } from 'zod';
import { utc } from '../../../vault/time.ts';
import { type CalendarText, type EntryText, valueIn, zoneText } from './entry-text.ts';
import type { RememberedEntry } from './remembered.ts';

/*
 * Of two versions of an appointment the one with the higher SEQUENCE counts. Where we said that one was cancelled, that number
 * was ours; if the entry comes back, or goes on, on the server, its own numbers are lower. So it is remembered by how much they
 * are raised from then on.
 */

/** By UID and RECURRENCE-ID: by how much its SEQUENCE is raised. */
export const raises = z.record(z.string(), z.int().min(0).max(1_000_000));
export type Raises = z.infer<typeof raises>;

const MOST_SEQUENCE = 999_999_999;
const MOST_RAISES = 500;
/** What a calendar that we write does not take over: attachments, and texts that stand in it once more as HTML. */
const DROPPED = /^(?:ATTACH|X-ALT-DESC)(?=[;:])/i;
const SEQUENCE = /^SEQUENCE(?=[;:])/i;
const MAX_SEQUENCE_DIGITS = 9;

/** Returns a calendar that says that some entries are cancelled, newer than whatever was said of them. */
export function cancelledText(
  gone: readonly (readonly [string, RememberedEntry])[],
  raised: Raises,
  now: number,
): string {
  const parts = gone.map(([key, [, , lines]]) =>
    partsOf(lines.split('\n'), sequenceIn(lines) + (raised[key] ?? 0) + 1, now),
  );
  const zones = [...new Set(parts.map(({ zone }) => zone))].filter((zone) => zone !== '');
  return calendarOf(['METHOD:CANCEL'], [...zones, ...parts.map(({ entry }) => entry)]);
}

/** Returns the raises once some entries were said to be cancelled: the newest only, they are needed for what comes back soon. */
export function raisedBy(gone: readonly (readonly [string, RememberedEntry])[], raised: Raises): Raises {
  const next = { ...raised };
  for (const [key, [, , lines]] of gone) {
    const by = sequenceIn(lines) + (raised[key] ?? 0) + 2;
    delete next[key];
    next[key] = Math.min(by, 1_000_000);
  }
  return Object.fromEntries(Object.entries(next).slice(-MOST_RAISES));
}

/** Whether an entry of a calendar comes back after it was said to be cancelled. */
export function isRaised({ entries }: Pick<CalendarText, 'entries'>, raised: Raises): boolean {
  return entries.some(({ key }) => key !== null && Object.hasOwn(raised, key));
}

/** Returns a calendar of some entries, and of the zones that they need. */
export function calendarText(entries: readonly EntryText[], zones: CalendarText['zones'], raised: Raises): string {
  const names = new Set(
    entries.flatMap(({ properties }) => properties.flatMap(({ params }) => params.get('TZID') ?? [])),
  );
  const described = [...names]
    .map((name) => zoneText(zones.get(name) ?? []).join('\r\n'))
    .filter((text) => text !== '');
  return calendarOf([], [...described, ...entries.map((one) => entryText(one, raised))]);
}

function entryText(one: EntryText, raised: Raises): string {
  const by = one.key === null ? undefined : raised[one.key];
  const own = one.lines.filter((line) => !DROPPED.test(line));
  if (by === undefined) return wrapped(own);
  const sequence = (Number(valueIn(one, 'SEQUENCE')) || 0) + by;
  return wrapped([...own.filter((line) => !SEQUENCE.test(line)), `SEQUENCE:${Math.min(sequence, MOST_SEQUENCE)}`]);
}

function partsOf(lines: readonly string[], sequence: number, now: number): { zone: string; entry: string } {
  const end = lines.indexOf('END:VTIMEZONE') + 1;
  const stamp = utc(now).replace(/[-:]/g, '');
  const said = [`SEQUENCE:${Math.min(sequence, MOST_SEQUENCE)}`, `DTSTAMP:${stamp}`, 'STATUS:CANCELLED'];
  const own = lines.slice(end).filter((line) => !SEQUENCE.test(line));
  return { zone: lines.slice(0, end).join('\r\n'), entry: wrapped([...own, ...said]) };
}

function sequenceIn(lines: string): number {
  const [, digits = '0'] = /^SEQUENCE:\s{0,9}(\d{1,10})/im.exec(lines) ?? [];
  return digits.length > MAX_SEQUENCE_DIGITS ? MOST_SEQUENCE - 2 : Number(digits);
}

function wrapped(lines: readonly string[]): string {
  return ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n');
}

function calendarOf(head: readonly string[], parts: readonly string[]): string {
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//vault-steward//source//EN', ...head];
  return `${[...lines, ...parts, 'END:VCALENDAR'].join('\r\n')}\r\n`;
}
