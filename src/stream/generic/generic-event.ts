import { z } from 'zod';
import { ibanOf } from '../../vault/source-names.ts';
import { decimalOf } from '../bank/money.ts';

const line = z.string().trim().min(1).max(500);
const moment = z.iso.datetime({ offset: true, error: 'must be a time with its zone, as in 2026-11-23T08:00:00+01:00' });
const day = z.iso.date({ error: 'must be a day, as in 2026-11-23' });
const dayOrMoment = z.union([moment, day], {
  error: 'must be a time with its zone, as in 2026-11-23T08:00:00+01:00, or a day, as in 2026-11-23',
});

const payment = z.strictObject({
  /** A number, or its digits. Positive: it came in. Negative: it went out. */
  amount: z
    .union([z.number(), z.string().trim().max(30)])
    .refine((sum) => decimalOf(String(sum), null) !== null, { error: 'must be a sum such as -12.50' }),
  /** ISO 4217 */
  currency: z.string().regex(/^[A-Z]{3}$/, { error: 'must be three capitals, as in EUR' }),
  /** The day it was booked, or is to be. */
  date: day,
  /** `pending`: it is only announced, and settles nothing. */
  status: z.enum(['booked', 'pending']).default('booked'),
  /** The account of the vault's owner: its IBAN, or how the bank names it. */
  account: line.optional(),
  counterparty: line.optional(),
  /** The counterparty's. */
  iban: line.refine((written) => ibanOf(written) !== null, { error: 'must be an IBAN' }).optional(),
  reference: line.optional(),
});

const appointment = z
  .strictObject({
    start: dayOrMoment,
    /** The same for its end; a whole day counts in. */
    end: dayOrMoment.optional(),
    cancelled: z.boolean().default(false),
    /** What stays the same when it is moved or cancelled by a later event; then `time` says which is the latest. */
    uid: z.string().trim().min(1).max(200).optional(),
  })
  .refine(({ start, end }) => end === undefined || isOrdered(start, end), {
    error: 'must not be before start, and both are times or both are days',
    path: ['end'],
  });

/** One event in the form in which programs hand it in. */
export const genericEvent = z
  .strictObject({
    /** What makes it one and the same: whatever is handed in twice under one id is one event. */
    id: z.string().trim().min(1).max(200),
    /** Who says so: a name, an address, a counterparty. */
    from: line.optional(),
    /** When it happened. */
    time: moment.optional(),
    /** What it is about, in one line. */
    title: line,
    /** The words. */
    text: z.string().max(16_000).default(''),
    payment: payment.optional(),
    appointment: appointment.optional(),
  })
  .refine((event) => event.payment === undefined || event.appointment === undefined, {
    error: 'cannot stand beside payment: it is one or the other',
    path: ['appointment'],
  })
  .refine(({ appointment: entry, time }) => entry?.uid === undefined || time !== undefined, {
    error: 'must be there beside appointment.uid: it says which one is the latest',
    path: ['time'],
  });
export type GenericEvent = z.infer<typeof genericEvent>;

function isOrdered(start: string, end: string): boolean {
  return (start.length === 10) === (end.length === 10) && Date.parse(end) >= Date.parse(start);
}
