import PostalMime, { type Address, addressParser, type Email } from 'postal-mime';
import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import { type Diagnostic, diagnostic, reasonOf } from '../../vault/errors.ts';
import type { Carried } from '../items/item.ts';
import { versionDoubt } from '../mime/versions.ts';
import { authenticationOf } from './authentication.ts';
import { type Body, bodyOf } from './body.ts';
import { mailTime } from './header/date-header.ts';
import { mailIdentity } from './identity/mail-identity.ts';
import { ownWords } from './own-words.ts';
import { cutAt, oneLine } from './plain-text.ts';
import { warningsOf } from './sender-warnings.ts';
import { MAX_MAIL_BYTES } from './source-type.ts';
import { spamMark } from './spam-marks.ts';

const MAX_BODY_CHARACTERS = 16_000;
const MAX_SUBJECT_CHARACTERS = 500;
const MAX_RECIPIENTS = 100;
const MAIL_HEADERS = new Set(['from', 'to', 'subject', 'date', 'message-id', 'received', 'return-path']);

/** By which door a mail comes in: the source type of its folder, and the servers that are trusted to say who sent it. */
export interface MailDoor {
  readonly sourceType: string;
  /** The names by which they sign `Authentication-Results`, as the settings list them. */
  readonly trustedServers: readonly string[];
  /** Of the text of a mail: what the whole mail says, as a hash. Absent of a whole mail. */
  readonly whole?: string | undefined;
  /** The person's zone, by its IANA name, and now (epoch ms): with them its appointments are read. Absent where they are not. */
  readonly calendar?: { readonly zone: string; readonly now: number } | undefined;
}

export type ParsedMail =
  | (Carried & {
      readonly ok: true;
      /** The appointments that it carries; absent where it has none. */
      readonly within?: readonly Carried[];
    })
  | { readonly ok: false; readonly trouble: Diagnostic };

/** A mail with all that was read of it on the way to its event. */
export type OpenedMail =
  | (Extract<ParsedMail, { ok: true }> & { readonly mail: Email; readonly body: Body })
  | Extract<ParsedMail, { ok: false }>;

/** Parses one mail, as an `.eml` file or a mailbox holds it. Returns the mail, or what is wrong with the file; never throws, whatever the bytes are. */
export async function parseMail(path: string, bytes: Uint8Array, door: MailDoor): Promise<ParsedMail> {
  const read = await openMail(path, bytes, door);
  return read.ok ? { ok: true, event: read.event, identity: read.identity } : read;
}

/** Does the same, and returns the headers and the body as well. */
export async function openMail(path: string, bytes: Uint8Array, door: MailDoor): Promise<OpenedMail> {
  const refusal = refusalOf(path, bytes);
  if (refusal !== null) return { ok: false, trouble: refusal };
  try {
    // A forwarded mail is somebody else's words, so it stays an attachment and is not joined to the body.
    const mail = await PostalMime.parse(bytes, { forceRfc822Attachments: true, maxNestingDepth: 50 });
    if (!isMail(mail)) return { ok: false, trouble: unreadable(path, 'it has none of the headers a mail has') };
    const body = bodyWith(mail, versionDoubt(bytes));
    const event = eventOf(path, mail, door, body);
    return { ok: true, event, identity: mailIdentity(mail, event, door.whole), mail, body };
  } catch (error) {
    return { ok: false, trouble: unreadable(path, oneLine(reasonOf(error), 120)) };
  }
}

function refusalOf(path: string, bytes: Uint8Array): Diagnostic | null {
  if (bytes.length > MAX_MAIL_BYTES) return tooLarge(path, bytes.length);
  if (bytes.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d))) return empty(path);
  // No header has a NUL. A file with one in its first bytes is an archive, a picture, or only partly synced.
  return bytes.subarray(0, 512).includes(0) ? unreadable(path, 'it is a binary file') : null;
}

function isMail(mail: Email): boolean {
  return mail.headers.some((header) => MAIL_HEADERS.has(header.key) && header.value.trim() !== '');
}

function bodyWith(mail: Email, version: string | null): Body {
  const read = bodyOf(mail);
  return version === null ? read : { ...read, doubts: [version, ...read.doubts] };
}

function eventOf(path: string, mail: Email, { sourceType, trustedServers }: MailDoor, body: Body): StreamEvent {
  const { text, quoted } = ownWords(body.text);
  const from = senderOf(mail);
  const bulkReason = bulkReasonOf(mail);
  return {
    path,
    sourceType,
    ...mailTime(headerOf(mail, 'date')),
    from: from?.address ?? null,
    fromName: from?.name ?? null,
    to: recipientsOf(mail),
    subject: oneLine(mail.subject ?? '', MAX_SUBJECT_CHARACTERS),
    text: cutAtLine(text),
    quoted: cutAtLine(quoted),
    bulk: bulkReason !== null,
    bulkReason,
    ownNote: false,
    authentication: authenticationOf(mail.headers, from?.address ?? null, trustedServers),
    warnings: warningsOf({ from: from?.address ?? null, mail, contradicts: body.contradicts }),
    shown: body.shown,
    doubts: doubtsOf(mail, body),
    ...(body.forms === null ? {} : { forms: body.forms }),
  };
}

