import { type GenericEvent, genericEvent } from '../stream/generic/generic-event.ts';
import { whyNoEvent } from '../stream/generic/generic-file.ts';
import { sha256 } from '../vault/hash.ts';
import { utc } from '../vault/time.ts';
import type { Arrival } from './connector.ts';

/** What a program gave that should be an event: it as something that a source brought, or why it is none (a sentence's end). */
type HandedOver = { readonly ok: true; readonly arrival: Arrival } | { readonly ok: false; readonly reason: string };

/**
 * Reads an event that a program gave. Its id alone makes it the same thing at its source. Where it does not say when it
 * happened, it was now (`now`: epoch ms); of an appointment that says nothing.
 */
export function handedOver(value: unknown, now: number): HandedOver {
  const read = genericEvent.safeParse(value);
  if (!read.success) return { ok: false, reason: whyNoEvent(read.error) };
  const { time, appointment } = read.data;
  const event: GenericEvent =
    time === undefined && appointment === undefined ? { ...read.data, time: utc(now) } : read.data;
  const at = event.time === undefined ? null : Date.parse(event.time);
  return { ok: true, arrival: { key: sha256(`event ${event.id}`), at, content: { kind: 'event', event } } };
}
