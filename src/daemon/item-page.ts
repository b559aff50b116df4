import { z } from 'zod';
import { type StreamEvent, THING_KINDS } from '../steward/ports.ts';
import type { ItemContent } from '../stream/items.ts';
import { AUTHENTICATION_RESULTS } from '../vault/status-words.ts';

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

/** What the process that reads a file is told. The file itself it is given open. */
export const readingTask = z.object({
  /** The name of the kind. */
  kind: z.string(),
  size: z.number(),
  from: z.number(),
  /** Whether each item is announced before it is read: then it is known which one ended the process. */
  isCareful: z.boolean(),
  door: z.looseObject({
    file: z.string(),
    sourceType: z.string(),
    trustedServers: z.array(z.string()),
    zone: z.string(),
    now: z.number(),
    bankFormats: z.array(z.string()).optional(),
  }),
});

const place = z.object({ at: z.number(), next: z.number(), place: z.string() });
export type Place = z.infer<typeof place>;

const content = z.discriminatedUnion('what', [
  z.object({ what: z.literal('event'), event: streamEvent, identity }),
  z.object({ what: z.literal('refused'), reason: z.string() }),
  z.object({ what: z.literal('nothing'), reason: z.string() }),
]);
/** An item of a file, and what it came to. */
export interface ReadItem extends Place {
  readonly content: ItemContent;
}

/** Some items of a file, in order; with `ends` they were the last ones. `refusal`: why the file cannot be read any further. */
export interface Page {
  readonly kind: 'page';
  readonly items: readonly ReadItem[];
  readonly ends: boolean;
  readonly refusal: { readonly message: string; readonly hint: string } | null;
}

/** What the process says: which item it begins with, or some items that it has read. */
export type Said = Page | { readonly kind: 'begins'; readonly item: Place };

/** The same as it comes over the channel. */
export const said: z.ZodType<Said> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('begins'), item: place }),
  z.object({
    kind: z.literal('page'),
    items: z.array(place.extend({ content })),
    ends: z.boolean(),
    refusal: z.object({ message: z.string(), hint: z.string() }).nullable(),
  }),
]);
