import type { StreamEvent } from '../steward/ports/stream-event.ts';
import { oneLine } from './mail/plain-text.ts';

/** The event to read, with a believable time or none; or why it is not read. */
type Admission = { readonly ok: true; readonly event: StreamEvent } | { readonly ok: false; readonly reason: string };

const DAY_MS = 86_400_000;
/** The vault's owner has long since dealt with older mail. */
const MAX_AGE_DAYS = 14;
/** Blanks that somebody forgot to fill in. Such a mail is about nobody, so it is not about the reader. */
const BLANKS =
  /\{\{[^{}\n]{1,40}\}\}|\$\{[^{}\n]{1,40}\}|<<[^<>\n]{1,40}>>|\[(?:(?:YOUR|FIRST|LAST|FULL|CUSTOMER|CLIENT|INVOICE|DUE)[ _])?(?:NAME|AMOUNT|DATE|ADDRESS|NUMBER|BETRAG|DATUM|NOM|MONTANT|NOMBRE|IMPORTE|FECHA|NAAM|BEDRAG|NOME|IMPORTO)\]/;

/** Decides whether rules or a model read an event. They read no bulk mail, old mail, unfilled template or own note. */
export function admitted(event: StreamEvent, now: Date): Admission {
  const reason = refusalOf(event, now);
  return reason === null ? { ok: true, event: withBelievableTime(event, now) } : { ok: false, reason };
}

function refusalOf(event: StreamEvent, now: Date): string | null {
  if (event.ownNote) return "the vault's own note";
  if (event.bulk) return `bulk mail: ${oneLine(event.bulkReason ?? 'sent to many', 60)}`;
  const blank = BLANKS.exec(`${event.subject}\n${event.text}`)?.[0];
  if (blank !== undefined) return `a template whose blanks are not filled in: ${oneLine(blank, 40)}`;
  return isPast(event, now) ? `older than ${MAX_AGE_DAYS} days` : null;
}

/** Whether an event is so old that it is never looked into again. */
export function isPast({ originAt }: StreamEvent, now: Date): boolean {
  const age = originAt === null ? 0 : (now.getTime() - Date.parse(originAt)) / DAY_MS;
  return age > MAX_AGE_DAYS;
}

/** A time more than a day in the future is a wrong clock or a forged header, so no date is counted from it. */
function withBelievableTime(event: StreamEvent, now: Date): StreamEvent {
  const time = event.originAt === null ? Number.NaN : Date.parse(event.originAt);
  const isBelievable = !Number.isNaN(time) && time - now.getTime() <= DAY_MS;
  return isBelievable ? event : { ...event, originAt: null };
}
