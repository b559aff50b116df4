import { z } from 'zod';
import type { Appointment, Payment, StreamEvent } from '../steward/types.ts';
import { diagnostic } from '../vault/errors.ts';
import { readForeignJson } from '../vault/json.ts';
import { cutAt, oneLine, plainText, sha256 } from '../vault/note-text.ts';
import type { Seal } from '../vault/seal.ts';
import { parseIban } from '../vault/source-names.ts';
import { localTime, utc } from '../vault/time.ts';
import { type Author, identifiedAuthor, NOBODY_NAMED } from './chat-lines.ts';
import type { MailContext, ParsedMail } from './mail.ts';
import { parseDecimal, paymentEvent } from './money.ts';
import { EVENT_ENDING, formatVersion, type Identity, PLAIN_EVENT } from './stream.ts';

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
    .refine((sum) => parseDecimal(String(sum), null) !== null, { error: 'must be a sum such as -12.50' }),
  /** ISO 4217 */
  currency: z.string().regex(/^[A-Z]{3}$/, { error: 'must be three capitals, as in EUR' }),
  /** The day it was booked, or is to be. */
  date: day,
  /** `pending`: it is only announced, and settles no task. */
  status: z.enum(['booked', 'pending']).default('booked'),
  /** The account of the vault's owner: its IBAN, or how the bank names it. */
  account: line.optional(),
  counterparty: line.optional(),
  /** The counterparty's. */
  iban: line.refine((written) => parseIban(written) !== null, { error: 'must be an IBAN' }).optional(),
  reference: line.optional(),
});

const appointment = z
  .strictObject({
    start: dayOrMoment,
    /** The same for its end; a whole day counts in. */
    end: dayOrMoment.optional(),
    cancelled: z.boolean().default(false),
    /**
     * An id that stays the same when it is moved or cancelled by a later event; then `time` says which is the latest.
     */
    uid: z.string().trim().min(1).max(200).optional(),
  })
  .refine(({ start, end }) => end === undefined || isOrdered(start, end), {
    error: 'must not be before start, and both are times or both are days',
    path: ['end'],
  });

