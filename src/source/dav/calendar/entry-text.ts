import { linesIn, type Property, propertyIn, textOf } from '../../../stream/calendar/content-line.ts';
import { readWritten } from '../../../stream/calendar/wall.ts';
import { sha256 } from '../../../vault/hash.ts';

/** One entry of a calendar, as its lines have it; without its parts (alarms). */
export interface EntryText {
  /** What makes it one and the same: UID and RECURRENCE-ID. Null where it has no UID, and nobody could cancel it. */
  readonly key: string | null;
  readonly uid: string;
  /** Unfolded, in the order of the file. */
  readonly lines: readonly string[];
  readonly properties: readonly Property[];
}

/** The entries of a calendar, and the zones that it describes, by their names. */
export interface CalendarText {
  readonly entries: readonly EntryText[];
  readonly zones: ReadonlyMap<string, readonly string[]>;
}

const MARK = /^(BEGIN|END):([A-Za-z0-9-]{1,100})\s{0,9}$/i;
/** What is looked at of an entry. */
const KNOWN =
  /^(?:UID|RECURRENCE-ID|SEQUENCE|DTSTART|DTEND|DURATION|RRULE|EXRULE|RDATE|EXDATE|SUMMARY|DESCRIPTION|LOCATION|URL|ORGANIZER|STATUS)(?=[;:])/i;
const RULED = /^(?:RRULE|RDATE)(?=[;:])/i;
const RANGE_END = /(?:^|;)UNTIL=([0-9TZ]{8,16})/i;
const SPAN = /^P(?:(\d{1,4})W)?(?:(\d{1,5})D)?/i;
const DAY_MS = 86_400_000;
const MOST_ENTRIES = 100_000;

/** Returns what stands in the text of a calendar. Whatever has no end is left out. */
export function calendarIn(text: string): CalendarText {
  const entries: EntryText[] = [];
  const zones = new Map<string, readonly string[]>();
  for (const { name, lines } of blocksIn(text)) {
    if (name === 'VTIMEZONE') addZone(zones, lines);
    else if (entries.length < MOST_ENTRIES) entries.push(entryOf(lines));
  }
  return { entries, zones };
}

/** Returns the description of a zone, as it stands in a calendar. */
export function zoneText(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['BEGIN:VTIMEZONE', ...lines, 'END:VTIMEZONE'];
}

/** A hash of what an entry says; not of the lines that many servers write anew each time. */
export function digestOf(entries: readonly EntryText[]): string {
  const said = entries.map(({ lines }) =>
    lines
      .filter((line) => KNOWN.test(line))
      .toSorted()
      .join('\n'),
  );
  return sha256(said.toSorted().join('\n\n')).slice(0, 16);
}

/** Whether an entry comes again. */
export function isSeries({ lines }: EntryText): boolean {
  return lines.some((line) => RULED.test(line));
}

/** Returns the keys of those of a series that it leaves out (EXDATE). */
export function leftOutOf({ uid, properties }: EntryText): readonly string[] {
  const dates = properties.filter(({ name }) => name === 'EXDATE').flatMap(({ value }) => value.split(','));
  return dates.map((date) => `${uid}\n${date.trim()}`);
}

/** Returns the value of a property without its escapes; empty where there is none. */
export function valueIn({ properties }: Pick<EntryText, 'properties'>, wanted: string): string {
  const property = properties.find(({ name }) => name === wanted);
  return property === undefined ? '' : textOf(property).trim();
}

/**
 * Returns when an entry begins and when it is over for good (epoch ms), to the day: zones are not worked out. `end` is null
 * for a series of which that is not written. Null where nothing can be told.
 */
export function extentOf(entry: EntryText): { readonly start: number; readonly end: number | null } | null {
  const start = readWritten(valueIn(entry, 'DTSTART'));
  if (start === null) return null;
  if (isSeries(entry)) return { start: start.wall, end: lastOf(entry) };
  const end = readWritten(valueIn(entry, 'DTEND'))?.wall ?? start.wall + lengthOf(valueIn(entry, 'DURATION'));
  return { start: start.wall, end: Math.max(start.wall, end) };
}

/** The last day on which a series that has an end may still take place. */
function lastOf({ lines, properties }: EntryText): number | null {
  const rules = lines.filter((line) => /^RRULE(?=[;:])/i.test(line));
  const ends = rules.map(
    (line) => readWritten(RANGE_END.exec(line.slice(line.indexOf(':') + 1))?.[1] ?? '')?.wall ?? null,
  );
  const dates = properties.filter(({ name }) => name === 'RDATE').flatMap(({ value }) => value.split(','));
  const single = dates.map((date) => readWritten(date.split('/')[0] ?? '')?.wall ?? null);
  const all = [...ends, ...single];
  return all.includes(null) ? null : all.reduce<number>((one, other) => Math.max(one, other ?? 0), 0) + DAY_MS;
}

/** Of a duration, its days; what is shorter than a day counts as one. */
function lengthOf(duration: string): number {
  const [, weeks = '0', days = '0'] = SPAN.exec(duration) ?? [];
  return (Number(weeks) * 7 + Number(days)) * DAY_MS + (duration === '' ? 0 : DAY_MS);
}

function addZone(zones: Map<string, readonly string[]>, lines: readonly string[]): void {
  const id = lines.find((line) => /^TZID(?=[;:])/i.test(line));
  const name = id === undefined ? '' : id.slice(id.indexOf(':') + 1).trim();
  if (name !== '' && !zones.has(name)) zones.set(name, lines);
}

function entryOf(lines: readonly string[]): EntryText {
  const properties = lines.filter((line) => KNOWN.test(line)).flatMap((text) => propertyIn({ text, at: 0 }) ?? []);
  const uid = valueIn({ properties }, 'UID');
  const own = properties.find(({ name }) => name === 'RECURRENCE-ID');
  return { key: uid === '' ? null : `${uid}\n${own?.value.trim() ?? ''}`, uid, lines, properties };
}

/** Returns the entries and zones of a text: of a zone with its parts, of an entry without. */
function* blocksIn(text: string): Generator<{ readonly name: string; readonly lines: readonly string[] }> {
  let open: { readonly name: string; readonly lines: string[] } | null = null;
  let depth = 0;
  for (const { text: line } of linesIn(text.includes('\n') ? text : text.replaceAll('\r', '\n'))) {
    const [, mark, written = ''] = MARK.exec(line) ?? [];
    const name = written.toUpperCase();
    const begins = mark?.toUpperCase() === 'BEGIN';
    if (begins && (name === 'VEVENT' || name === 'VTIMEZONE')) {
      open = { name, lines: [] };
      depth = 0;
    } else if (open === null) continue;
    else if (mark !== undefined && !begins && name === open.name) {
      yield open;
      open = null;
    } else {
      if (begins) depth += 1;
      if (depth === 0 || open.name === 'VTIMEZONE') open.lines.push(line.trimEnd());
      if (mark !== undefined && !begins) depth -= 1;
    }
  }
}
