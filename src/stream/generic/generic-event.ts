import { z } from 'zod';

const line = z.string().trim().min(1).max(500);

/** One event in the form in which programs hand it in. */
export const genericEvent = z.strictObject({
  /** What makes it one and the same: whatever is handed in twice under one id is one event. */
  id: z.string().trim().min(1).max(200),
  /** Who says so: a name, an address, a counterparty. */
  from: line.optional(),
  /** When it happened: ISO 8601 with a zone. */
  time: z.iso.datetime({ offset: true }).optional(),
  /** What it is about, in one line. */
  title: line,
  /** The words. */
  text: z.string().max(16_000).default(''),
  payment: z
    .strictObject({
      /** Positive: it came in. Negative: it went out. */
      amount: z.number(),
      /** ISO 4217 */
      currency: z.string().regex(/^[A-Z]{3}$/),
      date: z.iso.date(),
      account: line.optional(),
      counterparty: line.optional(),
      iban: line.optional(),
      reference: line.optional(),
    })
    .optional(),
  appointment: z
    .strictObject({
      start: z.iso.datetime({ offset: true }),
      end: z.iso.datetime({ offset: true }).optional(),
      cancelled: z.boolean().default(false),
    })
    .optional(),
});
export type GenericEvent = z.infer<typeof genericEvent>;