/** One event in the form in which programs hand it in. */
export const genericEvent = z
  .strictObject({
    /** Its identity: events that are handed in twice under one id are one event. */
    id: z.string().trim().min(1).max(200),
    /** Who says so: a name, an address, a counterparty. */
    from: line.optional(),
    /** When it happened. */
    time: moment.optional(),
    title: line,
    /** The words. */
    text: z.string().max(16_000).default(''),
    payment: payment.optional(),
    appointment: appointment.optional(),
  })
  .refine((event) => event.payment === undefined || event.appointment === undefined, {
    error: 'cannot be combined with payment: it is one or the other',
    path: ['appointment'],
  })
  .refine(({ appointment: entry, time }) => entry?.uid === undefined || time !== undefined, {
    error: 'must come with appointment.uid: it says which one is the latest',
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

/** An event as a file contains it. `source`: the source that handed it in, by the program's own mark, or null. */
interface FiledEvent {
  readonly source: string | null;
  readonly event: GenericEvent;
}

/** Returns the text of the file with the program's mark. `file`: its later place. */
export function genericText(event: GenericEvent, source: string, file: string, seal: Seal): string {
  const filed = { source, event: genericEvent.parse(event) };
  return `${JSON.stringify({ ...filed, seal: seal.of(marked(filed, file)) }, null, 2)}\n`;
}

/** Returns the event of a file, or a sentence on why it contains no event. */
export function readGeneric(bytes: Uint8Array, file: string, seal: Seal): FiledEvent | string {
  if (bytes.length > MAX_BYTES) return `It is larger than ${MAX_BYTES / 1024} KiB, the limit of an event.`;
  const json = readForeignJson(bytes);
  if (json === undefined) return 'It is not JSON.';
  const sealed = sealedFile.safeParse(json);
  if (sealed.success && seal.holds(marked(sealed.data, file), sealed.data.seal)) {
    const { source, event } = sealed.data;
    return { source, event };
  }
  const dropped = droppedFile.safeParse(json);
  if (dropped.success) return { source: null, event: dropped.data };
  return `It has no event: ${whyNoEvent(genericEvent.safeParse(json).error ?? dropped.error)}.`;
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
  return 'see the fields of an event in docs/programs.md';
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

/** As many digits of a hash tell all events apart. */
const NAME_DIGITS = 32;

/**
 * Returns the name of the file of an event, without its folder: the same however often it is handed in. `nth`, from 1
 * on, gives it others, if another file has it.
 */
export function genericName(source: string, { id }: Pick<GenericEvent, 'id'>, nth = 1): string {
  const rest = nth === 1 ? '' : `-${nth}`;
  return `${sha256(`event ${source} ${id}`).slice(0, NAME_DIGITS)}${rest}${EVENT_ENDING}`;
}

const MAX_SUBJECT = 500;
const MAX_TEXT = 16_000;
/** Used instead of a source's name: no source has this one, since it has blanks. */
const NO_SOURCE = 'a dropped file';
/** A file that a bank made says more than one that anybody writes in a minute. */
const DROPPED = 'Its file is neither from a source nor from a bank.';
const DAY = 10;

interface Surroundings {
  readonly file: string;
  /** The channel in which it speaks. */
  readonly sourceType: string;
  /** Returns what a clock on the person's wall shows at a moment (epoch ms): `YYYY-MM-DDTHH:mm`. */
  readonly wallOf: (moment: number) => string;
}

/**
 * Returns what was handed in as a stream event. `from` isn't authenticated: the pattern is that name, in which no
 * address is recognised, followed by the source.
 */
export function readFiledEvent(filed: FiledEvent, { file, sourceType, wallOf }: Surroundings): StreamEvent {
  const { source, event } = filed;
  const handed = { handed: { source } };
  if (event.payment !== undefined) {
    const door = { file, sourceType, trustedServers: [], zone: 'UTC', now: 0 };
    const doubts = source === null ? [DROPPED] : [];
    return { ...paymentEvent(paymentOf(event, event.payment), door, momentOf(event)), ...handed, doubts };
  }
  const { id: from, name: fromName } = authorOf(filed);
  return {
    ...PLAIN_EVENT,
    path: file,
    sourceType,
    originAt: momentOf(event),
    from,
    fromName,
    subject: oneLine(event.title, MAX_SUBJECT),
    text: cutAt(plainText(event.text).trim(), MAX_TEXT),
    ...handed,
    ...(event.appointment === undefined ? {} : { appointment: appointmentOf(event, event.appointment, wallOf) }),
  };
}

/**
 * Returns the identity of an event: the source and its id. A later event with the same `uid` is the same appointment as
 * it is now. A file dropped by hand cannot replace what a source handed in.
 */
export function makeIdentity({ source, event }: FiledEvent, wallOf: Surroundings['wallOf']): Identity {
  const { id, time, appointment } = event;
  const by = source ?? '-';
  if (appointment === undefined) return { key: `event ${by} ${id}`, version: '', otherwise: 'other' };
  const changed = time === undefined ? null : Date.parse(time);
  const { status, start } = appointmentOf(event, appointment, wallOf);
  const version = formatVersion({ sequence: 0, changed, status, start });
  return { key: `event-appointment ${by} ${appointment.uid ?? id}`, version, otherwise: 'newer' };
}

function authorOf({ source, event: { from } }: FiledEvent): Author {
  if (source === null) return from === undefined ? NOBODY_NAMED : identifiedAuthor(from, NO_SOURCE, from);
  return identifiedAuthor(from ?? source, source, from ?? null);
}

function paymentOf(event: GenericEvent, payment: NonNullable<GenericEvent['payment']>): Payment {
  const { account, status, date, amount, currency, counterparty, iban, reference } = payment;
  return {
    account: account ?? null,
    status,
    day: date,
    currency,
    counterparty: counterparty ?? event.from ?? null,
    // The schema ensures that it is there.
    amount: parseDecimal(String(amount), currency) ?? '0',
    iban: parseIban(iban ?? ''),
    references: reference === undefined ? [] : [reference],
    purpose: [...new Set([event.title, event.text.trim()])].filter((words) => words !== '').join('\n'),
  };
}

function appointmentOf(
  { id }: GenericEvent,
  { start, end, cancelled, uid }: NonNullable<GenericEvent['appointment']>,
  wallOf: Surroundings['wallOf'],
): Appointment {
  const local = (written: string) => (written.length === DAY ? written : wallOf(Date.parse(written)));
  return {
    uid: oneLine(uid ?? id, MAX_SUBJECT),
    recurrence: null,
    status: cancelled ? 'cancelled' : 'confirmed',
    start: local(start),
    end: end === undefined ? null : local(end),
    movedFrom: null,
    location: null,
  };
}

function momentOf({ time }: GenericEvent): string | null {
  return time === undefined ? null : utc(Date.parse(time));
}

/** A file that a person drops speaks for no channel, in any folder. */
const DROPPED_FILE = 'other';

/**
 * Reads an event in the form in which programs hand them in. Only what carries the program's mark, under that very name,
 * speaks as the source that handed it in.
 */
export function readFiled(seal: Seal, file: string, bytes: Buffer, { sourceType }: MailContext): ParsedMail {
  const filed = readGeneric(bytes, file, seal);
  if (typeof filed === 'string') return { ok: false, trouble: unreadable(file, filed) };
  const surroundings = { file, sourceType: filed.source === null ? DROPPED_FILE : sourceType, wallOf };
  return { ok: true, event: readFiledEvent(filed, surroundings), identity: makeIdentity(filed, wallOf) };
}

function wallOf(moment: number): string {
  return localTime(moment).slice(0, 16);
}

function unreadable(file: string, message: string) {
  const hint = 'It stays where it is. docs/programs.md lists the fields of an event.';
  return diagnostic({ code: 'event-unreadable', file, message, hint });
}
