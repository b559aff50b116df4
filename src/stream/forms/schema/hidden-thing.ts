import type { HiddenThing } from '../../../steward/ports/stream-event.ts';
import { utcMidnight } from '../../../vault/time.ts';
import { localName, type Thing, textsAt } from './thing.ts';

/** Where a kind of thing says what is asked of it, as paths of names. */
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

/** Returns what a thing says that may change a note; null where it is of no kind that is read. */
export function hiddenThing(thing: Thing): HiddenThing | null {
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
