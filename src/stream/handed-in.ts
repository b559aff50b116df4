import { type Appointment, NOT_VOUCHED, type Payment, type StreamEvent } from '../steward/ports.ts';
import { ibanOf } from '../vault/source-names.ts';
import { utc } from '../vault/time.ts';
import { paymentEvent } from './bank.ts';
import { decimalOf } from './bank-money.ts';
import { versionOf } from './calendar-revision.ts';
import { type Author, identifiedAuthor, NOBODY_NAMED } from './chats/author.ts';
import type { FiledEvent, GenericEvent } from './generic.ts';
import type { Identity } from './items.ts';
import { cutAt, oneLine, plainText } from './mail/plain-text.ts';

const MAX_SUBJECT = 500;
const MAX_TEXT = 16_000;
/** Stands where the name of a source would: no source is called so, since it has blanks. */
const NO_SOURCE = 'a dropped file';
/** A file that a bank made says more than one that anybody writes in a minute. */
const DROPPED = 'Its file was handed in by no source, and made by no bank.';
const DAY = 10;

/** Where an event was found, and how it is heard. */
interface Surroundings {
  readonly file: string;
  /** The channel in which it speaks. */
  readonly sourceType: string;
  /** Returns what a clock on the person's wall shows at a moment (epoch ms): `YYYY-MM-DDTHH:mm`. */
  readonly wallOf: (moment: number) => string;
}

/**
 * Returns what was handed in as a stream event. Nobody vouches for `from`: the pattern is that name, in which no address is
 * recognised, with the source behind it.
 */
export function handedIn(filed: FiledEvent, { file, sourceType, wallOf }: Surroundings): StreamEvent {
  const { source, event } = filed;
  const handed = { handed: { source } };
  if (event.payment !== undefined) {
    const door = { file, sourceType, trustedServers: [], zone: 'UTC', now: 0 };
    const doubts = source === null ? [DROPPED] : [];
    return { ...paymentEvent(paymentOf(event, event.payment), door, momentOf(event)), ...handed, doubts };
  }
  const { id: from, name: fromName } = authorOf(filed);
  return {
    ...{ path: file, sourceType, originAt: momentOf(event), from, fromName, to: [] },
    ...{ subject: oneLine(event.title, MAX_SUBJECT), text: cutAt(plainText(event.text).trim(), MAX_TEXT), quoted: '' },
    ...{ bulk: false, bulkReason: null, ownNote: false, authentication: NOT_VOUCHED },
    ...{ warnings: [], shown: null, doubts: [], ...handed },
    ...(event.appointment === undefined ? {} : { appointment: appointmentOf(event, event.appointment, wallOf) }),
  };
}

/**
 * Returns what makes an event one and the same: the source and its id. A later event with the same `uid` is the same
 * appointment as it is now. What was dropped by hand cannot take the place of what a source handed in.
 */
export function identityOf({ source, event }: FiledEvent, wallOf: Surroundings['wallOf']): Identity {
  const { id, time, appointment } = event;
  const by = source ?? '-';
  if (appointment === undefined) return { key: `event ${by} ${id}`, version: '', otherwise: 'other' };
  const changed = time === undefined ? null : Date.parse(time);
  const { status, start } = appointmentOf(event, appointment, wallOf);
  const version = versionOf({ sequence: 0, changed, status, start });
  return { key: `event-appointment ${by} ${appointment.uid ?? id}`, version, otherwise: 'newer' };
}

function authorOf({ source, event: { from } }: FiledEvent): Author {
  if (source === null) return from === undefined ? NOBODY_NAMED : identifiedAuthor(from, NO_SOURCE, from);
  return identifiedAuthor(from ?? source, source, from ?? null);
}

function paymentOf(event: GenericEvent, payment: NonNullable<GenericEvent['payment']>): Payment {
  const { account, status, date, amount, currency, counterparty, iban, reference } = payment;
  return {
    ...{ account: account ?? null, status, day: date, currency, counterparty: counterparty ?? event.from ?? null },
    // The schema holds that there is one.
    amount: decimalOf(String(amount), currency) ?? '0',
    iban: ibanOf(iban ?? ''),
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
    ...{ uid: oneLine(uid ?? id, MAX_SUBJECT), recurrence: null, status: cancelled ? 'cancelled' : 'confirmed' },
    ...{ start: local(start), end: end === undefined ? null : local(end), movedFrom: null, location: null },
  };
}

function momentOf({ time }: GenericEvent): string | null {
  return time === undefined ? null : utc(Date.parse(time));
}
