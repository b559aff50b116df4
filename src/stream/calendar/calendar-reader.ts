import { decode } from '../charset/decode.ts';
import { type Item, type ItemContent, type ItemDoor, type ItemReader, nothing, refused } from '../items/item.ts';
import { wholeFile } from '../items/whole-file.ts';
import { type Component, componentsIn } from './component.ts';
import { type Property, textOf } from './content-line.ts';
import { readEntry } from './entry.ts';
import { Unreadable, type Zones, zonesOf } from './when.ts';
import { namedZone } from './zone.ts';

const MOST_BYTES = 64 * 1024 * 1024;
/** What may stand in a calendar besides appointments. */
const NO_APPOINTMENTS: ReadonlyMap<string, string> = new Map([
  ['VTODO', 'a to-do, and no appointment'],
  ['VJOURNAL', 'a journal entry, and no appointment'],
  ['VFREEBUSY', 'when somebody is free or busy, and no appointment'],
]);
/** What a calendar may be sent for that neither makes, moves nor cancels anything. */
const NO_NEWS = /^(?:REPLY|COUNTER|DECLINECOUNTER|REFRESH)$/;

/** What one calendar of a file says for all of its entries. */
interface Head {
  method: string;
  /** The time zones that it describes, by their names. */
  readonly described: Map<string, Component>;
  readonly zones: Zones;
}

/** What has to be known of a file before one entry of it can be read. */
interface Overview {
  readonly heads: ReadonlyMap<number, Head>;
  /** The RECURRENCE-IDs that stand beside a UID. */
  readonly replaced: ReadonlyMap<string, readonly Property[]>;
}

/** Reads the appointments of a file, one by one. An item's place is its number among the entries of the file. */
export const readCalendar: ItemReader = function* (source, from, door) {
  const text = withLineEnds(decode(wholeFile(source, MOST_BYTES)));
  const overview = overviewOf(text, door);
  let at = 0;
  for (const component of componentsIn(text)) {
    if (component.name !== 'VEVENT' && !NO_APPOINTMENTS.has(component.name)) continue;
    if (at >= from) yield itemOf(component, at, overview, door);
    at += 1;
  }
};

/** Very old programs end their lines with CR alone. */
function withLineEnds(text: string): string {
  return text.includes('\n') ? text : text.replaceAll('\r', '\n');
}

function itemOf(component: Component, at: number, overview: Overview, door: ItemDoor): Item {
  return { at, next: at + 1, place: `line ${component.line}`, read: () => contentOf(component, overview, door) };
}

function contentOf(component: Component, { heads, replaced }: Overview, door: ItemDoor): ItemContent {
  const head = heads.get(component.calendar);
  const reason = NO_APPOINTMENTS.get(component.name);
  if (reason !== undefined) return nothing(reason);
  if (component.flaw !== null || head === undefined) return refused(component.flaw ?? 'It stands in no calendar.');
  if (NO_NEWS.test(head.method)) return nothing('an answer to an invitation');
  try {
    const { zones, method } = head;
    return readEntry(component, { zones, method, replaced: replaced.get(uidOf(component)) ?? [], door });
  } catch (error) {
    if (error instanceof Unreadable) return refused(error.message);
    throw error;
  }
}

function overviewOf(text: string, { zone }: ItemDoor): Overview {
  const heads = new Map<number, Head>();
  const replaced = new Map<string, Property[]>();
  const home = namedZone(zone);
  if (home === null) throw new Error(`no time zone: ${zone}`);
  for (const component of componentsIn(text)) {
    const head = heads.get(component.calendar) ?? headWith(home);
    heads.set(component.calendar, head);
    if (component.name === 'VCALENDAR') head.method ||= component.properties[0]?.value.trim().toUpperCase() ?? '';
    if (component.name === 'VTIMEZONE') addZone(head.described, component);
    if (component.name === 'VEVENT') addReplaced(replaced, component);
  }
  return { heads, replaced };
}

function headWith(home: Zones['home']): Head {
  const described = new Map<string, Component>();
  return { method: '', described, zones: zonesOf(described, home) };
}

function addZone(described: Map<string, Component>, component: Component): void {
  const name = textAt(component, 'TZID');
  if (name !== '' && !described.has(name)) described.set(name, component);
}

function addReplaced(replaced: Map<string, Property[]>, component: Component): void {
  const own = component.properties.find(({ name }) => name === 'RECURRENCE-ID');
  const uid = uidOf(component);
  if (own === undefined || uid === '') return;
  const known = replaced.get(uid);
  if (known === undefined) replaced.set(uid, [own]);
  else known.push(own);
}

function uidOf(component: Component): string {
  return textAt(component, 'UID');
}

function textAt({ properties }: Component, wanted: string): string {
  const property = properties.find(({ name }) => name === wanted);
  return property === undefined ? '' : textOf(property).trim();
}
