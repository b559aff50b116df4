import { z } from 'zod';
import type { Forms, HiddenThing } from '../steward/types.ts';
import { readForeignJson } from '../vault/json.ts';
import { utcMidnight } from '../vault/time.ts';
import { asElement, type Element, type HtmlNode, nodeText } from './mail-html.ts';

interface Thing {
  /** Its types without address: `Order`. */
  readonly types: readonly string[];
  readonly said: ReadonlyMap<string, readonly PropertyValue[]>;
}

type PropertyValue = string | Thing;

const MOST_TEXT = 200;

/** Returns the end of an address of schema.org: `OrderDelivered` of `https://schema.org/OrderDelivered`. */
function localName(written: string): string {
  return written.trim().replace(/^https?:\/\/(?:www\.)?schema\.org[/#]/i, '');
}

/** Returns a text that a thing says of itself, with single blanks, at most 200 characters. */
function saidText(written: string): string {
  return written
    .slice(0, 4 * MOST_TEXT)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MOST_TEXT);
}

/** Returns what a thing says at the end of a path of names: `seller.name`. */
function textsAt(thing: Thing, path: string): readonly string[] {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let things: readonly Thing[] = [thing];
  for (const name of names) things = things.flatMap((one) => thingsOf(one, name));
  return things.flatMap((one) => (one.said.get(last) ?? []).filter((said) => typeof said === 'string'));
}

function thingsOf({ said }: Thing, name: string): readonly Thing[] {
  return (said.get(name) ?? []).filter((one) => typeof one !== 'string');
}

function withAllWithin(thing: Thing): readonly Thing[] {
  return [
    thing,
    ...[...thing.said.values()].flat().flatMap((one) => (typeof one === 'string' ? [] : withAllWithin(one))),
  ];
}

interface Shape {
  readonly statuses: readonly string[];
  readonly day: readonly string[];
  readonly dayBefore?: readonly string[];
  readonly references: readonly string[];
  readonly names: readonly string[];
  readonly parties: readonly string[];
}

const OF_SELLERS = ['seller.name', 'merchant.name', 'broker.name', 'provider.name', 'carrier.name'];
const SHAPES: Readonly<Record<HiddenThing['kind'], Shape>> = {
  order: {
    statuses: ['orderStatus', 'paymentStatus', 'partOfInvoice.paymentStatus'],
    day: ['paymentDueDate', 'paymentDue', 'partOfInvoice.paymentDueDate'],
    references: ['orderNumber', 'confirmationNumber', 'identifier', 'partOfInvoice.confirmationNumber'],
    names: ['name', 'acceptedOffer.itemOffered.name', 'orderedItem.name', 'orderedItem.orderedItem.name'],
    parties: OF_SELLERS,
  },
  invoice: {
    statuses: ['paymentStatus'],
    day: ['paymentDueDate', 'paymentDue'],
    references: ['confirmationNumber', 'identifier', 'accountId', 'referencesOrder.orderNumber', 'invoiceNumber'],
    names: ['name', 'description', 'referencesOrder.orderedItem.name'],
    parties: OF_SELLERS,
  },
  parcel: {
    statuses: ['deliveryStatus', 'hasDeliveryStatus', 'deliveryStatus.name', 'hasDeliveryStatus.name'],
    day: [],
    references: ['trackingNumber', 'partOfOrder.orderNumber'],
    names: ['itemShipped.name', 'partOfOrder.orderedItem.name'],
    parties: [...OF_SELLERS, 'partOfOrder.seller.name', 'partOfOrder.merchant.name'],
  },
  reservation: {
    statuses: ['reservationStatus'],
    day: [],
    references: ['reservationNumber', 'reservationId', 'bookingReference', 'confirmationNumber'],
    names: ['reservationFor.name', 'reservationFor.trainNumber', 'reservationFor.flightNumber', 'name'],
    parties: [
      'reservationFor.provider.name',
      'reservationFor.airline.name',
      'reservationFor.location.name',
      ...OF_SELLERS,
    ],
  },
  event: {
    statuses: ['eventStatus'],
    day: ['startDate'],
    dayBefore: ['previousStartDate'],
    references: ['identifier'],
    names: ['name'],
    parties: ['organizer.name', 'location.name', 'performer.name'],
  },
  confirmation: { statuses: ['@type'], day: [], references: [], names: ['name'], parties: [] },
};
const MOST_EACH = 8;
const LEAST_REFERENCE = 4;
const LEAST_NAME = 3;

/** Returns the thing if it may change a note; null if it is of a kind that isn't read. */
function hiddenThing(thing: Thing): HiddenThing | null {
  const kind = thing.types.map(kindOf).find((one) => one !== null);
  if (kind === undefined || kind === null) return null;
  const shape = SHAPES[kind];
  const gathered = (paths: readonly string[]) => [...new Set(paths.flatMap((path) => textsAt(thing, path)))];
  return {
    kind,
    statuses: gathered(shape.statuses).map(localName).slice(0, MOST_EACH),
    day: dayIn(gathered(shape.day)),
    dayBefore: dayIn(gathered(shape.dayBefore ?? [])),
    references: gathered(shape.references).filter(isReference).slice(0, MOST_EACH),
    names: gathered(shape.names).filter(isName).slice(0, MOST_EACH),
    parties: gathered(shape.parties).filter(isName).slice(0, MOST_EACH),
  };
}

function kindOf(type: string): HiddenThing['kind'] | null {
  if (type === 'Order') return 'order';
  if (type === 'Invoice') return 'invoice';
  if (type === 'ParcelDelivery') return 'parcel';
  if (type === 'ConfirmAction') return 'confirmation';
  if (/^[A-Za-z]{0,40}Reservation$/.test(type)) return 'reservation';
  return /^(?:[A-Za-z]{0,40})Event$/.test(type) && type !== 'DeliveryEvent' ? 'event' : null;
}

/** The day as it is written, in the place where it is: `2026-12-03T19:00:00+01:00` is the third. */
function dayIn(texts: readonly string[]): string | null {
  const days = texts.flatMap((text) => /^(\d{4})-(\d{2})-(\d{2})(?![\d-])/.exec(text)?.slice(1).map(Number) ?? null);
  const [year = 0, month = 0, day = 0] = days.filter((one) => one !== null);
  const time = year < 2000 || year > 2100 ? null : utcMidnight(year, month, day);
  return time === null ? null : new Date(time).toISOString().slice(0, 10);
}

function isReference({ length }: string): boolean {
  return length >= LEAST_REFERENCE;
}

function isName({ length }: string): boolean {
  return length >= LEAST_NAME;
}

const object = z.record(z.string(), z.unknown());
const list = z.array(z.unknown());

const MOST_CHARACTERS = 64 * 1024;
const MOST_DEPTH = 8;
/** No mail says so much of a thing. */
const MOST_VALUES = 2000;

/** How much of a text may still be read. */
interface Room {
  left: number;
}

/** Returns the things that a text in JSON-LD describes; empty if it cannot be read, or is too large. */
function thingsInJson(text: string): readonly Thing[] {
  if (text.length > MOST_CHARACTERS) return [];
  return thingsIn(readForeignJson(text), 0, { left: MOST_VALUES });
}

function thingsIn(value: unknown, depth: number, room: Room): readonly Thing[] {
  return saidBy(value, depth, room).flatMap((said) => (typeof said === 'string' ? [] : graphOf(said)));
}

/** A thing may only be there to contain others. */
function graphOf(thing: Thing): readonly Thing[] {
  const held = (thing.said.get('@graph') ?? []).filter((one) => typeof one !== 'string');
  return thing.types.length > 0 ? [thing, ...held] : held;
}

function saidBy(value: unknown, depth: number, room: Room): readonly (string | Thing)[] {
  room.left -= 1;
  if (depth > MOST_DEPTH || room.left < 0) return [];
  if (typeof value === 'string') return value.trim() === '' ? [] : [saidText(value)];
  if (typeof value === 'number' && Number.isSafeInteger(value)) return [String(value)];
  const several = list.safeParse(value);
  if (several.success) return several.data.flatMap((one) => saidBy(one, depth + 1, room));
  const one = object.safeParse(value);
  return one.success ? [thingOf(one.data, depth, room)] : [];
}

function thingOf(fields: Readonly<Record<string, unknown>>, depth: number, room: Room): Thing {
  const said = new Map(
    Object.entries(fields).map(([name, value]) => [localName(name), saidBy(value, depth + 1, room)]),
  );
  const types = (said.get('@type') ?? []).filter((one) => typeof one === 'string').map(localName);
  return { types, said };
}

const MOST_DEPTH_MICRODATA = 512;
const MOST_TEXTS = 200;
const MOST_NAMES = 60;
const MOST_OF_ONE_NAME = 30;

/** A thing that is being read. */
interface Open extends Thing {
  readonly said: Map<string, (string | Thing)[]>;
}

/** Returns the things that the attributes of an HTML tree tell of (itemscope, itemprop), without those within others. */
function thingsInMicrodata(root: HtmlNode): readonly Thing[] {
  const found: Thing[] = [];
  walk(root, null, found, 0);
  return found;
}

function walk(node: HtmlNode, open: Open | null, found: Thing[], depth: number): void {
  if (depth > MOST_DEPTH_MICRODATA || !('childNodes' in node)) return;
  for (const child of node.childNodes) {
    const element = asElement(child);
    if (element !== null) walk(element, enter(element, open, found), found, depth + 1);
  }
}

function enter(element: Element, open: Open | null, found: Thing[]): Open | null {
  const name = attributeOf(element, 'itemprop') ?? '';
  const type = attributeOf(element, 'itemtype');
  const own = attributeOf(element, 'itemscope') === null && type === null ? null : opened(type ?? '');
  if (own !== null && (open === null || name === '')) found.push(own);
  if (open !== null && name !== '') say(open, name, own ?? statedBy(element));
  return own ?? open;
}

function opened(type: string): Open {
  return { types: type.split(/\s+/).filter(Boolean).map(localName), said: new Map() };
}

function say({ said }: Open, names: string, value: string | Thing): void {
  if (value === '') return;
  for (const name of names.split(/\s+/, MOST_NAMES)) {
    const known = said.get(name) ?? [];
    if (known.length < MOST_OF_ONE_NAME && (known.length > 0 || said.size < MOST_NAMES))
      said.set(name, [...known, value]);
  }
}

/** An element's value is in an attribute, if it has one for it, else in its text. */
function statedBy(element: Element): string {
  const stated = ['content', 'datetime', 'href', 'src', 'value'].map((name) => attributeOf(element, name));
  return saidText(stated.find((one) => one !== null) ?? textWithin(element));
}

function textWithin(element: Element): string {
  const texts: string[] = [];
  const gather = (node: HtmlNode, depth: number): void => {
    if (depth > MOST_DEPTH_MICRODATA || texts.length >= MOST_TEXTS) return;
    texts.push(nodeText(node));
    if ('childNodes' in node) for (const child of node.childNodes) gather(child, depth + 1);
  };
  gather(element, 0);
  return texts.join(' ');
}

function attributeOf({ attrs }: Element, wanted: string): string | null {
  return attrs.find(({ name }) => name === wanted)?.value ?? null;
}

/** Whether there can be a form at all: most mails are not walked a second time. */
const MAY_HOLD = /ld\+json|itemtype|<(?:s|del|strike)[\s>]|line-through/i;
const STRUCK = new Set(['s', 'del', 'strike']);
const MAX_TREE_DEPTH = 512;
const MOST_SCRIPTS = 10;
const MOST_THINGS = 20;
const MOST_STRUCK = 20;
const MOST_STRUCK_CHARACTERS = 80;

interface Gathered {
  readonly scripts: string[];
  readonly struck: string[];
}

/**
 * Returns what the HTML of a mail says next to its text: things told to programs, and what is crossed out. `root` is
 * its tree. Null if there is neither.
 */
export function parseForms(html: string, root: HtmlNode): Forms | null {
  if (!MAY_HOLD.test(html)) return null;
  const { scripts, struck } = gathered(root);
  const told = [...scripts.flatMap(thingsInJson), ...thingsInMicrodata(root)];
  const things = told.flatMap(readable).slice(0, MOST_THINGS);
  return things.length + struck.length === 0 ? null : { things, struck };
}

function readable(thing: Thing): Forms['things'] {
  return withAllWithin(thing).flatMap((one) => hiddenThing(one) ?? []);
}

function gathered(root: HtmlNode): Gathered {
  const found: Gathered = { scripts: [], struck: [] };
  gather(root, found, 0);
  return found;
}

function gather(node: HtmlNode, found: Gathered, depth: number): void {
  if (depth > MAX_TREE_DEPTH || !('childNodes' in node)) return;
  for (const child of node.childNodes) {
    const element = asElement(child);
    if (element === null) continue;
    const { tagName, attrs } = element;
    const says = (wanted: string) => attrs.find(({ name }) => name === wanted)?.value ?? '';
    const isData = tagName === 'script' && /^\s*application\/ld\+json\b/i.test(says('type'));
    if (isData && found.scripts.length < MOST_SCRIPTS) found.scripts.push(joinedText(element));
    const isStruck = STRUCK.has(tagName) || /line-through/i.test(says('style'));
    if (isStruck && found.struck.length < MOST_STRUCK) {
      const text = saidText(joinedText(element));
      if (text !== '' && text.length <= MOST_STRUCK_CHARACTERS) found.struck.push(text);
    } else gather(element, found, depth + 1);
  }
}

function joinedText(node: HtmlNode): string {
  if (!('childNodes' in node)) return nodeText(node);
  return node.childNodes.map((child) => (asElement(child) === null ? nodeText(child) : joinedText(child))).join(' ');
}
