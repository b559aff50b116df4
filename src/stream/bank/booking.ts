import type { Payment } from '../../steward/ports/stream-event.ts';
import type { Item, ItemContent, ItemDoor } from '../items/item.ts';
import { EqualRows, paymentEvent } from './payment-event.ts';

/** What a reader of bank files found. */
export type Found =
  | {
      readonly what: 'payment';
      readonly payment: Payment;
      /** The name that the bank gives it, where the format has one. */
      readonly named?: string;
      /** Why nothing is to be done on its word alone. */
      readonly doubt?: string;
    }
  | Exclude<ItemContent, { what: 'event' }>;

/** What was found, and where. */
export type Booking = Found & { readonly place: string };

/**
 * Makes items of what a reader found, numbered from 0. All of it is counted, and what lies before `from` is passed over:
 * equal bookings are told apart by their place among each other.
 */
export function* itemsOf(bookings: Iterable<Booking>, from: number, door: ItemDoor): Generator<Item> {
  const rows = new EqualRows();
  let at = 0;
  for (const booking of bookings) {
    const read = contentOf(booking, rows, door);
    if (at >= from) yield { at, next: at + 1, place: booking.place, read };
    at += 1;
  }
}

function contentOf(booking: Booking, rows: EqualRows, door: ItemDoor): () => ItemContent {
  if (booking.what !== 'payment') {
    const { what, reason } = booking;
    return () => ({ what, reason });
  }
  const { payment, named, doubt } = booking;
  const identity = rows.identityOf(payment, named);
  const doubts = doubt === undefined ? [] : [doubt];
  return () => ({ what: 'event', event: { ...paymentEvent(payment, door), doubts }, identity });
}
