import { linesIn, nameIn, type Property, propertyIn } from './content-line.ts';

/** A part of a calendar between its BEGIN and END: an entry, a time zone, or (`VCALENDAR`) one line of its head. */
export interface Component {
  /** In capitals: `VEVENT`. */
  readonly name: string;
  /** Which calendar of the file it belongs to, from 0 on. */
  readonly calendar: number;
  /** The line on which it begins. */
  readonly line: number;
  /** Those that anybody asks for, in the order of the file. */
  readonly properties: readonly Property[];
  /** The parts of a time zone; of any other, none are kept. */
  readonly parts: readonly { readonly name: string; readonly properties: readonly Property[] }[];
  /** Why it is not whole; null where it is. */
  readonly flaw: string | null;
}

/** A component whose end has not come yet. */
interface Open extends Component {
  readonly properties: Property[];
  readonly parts: { readonly name: string; readonly properties: Property[] }[];
  /** How deep within its parts the reading is. */
  depth: number;
  /** How many properties are kept of it, its parts included. */
  kept: number;
}

const MARK = /^(BEGIN|END):([A-Za-z0-9-]{1,100})\s{0,9}$/i;
/** These are never part of one another: where one begins, the one before has lost its end. */
const WHOLE: ReadonlySet<string> = new Set(['VCALENDAR', 'VEVENT', 'VTODO', 'VJOURNAL', 'VFREEBUSY', 'VTIMEZONE']);
const OF_ENTRIES = 'UID RECURRENCE-ID SEQUENCE DTSTAMP LAST-MODIFIED DTSTART DTEND DURATION RRULE EXRULE RDATE EXDATE';
const OF_PEOPLE = 'SUMMARY DESCRIPTION LOCATION URL ORGANIZER STATUS';
const OF_ZONES = 'TZID X-LIC-LOCATION TZOFFSETFROM TZOFFSETTO';
const WANTED: ReadonlySet<string> = new Set(`METHOD ${OF_ENTRIES} ${OF_PEOPLE} ${OF_ZONES}`.split(' '));
const MOST_PROPERTIES = 5000;

/** Returns the parts of the calendars of a file, in its order. Whatever stands between them is passed over. */
export function* componentsIn(text: string): Generator<Component> {
  let calendar = -1;
  let open: Open | null = null;
  for (const line of linesIn(text)) {
    const [, mark, written = ''] = MARK.exec(line.text) ?? [];
    const name = written.toUpperCase();
    if (mark === undefined) {
      const property = WANTED.has(nameIn(line.text) ?? '') ? propertyIn(line) : null;
      if (property === null) continue;
      if (open !== null) keep(open, property);
      else if (property.name === 'METHOD') yield { ...opened('VCALENDAR', calendar, line.at), properties: [property] };
      continue;
    }
    const begins = mark.toUpperCase() === 'BEGIN';
    const isWhole = WHOLE.has(name);
    if (open !== null && (isWhole || (!begins && name === open.name))) {
      yield closed(open, !begins && name === open.name ? open.flaw : 'It has no end (END).');
      open = null;
      if (!begins) continue;
    }
    if (begins && name === 'VCALENDAR') calendar += 1;
    else if (open !== null) enter(open, begins, name);
    else if (begins) open = opened(name, calendar, line.at);
  }
  if (open !== null) yield closed(open, 'It has no end (END): the file is cut off.');
}

function opened(name: string, calendar: number, line: number): Open {
  return { name, calendar, line, properties: [], parts: [], flaw: null, depth: 0, kept: 0 };
}

function closed({ name, calendar, line, properties, parts, kept }: Open, flaw: string | null): Component {
  const most = kept > MOST_PROPERTIES ? `It has more than ${MOST_PROPERTIES} lines.` : null;
  return { name, calendar, line, properties, parts, flaw: flaw ?? most };
}

function enter(open: Open, begins: boolean, name: string): void {
  open.depth = Math.max(0, open.depth + (begins ? 1 : -1));
  if (begins && open.depth === 1 && open.name === 'VTIMEZONE' && open.kept <= MOST_PROPERTIES) {
    open.kept += 1;
    open.parts.push({ name, properties: [] });
  }
}

function keep(open: Open, property: Property): void {
  const into = open.depth === 0 ? open.properties : open.depth === 1 ? open.parts.at(-1)?.properties : undefined;
  if (into === undefined) return;
  open.kept += 1;
  if (open.kept <= MOST_PROPERTIES) into.push(property);
}
