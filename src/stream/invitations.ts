import type { Email } from 'postal-mime';
import type { StreamEvent } from '../steward/ports.ts';
import { type Carried, FileRefusal, type ItemDoor, type ItemReader } from './items.ts';
import { calendarParts, type Part } from './mail-parts.ts';
import { type MailDoor, openMail, type ParsedMail } from './parse-mail.ts';

/** A mail of which the appointments are read. */
interface Bearer {
  readonly mail: Pick<Email, 'attachments'>;
  readonly event: StreamEvent;
}

/** Neither an invitation nor what cancels one: an answer to the organiser. */
const ANSWERS = /^(?:REPLY|COUNTER|DECLINECOUNTER|REFRESH)$/;
const MOST_BYTES = 256 * 1024;
const MOST_APPOINTMENTS = 20;

/**
 * Returns the appointments that a mail carries, each once, at most twenty. They are what they would be in a calendar file.
 * `read` is the calendar reader.
 */
function appointmentsIn(bearer: Bearer, read: ItemReader, door: ItemDoor): Promise<readonly Carried[]> {
  const parts = calendarParts(bearer.mail).filter(({ method }) => !ANSWERS.test(method ?? ''));
  return gathered(parts, bearer.event, read, door);
}

async function gathered(
  parts: readonly Part[],
  mail: StreamEvent,
  read: ItemReader,
  door: ItemDoor,
): Promise<readonly Carried[]> {
  const found = new Map<string, Carried>();
  for (const part of parts) {
    for await (const carried of entriesOf(bytesOf(part), read, door)) {
      const mine = borne(carried, mail);
      found.set(`${mine.identity.key}\0${mine.identity.version}`, mine);
      if (found.size >= MOST_APPOINTMENTS) return [...found.values()];
    }
  }
  return [...found.values()];
}

/** What cannot be read of a calendar makes the mail that carries it no less a mail. */
async function* entriesOf(bytes: Uint8Array, read: ItemReader, door: ItemDoor): AsyncGenerator<Carried> {
  if (bytes.length > MOST_BYTES) return;
  const source = { size: bytes.length, read: (at: number, length: number) => bytes.subarray(at, at + length) };
  try {
    for await (const item of read(source, 0, door)) {
      const content = await item.read();
      if (content.what === 'event') yield { event: content.event, identity: content.identity };
    }
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
  }
}

/**
 * The appointment with what is to be said against the mail that brought it. Its name is its sender's own: whoever knows the
 * UID of another's appointment could else keep the later versions of that from being read.
 */
function borne({ event, identity }: Carried, mail: StreamEvent): Carried {
  const { result } = mail.authentication;
  return {
    event: {
      ...event,
      originAt: event.originAt ?? mail.originAt,
      warnings: [...mail.warnings, ...event.warnings],
      doubts: [...mail.doubts, ...event.doubts],
    },
    identity: { ...identity, key: `${identity.key} of ${result} ${mail.from ?? ''}`, inCalendar: identity.key },
  };
}

function bytesOf({ content }: Part): Uint8Array {
  if (typeof content === 'string') return new TextEncoder().encode(content);
  return content instanceof Uint8Array ? content : new Uint8Array(content);
}

/** Parses one mail with the appointments that it carries. Never throws for what is wrong with the mail itself. */
export async function readMailFile(path: string, bytes: Uint8Array, door: MailDoor): Promise<ParsedMail> {
  const { sourceType, trustedServers, calendar } = door;
  const read = await openMail(path, bytes, door);
  if (!read.ok) return read;
  const { event, identity } = read;
  if (calendar === undefined || calendarParts(read.mail).length === 0) return { ok: true, event, identity };
  // Loaded with the first invitation: its libraries take their time.
  const { readCalendar } = await import('./calendar-reader.ts');
  const within = await appointmentsIn(read, readCalendar, { file: path, sourceType, trustedServers, ...calendar });
  return { ok: true, event, identity, ...(within.length === 0 ? {} : { within }) };
}

/** Whether a mail may carry an appointment, by its bytes alone. */
export function mayCarryCalendar(bytes: Buffer): boolean {
  return /text\/calendar|application\/ics|\.ics\b/i.test(bytes.toString('latin1'));
}
