import { z } from 'zod';
import { sha256 } from '../vault/hash.ts';
import type { Seal } from '../vault/seal.ts';
import { ibanOf } from '../vault/source-names.ts';
import { decimalOf } from './bank-money.ts';

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

/** Larger than the largest event that is handed in. */
const MAX_BYTES = 512 * 1024;

const sealedFile = z.strictObject({ source: z.string(), event: genericEvent, seal: z.string() });
/** What a person drops is the event alone; a copy of a sealed file is worth no more than that. */
const droppedFile = z.union([genericEvent, sealedFile.transform(({ event }) => event)]);

/** An event as a file holds it; `source`: the source that handed it in, by the program's own mark, null where it has none. */
export interface FiledEvent {
  readonly source: string | null;
  readonly event: GenericEvent;
}

/** Returns the text of the file with the program's mark. `file`: where it will be. */
export function genericText(event: GenericEvent, source: string, file: string, seal: Seal): string {
  const filed = { source, event: genericEvent.parse(event) };
  return `${JSON.stringify({ ...filed, seal: seal.of(marked(filed, file)) }, null, 2)}\n`;
}

/** Returns the event that a file holds, or why it holds none: a sentence. */
export function readGeneric(bytes: Uint8Array, file: string, seal: Seal): FiledEvent | string {
  if (bytes.length > MAX_BYTES) return `It is larger than ${MAX_BYTES / 1024} KiB, which no event is.`;
  const json = jsonIn(bytes);
  if (json === undefined) return 'It is not JSON.';
  const sealed = sealedFile.safeParse(json);
  if (sealed.success && seal.holds(marked(sealed.data, file), sealed.data.seal)) {
    const { source, event } = sealed.data;
    return { source, event };
  }
  const dropped = droppedFile.safeParse(json);
  if (dropped.success) return { source: null, event: dropped.data };
  return `It holds no event: ${whyNoEvent(genericEvent.safeParse(json).error ?? dropped.error)}.`;
}

/**
 * Returns the first thing that is wrong with an event, in plain words. It names only fields that events have, and no value
 * of it: `payment.currency must be three capitals, as in EUR`.
 */
export function whyNoEvent(error: z.ZodError): string {
  const [issue] = error.issues;
  const field = issue?.path.join('.') ?? '';
  if (issue === undefined || (field === '' && issue.code === 'invalid_type')) return 'it must be an object in braces';
  const subject = field === '' ? 'it' : field;
  if (issue.code === 'unrecognized_keys')
    return `${subject} has a field that no event has; its fields are ${fieldsOf(field)}`;
  if (issue.code === 'invalid_type' && issue.input === undefined) return `${subject} is missing or is of another type`;
  return issue.message.startsWith('must') || issue.message.startsWith('cannot')
    ? `${subject} ${issue.message}`
    : `${subject} is not as it must be: ${plainReason(issue)}`;
}

function plainReason(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_big') return `at most ${issue.maximum} characters`;
  if (issue.code === 'too_small') return 'it must not be empty';
  if (issue.code === 'invalid_type') return `it must be a ${issue.expected}`;
  if (issue.code === 'invalid_value') return `one of ${issue.values.join(', ')}`;
  return 'see the fields of an event in docs/sources.md';
}

function fieldsOf(field: string): string {
  const { shape } = genericEvent;
  if (field === 'payment') return Object.keys(shape.payment.unwrap().shape).join(', ');
  if (field === 'appointment') return Object.keys(shape.appointment.unwrap().shape).join(', ');
  return Object.keys(shape).join(', ');
}

// The place is part of it: a copy elsewhere was not handed in there.
function marked({ source, event }: Pick<z.infer<typeof sealedFile>, 'source' | 'event'>, file: string): string {
  return `event ${source} ${file}\0${JSON.stringify(event)}`;
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

const ENDING = '.event.json';
/** As many digits of a hash tell all events apart. */
const NAME_DIGITS = 32;

/** Whether a file of this name holds one event in the form in which programs hand it in. */
export function isGenericFile(file: string): boolean {
  return file.toLowerCase().endsWith(ENDING);
}

/**
 * Returns the name of the file of an event, without its folder: the same however often it is handed in. `nth`, from 1 on,
 * gives it others, where somebody else's file has it.
 */
export function genericName(source: string, { id }: Pick<GenericEvent, 'id'>, nth = 1): string {
  const rest = nth === 1 ? '' : `-${nth}`;
  return `${sha256(`event ${source} ${id}`).slice(0, NAME_DIGITS)}${rest}${ENDING}`;
}
