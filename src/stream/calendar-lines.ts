/** A line as it is meant, where it may have been folded into several. */
interface Line {
  readonly text: string;
  /** Its number in the file, from 1 on. */
  readonly at: number;
}

/** One property of an entry, as its line has it. */
export interface Property {
  /** In capitals. */
  readonly name: string;
  /** By their names in capitals, without quotes. */
  readonly params: ReadonlyMap<string, string>;
  /** As written, escapes and all. */
  readonly value: string;
  readonly line: number;
}

/** More of a line is not read: nothing that is made of it is so long. */
const MOST = 65_536;
const NAME = /^[A-Za-z0-9-]{1,100}(?=[;:])/;
const ESCAPED = /\\([\\;,nN"])/g;

/** Returns the lines of a calendar, unfolded: one that begins with a blank goes on from the one before. */
export function* linesIn(text: string): Generator<Line> {
  let parts: string[] = [];
  let [length, began, number] = [0, 1, 0];
  for (let at = 0; at < text.length; ) {
    const end = endOfLine(text, at);
    const isMore = text[at] === ' ' || text[at] === '\t';
    number += 1;
    if (!isMore) {
      if (length > 0) yield { text: parts.join(''), at: began };
      [parts, length, began] = [[], 0, number];
    }
    const part = text.slice(isMore ? at + 1 : at, Math.min(end, at + MOST - Math.min(length, MOST))).replace(/\r$/, '');
    if (part !== '') parts.push(part);
    length += part.length;
    at = end + 1;
  }
  if (length > 0) yield { text: parts.join(''), at: began };
}

/** Returns the property of a line; null where it is none. */
export function propertyIn({ text, at }: Line): Property | null {
  const name = nameIn(text);
  if (name === null) return null;
  const [colon, marks] = headEnd(text, name.length);
  if (colon === -1) return null;
  const params = new Map<string, string>();
  for (const [nth, mark] of marks.entries()) {
    const [key = '', value = ''] = splitAt(text.slice(mark + 1, marks[nth + 1] ?? colon), '=');
    if (!params.has(key.toUpperCase())) params.set(key.toUpperCase(), value.replaceAll('"', ''));
  }
  return { name, params, value: text.slice(colon + 1), line: at };
}

/** Returns the name of a line's property in capitals; null where the line has none. */
export function nameIn(text: string): string | null {
  return NAME.exec(text)?.[0].toUpperCase() ?? null;
}

/** Returns a value of text without its escapes. */
export function textOf({ value }: Property): string {
  return value.replace(ESCAPED, (_, sign: string) => (sign === 'n' || sign === 'N' ? '\n' : sign));
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** Returns where the value's colon is, −1 without one, and where each parameter begins; neither counts between quotes. Some write an address without. */
function headEnd(text: string, from: number): [number, readonly number[]] {
  const marks: number[] = [];
  let isQuoted = false;
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (sign === ':' && !(marks.length > 0 && text.startsWith('//', at + 1))) return [at, marks];
    if (sign === ';') marks.push(at);
  }
  return [-1, marks];
}

function splitAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

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
