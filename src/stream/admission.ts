import type { Appointment, StreamEvent } from '../steward/ports.ts';
import { oneLine } from './mail/plain-text.ts';
import { isNotification, mayBeNotification } from './rules-forms.ts';

/** The event to read, with a believable time or none; or why it is not read. */
type Admission = { readonly ok: true; readonly event: StreamEvent } | { readonly ok: false; readonly reason: string };

const DAY_MS = 86_400_000;
/** The vault's owner has long since dealt with older mail. */
const MAX_AGE_DAYS = 14;
/** What a calendar has so far ahead is not worth a note yet. */
const MAX_YEARS_AHEAD = 2;
/** A bank's statement is fetched by the month, or by the quarter. */
const MAX_AGE_DAYS_OF_PAYMENTS = 100;
/** Blanks that somebody forgot to fill in. Such a mail is about nobody, so it is not about the reader. */
const BLANKS =
  /\{\{[^{}\n]{1,40}\}\}|\$\{[^{}\n]{1,40}\}|<<[^<>\n]{1,40}>>|\[(?:(?:YOUR|FIRST|LAST|FULL|CUSTOMER|CLIENT|INVOICE|DUE)[ _])?(?:NAME|AMOUNT|DATE|ADDRESS|NUMBER|BETRAG|DATUM|NOM|MONTANT|NOMBRE|IMPORTE|FECHA|NAAM|BEDRAG|NOME|IMPORTO)\]/;

/**
 * Decides whether rules or a model read an event. They read no old mail, unfilled template or own note, and of bulk mail only
 * notifications: what is about an order, an invoice or a booking of the reader's own.
 */
export function admitted(event: StreamEvent, now: Date): Admission {
  const reason = refusalOf(event, now);
  return reason === null ? { ok: true, event: withDoubt(withBelievableTime(event, now)) } : { ok: false, reason };
}

/** Returns whether a mail is looked into by its headers, or may be by what stands below them. */
export function mayBeAdmitted(event: StreamEvent, now: Date): boolean {
  return admitted(mayBeNotification(event) ? { ...event, bulk: false } : event, now).ok;
}

function refusalOf(event: StreamEvent, now: Date): string | null {
  if (event.ownNote) return "the vault's own note";
  const machine = oneLine(event.bulkReason ?? 'sent to many', 60);
  if (event.bulk && !isNotification(event)) return event.spoken === undefined ? `bulk mail: ${machine}` : machine;
  const blank = BLANKS.exec(`${event.subject}\n${event.text}`)?.[0];
  if (blank !== undefined) return `a template whose blanks are not filled in: ${oneLine(blank, 40)}`;
  if (isPast(event, now)) return pastWords(event);
  return event.appointment === undefined ? null : tooFarAhead(event.appointment, now);
}

function pastWords(event: StreamEvent): string {
  return event.appointment === undefined
    ? `older than ${mostDays(event)} days`
    : `over since more than ${MAX_AGE_DAYS} days`;
}

/**
 * Whether an event lies so far back that it is never looked into again. What counts of an appointment is when it takes
 * place, not when it was written into a calendar.
 */
export function isPast(event: StreamEvent, now: Date): boolean {
  const { appointment, originAt } = event;
  const at = appointment === undefined ? originAt : (appointment.end ?? appointment.start);
  return at !== null && (now.getTime() - Date.parse(at)) / DAY_MS > mostDays(event);
}

function mostDays({ payment }: StreamEvent): number {
  return payment === undefined ? MAX_AGE_DAYS : MAX_AGE_DAYS_OF_PAYMENTS;
}

function tooFarAhead({ start }: Appointment, now: Date): string | null {
  const ahead = (Date.parse(start) - now.getTime()) / DAY_MS;
  return ahead > MAX_YEARS_AHEAD * 365.25 ? `more than ${MAX_YEARS_AHEAD} years ahead` : null;
}

/** Whoever sends to many may be right about all of them but this one. */
function withDoubt(event: StreamEvent): StreamEvent {
  if (!event.bulk) return event;
  const doubt = `A machine sent it, perhaps to many (${oneLine(event.bulkReason ?? '', 60)}).`;
  return { ...event, doubts: [...event.doubts, doubt] };
}

/** A time more than a day in the future is a wrong clock or a forged header, so no date is counted from it. */
function withBelievableTime(event: StreamEvent, now: Date): StreamEvent {
  const time = event.originAt === null ? Number.NaN : Date.parse(event.originAt);
  const isBelievable = !Number.isNaN(time) && time - now.getTime() <= DAY_MS;
  return isBelievable ? event : { ...event, originAt: null };
}
