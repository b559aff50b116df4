import { type ByteSource, type Item, type ItemContent, type ItemDoor, nothing, refused } from '../items/item.ts';
import { parseMail } from '../mail/mail.ts';
import { MAX_MAIL_BYTES } from '../mail/source-type.ts';
import { isPostmark, LOOKED_AT } from './postmark.ts';
import { type Stretch, stretches } from './splitting.ts';
import { unquoted } from './unquoted.ts';

/**
 * A mailbox is one text: where its program does not quote, a sender can write a whole mail into the body of another, with the
 * words of any server. So no server vouches for a mail of a mailbox.
 */
const NONE: readonly string[] = [];

/** Reads the mails of a mailbox, one after the other. Of each, only what `read` is asked for is in memory. */
export function* readMailbox(source: ByteSource, from: number, door: ItemDoor): Generator<Item> {
  let number = 0;
  for (const stretch of stretches(source, from)) {
    number += 1;
    // Whoever reads on from the middle does not know how many mails lie before.
    const place = from === 0 ? `message ${number}, at byte ${stretch.at}` : `message at byte ${stretch.at}`;
    yield { ...stretch, place, read: () => contentOf(source, stretch, door) };
  }
}

async function contentOf(source: ByteSource, { at, next }: Stretch, door: ItemDoor): Promise<ItemContent> {
  if (next - at > MAX_MAIL_BYTES) return refused(tooLarge(next - at));
  const bytes = source.read(at, next - at);
  if (!isPostmark(bytes.subarray(0, LOOKED_AT), bytes.length <= LOOKED_AT)) {
    return refused('No message begins here.');
  }
  const mail = mailIn(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const reason = whyNothing(mail);
  if (reason !== null) return nothing(reason);
  const parsed = await parseMail(door.file, unquoted(mail, bodyStart(mail)), { ...door, trustedServers: NONE });
  if (!parsed.ok) return refused(parsed.trouble.message);
  const doubts = holdsAnother(mail) ? [...parsed.event.doubts, ANOTHER] : parsed.event.doubts;
  return { what: 'event', event: { ...parsed.event, doubts }, identity: parsed.identity };
}

const ANOTHER = 'Another mail seems to begin inside of it, without a blank line above.';

/** Whether what could be the beginning of another mail stands in it: whose words are read is not sure then. */
function holdsAnother(mail: Buffer): boolean {
  for (let at = mail.indexOf('\nFrom '); at >= 0; at = mail.indexOf('\nFrom ', at + 1))
    if (isPostmark(mail.subarray(at + 1, at + 1 + LOOKED_AT), at + 1 + LOOKED_AT >= mail.length)) return true;
  return false;
}

/**
 * The mail below its postmark, and below the postmarks of hosts before that some programs keep, without the blank line that
 * stands between it and the next.
 */
function mailIn(bytes: Buffer): Buffer {
  let at = afterLine(bytes, 0);
  while (bytes.subarray(at, at + 6).toString('latin1') === '>From ') at = afterLine(bytes, at);
  const [blank = ''] = /(?<=\n)\r?\n$/.exec(bytes.subarray(-3).toString('latin1')) ?? [];
  return bytes.subarray(at, Math.max(at, bytes.length - blank.length));
}

function afterLine(bytes: Buffer, at: number): number {
  const end = bytes.indexOf(0x0a, at);
  return end < 0 ? bytes.length : end + 1;
}

function bodyStart(mail: Buffer): number {
  const [lf, crlf] = [mail.indexOf('\n\n'), mail.indexOf('\n\r\n')];
  const ends = [lf < 0 ? mail.length : lf + 2, crlf < 0 ? mail.length : crlf + 3];
  return Math.min(...ends);
}

/** What Thunderbird writes above a mail; the fourth bit: it was deleted, or moved to another folder. */
const STATUS = /^(?:X-(?:Account-Key|UIDL): [^\r\n]{0,200}\r?\n){0,2}X-Mozilla-Status: [\dA-F]{3}([\dA-F])\r?\n/;
const IS_GONE = 0x8;
/** What some servers keep at the beginning of a mailbox for themselves. */
const INTERNAL = /^Subject: DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA\r?$/m;
const KEPT_BY_SERVER = /^X-IMAP(?:base)?:/m;

/** Returns why there is no mail for anybody here; null where there is one. */
function whyNothing(mail: Buffer): string | null {
  const head = mail.subarray(0, LOOKED_AT).toString('latin1');
  if (head.trim() === '' && mail.length <= LOOKED_AT) return 'The message is empty.';
  const status = STATUS.exec(head)?.[1];
  if (status !== undefined && (Number.parseInt(status, 16) & IS_GONE) !== 0)
    return 'It was deleted or moved in the mail program.';
  return INTERNAL.test(head) && KEPT_BY_SERVER.test(head) ? 'It is a note of the mail server to itself.' : null;
}

function tooLarge(size: number): string {
  const mib = (size / 1024 / 1024).toFixed(1);
  return `The mail has ${mib} MiB; at most ${MAX_MAIL_BYTES / 1024 / 1024} MiB are read.`;
}
