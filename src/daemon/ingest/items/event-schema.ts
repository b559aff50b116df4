import { z } from 'zod';
import { type StreamEvent, THING_KINDS } from '../../../steward/ports/stream-event.ts';
import { AUTHENTICATION_RESULTS } from '../../../vault/records/signal.ts';

const text = z.string().nullable();

const payment = z.object({
  account: text,
  status: z.enum(['booked', 'pending']),
  day: z.string(),
  amount: z.string(),
  currency: text,
  counterparty: text,
  iban: text,
  references: z.array(z.string()),
  purpose: z.string(),
  isReversal: z.boolean().exactOptional(),
});
const appointment = z.object({
  uid: z.string(),
  recurrence: text,
  status: z.enum(['confirmed', 'tentative', 'cancelled']),
  start: z.string(),
  end: text,
  movedFrom: text,
  location: text,
  series: z.literal(true).exactOptional(),
});

const forms = z.object({
  things: z.array(
    z.object({
      kind: z.enum(THING_KINDS),
      statuses: z.array(z.string()),
      day: text,
      dayBefore: text,
      references: z.array(z.string()),
      names: z.array(z.string()),
      parties: z.array(z.string()),
    }),
  ),
  struck: z.array(z.string()),
});

/** A stream event as a worker process gives it. What the program knows besides (`about`, `stated`) is never among it. */
export const streamEvent = z.object({
  path: z.string(),
  sourceType: z.string(),
  originAt: text,
  writtenAt: z.string().exactOptional(),
  from: text,
  fromName: text,
  to: z.array(z.string()),
  subject: z.string(),
  text: z.string(),
  quoted: z.string(),
  bulk: z.boolean(),
  bulkReason: text,
  ownNote: z.boolean(),
  authentication: z.object({ result: z.enum(AUTHENTICATION_RESULTS), server: text, reason: z.string() }),
  warnings: z.array(z.string()),
  shown: text,
  doubts: z.array(z.string()),
  payment: payment.exactOptional(),
  appointment: appointment.exactOptional(),
  spoken: z.object({ room: text, isPersonal: z.boolean() }).exactOptional(),
  page: z.object({ url: text }).exactOptional(),
  forms: forms.exactOptional(),
}) satisfies z.ZodType<StreamEvent>;

/** What makes an event one and the same, as a worker process gives it. */
export const identity = z.object({
  key: z.string(),
  version: z.string(),
  otherwise: z.enum(['other', 'newer']),
  inCalendar: z.string().exactOptional(),
});

/** An event with what makes it one and the same. */
export const carried = z.object({ event: streamEvent, identity });
