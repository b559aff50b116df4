import { z } from 'zod';
import type { Arrival } from '../connector.ts';
import { handedOver } from '../handed-over.ts';
import { type Answer, refusal } from './answer.ts';

/** How many events one request may hold. */
const MOST_EVENTS = 50;

const object = z.record(z.string(), z.unknown());

/** What the body of a request holds: what is put into the vault, or why nothing of it is. */
type EventsIn =
  | { readonly ok: true; readonly arrivals: readonly Arrival[] }
  | { readonly ok: false; readonly answer: Answer };

/** Reads the events of a request, all or none. `key`: what stands for the id of an event that has none. `now`: epoch ms. */
export function eventsIn(body: Uint8Array, key: string | null, now: number): EventsIn {
  const json = jsonIn(body);
  if (json === undefined) return refused(400, 'It is not JSON in UTF-8.');
  const values: readonly unknown[] = Array.isArray(json) ? json : [json];
  if (values.length === 0) return refused(422, 'The list is empty.');
  if (values.length > MOST_EVENTS) return refused(422, `The list has more than ${MOST_EVENTS} events.`);
  const arrivals: Arrival[] = [];
  for (const [nth, value] of values.entries()) {
    const place = Array.isArray(json) ? nth + 1 : null;
    const read = handedOver(withId(value, key, place), now);
    if (!read.ok) return refused(422, `${place === null ? 'The event' : `Event ${place}`}: ${read.reason}.`);
    arrivals.push(read.arrival);
  }
  return { ok: true, arrivals: [...new Map(arrivals.toReversed().map((one) => [one.key, one])).values()].toReversed() };
}

/** Of a list, each event without an id has one of its own. */
function withId(value: unknown, key: string | null, place: number | null): unknown {
  const fields = object.safeParse(value);
  if (key === null || !fields.success || fields.data.id !== undefined) return value;
  return { ...fields.data, id: place === null ? key : `${key}/${place}` };
}

function refused(status: number, message: string): EventsIn {
  return { ok: false, answer: refusal(status, message) };
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