/** Returns why nothing is to be done on the word of a mail alone, a sentence each. */
function doubtsOf(mail: Email, body: Body): readonly string[] {
  const mark = spamMark(mail.headers);
  return [
    ...(mark === null ? [] : [`${mark}.`]),
    ...(body.contradicts ? ['The plain text and the HTML of this mail say different things.'] : []),
    ...body.doubts.map((why) => `The mail may not be seen as it is read: ${why}.`),
  ];
}

/** Cuts between lines where it can, so that half a sentence is not read as a whole one. */
function cutAtLine(text: string): string {
  if (text.length <= MAX_BODY_CHARACTERS) return text;
  const cut = cutAt(text, MAX_BODY_CHARACTERS);
  const lineEnd = cut.lastIndexOf('\n');
  return lineEnd > MAX_BODY_CHARACTERS / 2 ? cut.slice(0, lineEnd) : cut;
}

/** Returns null where the mail names more than one sender: a forger could choose which one is read. */
function senderOf(mail: Email): { address: string; name: string | null } | null {
  const senders = mail.headers.filter(({ key }) => key === 'from').flatMap(({ value }) => addressParser(value));
  const from = mail.from;
  if (senders.length !== 1 || from?.address === undefined) return null;
  const address = bareAddress(from.address);
  const name = oneLine(from.name, 200);
  return address === null ? null : { address, name: name === '' ? null : name };
}

function recipientsOf(mail: Email): readonly string[] {
  const addresses = [...(mail.to ?? []), ...(mail.cc ?? [])].slice(0, MAX_RECIPIENTS).flatMap(mailboxes);
  const bare = addresses.map(bareAddress).filter((address) => address !== null);
  return [...new Set(bare)].slice(0, MAX_RECIPIENTS);
}

function mailboxes(address: Address): string[] {
  return address.group === undefined ? [address.address] : address.group.map((member) => member.address);
}

/** Null also where an address has letters that nobody sees, or that a note would render as a link or as code. */
function bareAddress(address: string): string | null {
  const folded = address.normalize('NFC').trim().toLowerCase();
  return /^[^\s\p{C}@<>"(),;:[\]\\`|]{1,64}@[^\s\p{C}@<>"(),;:[\]\\`|]{1,255}$/u.test(folded) ? folded : null;
}

/** An automatic reply is one whatever else it says it is. */
function bulkReasonOf(mail: Email): string | null {
  const auto = /^[\w-]+/.exec(headerOf(mail, 'auto-submitted'))?.[0]?.toLowerCase() ?? 'no';
  if (auto === 'auto-replied') return 'Auto-Submitted: auto-replied';
  if (headerOf(mail, 'x-autoreply') !== '' || headerOf(mail, 'x-autorespond') !== '') return 'X-Autoreply';
  const precedence = /^(?:bulk|list|junk)\b/i.exec(headerOf(mail, 'precedence'))?.[0]?.toLowerCase();
  if (precedence === 'list' || precedence === 'junk') return `Precedence: ${precedence}`;
  if (headerOf(mail, 'list-unsubscribe') !== '') return 'List-Unsubscribe';
  if (headerOf(mail, 'list-id') !== '') return 'List-Id';
  if (precedence !== undefined) return `Precedence: ${precedence}`;
  return auto === 'no' ? null : `Auto-Submitted: ${auto.slice(0, 40)}`;
}

function headerOf(mail: Email, key: string): string {
  return mail.headers.find((header) => header.key === key)?.value.trim() ?? '';
}

function empty(path: string): Diagnostic {
  return diagnostic({
    code: 'mail-empty',
    file: path,
    message: 'The mail is empty.',
    hint: 'A mail that is still syncing is read once it is whole; otherwise export it again, or delete it.',
  });
}

function tooLarge(path: string, size: number): Diagnostic {
  return diagnostic({
    code: 'mail-too-large',
    file: path,
    message: `The mail has ${(size / 1024 / 1024).toFixed(1)} MiB; the steward reads up to 10 MiB.`,
    hint: 'Save it without its attachments.',
  });
}

function unreadable(path: string, reason: string): Diagnostic {
  return diagnostic({
    code: 'mail-unreadable',
    file: path,
    message: `The file cannot be read as a mail: ${reason}.`,
    hint: 'Export it from the mail program as .eml, with its headers.',
  });
}
