import { type MailDoor, openMail, type ParsedMail } from '../mail/mail.ts';
import { calendarParts } from '../mail/parts/calendar-parts.ts';
import { appointmentsIn } from './calendar-part.ts';

/** Parses one mail with the appointments that it carries. Never throws for what is wrong with the mail itself. */
export async function readMailFile(path: string, bytes: Uint8Array, door: MailDoor): Promise<ParsedMail> {
  const { sourceType, trustedServers, calendar } = door;
  const read = await openMail(path, bytes, door);
  if (!read.ok) return read;
  const { event, identity } = read;
  if (calendar === undefined || calendarParts(read.mail).length === 0) return { ok: true, event, identity };
  // Loaded with the first invitation: its libraries take their time.
  const { readCalendar } = await import('../calendar/calendar-reader.ts');
  const within = await appointmentsIn(read, readCalendar, { file: path, sourceType, trustedServers, ...calendar });
  return { ok: true, event, identity, ...(within.length === 0 ? {} : { within }) };
}

/** Whether a mail may carry an appointment, by its bytes alone. */
export function mayCarryCalendar(bytes: Buffer): boolean {
  return /text\/calendar|application\/ics|\.ics\b/i.test(bytes.toString('latin1'));
}
