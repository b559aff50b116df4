import { isDeepStrictEqual } from 'node:util';
import PostalMime, { type Address, addressParser, type Email } from 'postal-mime';
import {
  hasReplyMark,
  type MailThread,
  type OwnWords,
  repeatsCarriedSubject,
  separateOwnWords,
} from '../reading/own-words.ts';
import { stemmedWords } from '../reading/text.ts';
import { type Authentication, type Forms, NOT_VOUCHED, type StreamEvent } from '../steward/types.ts';
import { type Diagnostic, diagnostic, errorReason } from '../vault/errors.ts';
import { cutAt, oneLine, plainText, sha256 } from '../vault/note-text.ts';
import { SENT } from '../vault/source-names.ts';
import { utc } from '../vault/time.ts';
import { parseForms } from './mail-forms.ts';
import { parseDocument, readTree } from './mail-html.ts';
import { readableMail, type UnreadMail, unreadInMail, versionDoubt, withoutEnd, withoutPgp } from './mail-parts.ts';
import {
  type Header,
  isOfDelivery,
  listSenderWarnings,
  readAuthentication,
  readAuthenticationResults,
  sentAuthentication,
} from './mail-sender.ts';
import {
  FileRefusal,
  type IdentifiedEvent,
  type Identity,
  type ItemReader,
  MAX_MAIL_BYTES,
  type ReadContext,
} from './stream.ts';

/** When a mail says that it was written. */
interface MailTime {
  /** UTC, ISO with `Z`, to the second; null if the header gives no usable time. */
  readonly originAt: string | null;
  /** As the writer's clock showed it: `YYYY-MM-DDTHH:mm`; absent if the header names no zone by its hours. */
  readonly writtenAt?: string;
}

const MINUTE_MS = 60_000;
const OFFSET = /(?<sign>[+-])(?<hours>\d{2}):?(?<minutes>\d{2})$/;
const MOST_OFFSET_MINUTES = 14 * 60;

/** Returns the time in a mail's own header. Without a zone it is read as UTC, so that no machine reads it differently. */
function mailTime(header: string): MailTime {
  const raw = header.replace(/\([^()]*\)/g, ' ').trim();
  const hasZone = /(?:[+-]\d{2}:?\d{2}|\b[A-Z]{1,4}|Z)$/i.test(raw) && !/\b(?:am|pm)$/i.test(raw);
  const time = Date.parse(hasZone ? raw : `${raw} UTC`);
  const year = Number.isNaN(time) ? 0 : new Date(time).getUTCFullYear();
  if (year < 1970 || year > 9999) return { originAt: null };
  const minutes = offsetIn(raw);
  if (minutes === null || minutes === 0) return { originAt: utc(time) };
  return { originAt: utc(time), writtenAt: new Date(time + minutes * MINUTE_MS).toISOString().slice(0, 16) };
}

function offsetIn(raw: string): number | null {
  const { sign, hours, minutes } = OFFSET.exec(raw)?.groups ?? {};
  if (sign === undefined) return null;
  const size = Number(hours) * 60 + Number(minutes);
  return size > MOST_OFFSET_MINUTES ? null : sign === '-' ? -size : size;
}

/** How much of a text distinguishes mails: the rest is not read. */
const MAX_TEXT = 1_000_000;

type Read = Pick<StreamEvent, 'from' | 'originAt' | 'subject' | 'bulk' | 'sourceType'>;

/**
 * Returns the identity of a mail, however it comes in: its Message-ID, and a hash of all that its author wrote and that
 * decides how it is read. The hash ignores what servers and mail programs add or change: their headers, line ends,
 * encodings, blanks at the ends of lines. Without a usable Message-ID the hash is its name. A mail to many is never the
 * same as one to a single person. It is looked into for less, so a copy that only says it is from a list would
 * otherwise keep the mail itself from being read. `whole` is the hash of a mail of which this is only the text.
 */
function mailIdentity(mail: Email, read: Read, whole?: string): Identity {
  const said = whole ?? hashOfWords(mail, read);
  // A mail to oneself is two: what arrives is nobody's word by itself, and must not keep the user's own from being read.
  const kind = read.sourceType === SENT ? 'sent mail' : read.bulk ? 'mail to many' : 'mail';
  const id = messageId(mail);
  return { key: `${kind} ${id ?? said}`, version: id === null ? '' : said, otherwise: 'other' };
}

/** Returns the hash of all that a mail says, from its identity. */
function saidIn({ key, version }: Identity): string {
  return version === '' ? key.slice(key.lastIndexOf(' ') + 1) : version;
}

function hashOfWords(mail: Email, { from, originAt, subject }: Read): string {
  const parts = [comparedText(mail.text), comparedText(mail.html), ...mail.attachments.map(hashOf)];
  return sha256(JSON.stringify([from, originAt, subject, ...parts]));
}

/**
 * Returns the Message-ID, its domain in lower case; null if a mail has no id, several, or one that no program writes.
 */
function messageId({ headers }: Email): string | null {
  const [only, ...more] = headers.filter(({ key }) => key === 'message-id');
  const [, local, domain] = /^<?([^\s\p{C}<>]{1,900})@([^\s\p{C}<>@]{1,255})>?$/u.exec(only?.value.trim() ?? '') ?? [];
  return more.length > 0 || local === undefined || domain === undefined ? null : `<${local}@${domain.toLowerCase()}>`;
}

/** The lines of a text without what a program that saves it may change. How a line begins says whether it is a quotation. */
function comparedText(text = ''): string {
  const lines = cutAt(text, MAX_TEXT).split(/\r\n|\n|\r/);
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

function hashOf({ content }: Email['attachments'][number]): string {
  return sha256(content instanceof ArrayBuffer ? new Uint8Array(content) : content);
}

/** The text of a mail that is read, as a reader sees it. */
interface Body {
  readonly text: string;
  /** The text that its HTML shows, if there also is a plain part, which is the one that is read; else null. */
  readonly html: string | null;
  /** Whether its plain text and its HTML say different things. */
  readonly contradicts: boolean;
  /** What every reader of the HTML sees; null if that is all of the text. */
  readonly shown: string | null;
  /** Why a reader may not see it so, in a few words each. */
  readonly doubts: readonly string[];
  /** The HTML's statements outside its text; null if it has no such statements. */
  readonly forms: Forms | null;
}

/** How much of a body is read before its quoted history is removed. */
const MAX_RAW_BODY = 1_000_000;
/** Parts with fewer different words are too short to be compared. */
const FEW_WORDS = 4;
/** Parts that share no more of the words of the shorter one say different things. */
const HARDLY_ANY = 0.2;

/**
 * Returns the body of a mail: its plain part, else the text that its HTML shows. If there are both, lines of the plain
 * part that the HTML hides are left out.
 */
function bodyOf({ text = '', html = '' }: Pick<Email, 'text' | 'html'>): Body {
  const plain = plainText(cutAt(text, MAX_RAW_BODY));
  if (html.trim() === '') return { text: plain, html: null, contradicts: false, shown: null, doubts: [], forms: null };
  const whole = cutAt(html, MAX_RAW_BODY);
  const root = parseDocument(whole);
  const { seen, surelySeen, unseen, doubts } = readTree(root);
  const forms = parseForms(whole, root);
  const shown = plainText(seen);
  if (plain.trim() === '')
    return {
      text: shown,
      html: null,
      contradicts: false,
      shown: surelySeen === seen ? null : plainText(surelySeen),
      doubts,
      forms,
    };
  const isUnseen = onlyIn(plainText(unseen), shown);
  const read = plain.split('\n').filter((line) => !isUnseen(line));
  return {
    ...{ text: read.join('\n'), html: shown, contradicts: contradict(plain, shown) },
    ...{ shown: plainText(surelySeen), doubts, forms },
  };
}

/** Returns whether a line says what is only in the first of two texts. */
function onlyIn(one: string, other: string): (line: string) => boolean {
  const [phrases, others] = [phrasesOf(one), phrasesOf(other)];
  return (line) => {
    const said = phrases.size === 0 ? [] : [...phrasesOf(line)];
    return said.length > 0 && said.every((phrase) => phrases.has(phrase)) && said.some((phrase) => !others.has(phrase));
  };
}

function phrasesOf(text: string): ReadonlySet<string> {
  const words = stemmedWords(text);
  const runs = words.map((word, at) => [word, words[at + 1], words[at + 2]]);
  return new Set(
    runs.flatMap(([one, two, three]) =>
      [`${one}`, `${one} ${two}`, `${one} ${two} ${three}`].slice(
        0,
        1 + Number(two !== undefined) + Number(three !== undefined),
      ),
    ),
  );
}

function contradict(plain: string, shown: string): boolean {
  const [one, other] = [new Set(stemmedWords(plain)), new Set(stemmedWords(shown))];
  const least = Math.min(one.size, other.size);
  return least >= FEW_WORDS && one.intersection(other).size <= least * HARDLY_ANY;
}

/** How servers and filters say that a mail is spam or phishing: the header in lower case, and what it then says. */
const MARKS: readonly (readonly [header: RegExp, says: RegExp])[] = [
  [/^x-spam(?:-flag|-status|-report-flag)?$/, /^\s*(?:yes|true|1)\b/i],
  [/^x-spam-(?:level|bar)$|^x-spamd-bar$/, /^\s*[*+s]{5}/i],
  [/^x-(?:rspamd|spam)-action$/, /\b(?:reject|add[ _]header|rewrite[ _]subject|quarantine|discard)\b/i],
  [/^x-spamd-result$/, /^\s*\w+:\s*true\b/i],
  [/^x-forefront-antispam-report$/, /\bSFV:(?:SPM|SKS|SKB|BLK)\b|\bSCL:[5-9]\b/i],
  [
    /^x-forefront-antispam-report$/,
    /\bCAT:(?:SPM|HSPM|PHSH|HPHSH|HPHISH|MALW|SPOOF|[UDGB]IMP|OSPM|INTOS|FTBP|SAP|AMP)\b/i,
  ],
  [/^x-ms-exchange-organization-(?:scl|pcl)$/, /^\s*[5-9]\b/],
  [/^x-gm-(?:spam|phishy)$/, /^\s*1\b/],
  [
    /^x-(?:barracuda|mailscanner|proofpoint)-spam(?:-?status|-?check|-details)?$/,
    /^\s*(?:yes|spam)\b|\brule=(?:spam|phish)/i,
  ],
  [/^x-mailscanner-spamcheck$/, /^\s*spam\b/i],
  [/^x-(?:dspam-result|bogosity|crm114-status|vr-spamstate|spam-class)$/, /^\s*(?:spam|yes|bad)\b/i],
  [/^x-(?:virus-status|virus-scanned-result)$/, /^\s*(?:yes|infected)\b/i],
];
const METHODS = /^(?:compauth|x-(?:spam|phish)\w*)$/;

/**
 * Returns the mark of a mail as spam or phishing; null if it isn't marked. Anyone may have written the header: a forged
 * mark only makes the program more careful, and marks that say the opposite don't count.
 */
function spamMark(headers: readonly { readonly key: string; readonly value: string }[]): string | null {
  const marked = headers.find(({ key, value }) => {
    const said = cutAt(value, 2000);
    return MARKS.some(([header, says]) => header.test(key) && says.test(said)) || saysSo(key, said);
  });
  return marked === undefined ? null : `${marked.key} marks it as spam or phishing`;
}

/** Whether a header of this name, in lower case, may mark a mail as spam or phishing. */
function isSpamHeader(name: string): boolean {
  return MARKS.some(([header]) => header.test(name));
}

function saysSo(key: string, value: string): boolean {
  if (key !== 'authentication-results') return false;
  return (readAuthenticationResults(value)?.results ?? []).some(
    ({ method, result }) => METHODS.test(method) && /^(?:fail|yes|spam|phish)/.test(result),
  );
}

const MAX_BODY_CHARACTERS = 16_000;
const MAX_SUBJECT_CHARACTERS = 500;
const MAX_RECIPIENTS = 100;
const MAIL_HEADERS = new Set(['from', 'to', 'subject', 'date', 'message-id', 'received', 'return-path']);

/** By which door a mail comes in: the source type of its folder, and the servers that are trusted to say who sent it. */
export interface MailContext {
  readonly sourceType: string;
  /** The names by which they sign `Authentication-Results`, as the settings list them. */
  readonly trustedServers: readonly string[];
  /** For the text of a mail: the hash of the whole mail's words. Absent for a whole mail. */
  readonly whole?: string | undefined;
  /** The person's zone, by its IANA name, and now (epoch ms), to read its appointments. Absent if they aren't read. */
  readonly calendar?: { readonly zone: string; readonly now: number } | undefined;
  /** The source in whose folder of sent mails it was; absent of a mail that arrived. */
  readonly sentFolder?: string | undefined;
}

export type ParsedMail =
  | (IdentifiedEvent & {
      readonly ok: true;
      /** The appointments that it carries; absent if it carries no appointment. */
      readonly within?: readonly IdentifiedEvent[];
    })
  | { readonly ok: false; readonly trouble: Diagnostic };

/** A mail with all that was read of it on the way to its event. */
type OpenedMail =
  | (Extract<ParsedMail, { ok: true }> & {
      readonly mail: Email;
      readonly body: Body;
      readonly unread: UnreadMail | null;
    })
  | Extract<ParsedMail, { ok: false }>;

/**
 * Parses one mail, as an `.eml` file or a mailbox contains it. Returns the mail, or what is wrong with the file; never
 * throws, whatever the bytes are.
 */
export async function parseMail(path: string, bytes: Uint8Array, door: MailContext): Promise<ParsedMail> {
  const read = await openMail(path, bytes, door);
  return read.ok ? { ok: true, event: read.event, identity: read.identity } : read;
}

/** Does the same, and returns the headers and the body as well. */
export async function openMail(path: string, bytes: Uint8Array, door: MailContext): Promise<OpenedMail> {
  const refusal = refusalOf(path, bytes);
  if (refusal !== null) return { ok: false, trouble: refusal };
  try {
    // A forwarded mail is somebody else's words, so it stays an attachment and is not joined to the body.
    const readable = readableMail(bytes);
    const mail = await PostalMime.parse(readable.bytes, { forceRfc822Attachments: true, maxNestingDepth: 50 });
    if (!isMail(mail)) return { ok: false, trouble: unreadable(path, 'it has no mail headers') };
    const body = bodyWith(mail, versionDoubt(readable.bytes));
    const { root, hiddenCharset } = readable;
    const words = eventOf(path, mail, door, body);
    const unread = unreadInMail({ root, text: body.text, own: words.text, html: mail.html ?? '', hiddenCharset });
    const event = unread === null ? words : { ...words, unread: unread.unread };
    return { ok: true, event, identity: mailIdentity(mail, event, door.whole), mail, body, unread };
  } catch (error) {
    return { ok: false, trouble: unreadable(path, oneLine(errorReason(error), 120)) };
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

function eventOf(path: string, mail: Email, door: MailContext, body: Body): StreamEvent {
  const { sourceType, trustedServers, sentFolder } = door;
  const from = senderOf(mail);
  const thread = threadOf(mail, from);
  const { text, quoted } = separateBody({ ...body, text: withoutPgp(body.text) }, thread);
  const continuesThread = thread.hasHeaders || repeatsCarriedSubject(thread.subject, quoted);
  const bulkReason = bulkReasonOf(mail);
  return {
    path,
    sourceType,
    ...mailTime(headerOf(mail, 'date')),
    from: from?.address ?? null,
    fromName: from?.name ?? null,
    to: recipientsOf(mail),
    ...namedRecipients(mail),
    subject: thread.subject,
    ...(continuesThread ? { continuesThread } : {}),
    text: cutAtLine(text),
    quoted: cutAtLine(quoted),
    bulk: bulkReason !== null,
    bulkReason,
    ownNote: false,
    ...(sentFolder === undefined
      ? {
          authentication: readAuthentication(mail.headers, from?.address ?? null, trustedServers),
          warnings: listSenderWarnings({ from: from?.address ?? null, mail, contradicts: body.contradicts }),
        }
      : { authentication: sentAuthentication(mail.headers, from?.address ?? null, sentFolder), warnings: [] }),
    shown: body.shown,
    doubts: doubtsOf(mail, body),
    // In a mail that the user passes on, they are another's.
    ...(body.forms === null || sentFolder !== undefined ? {} : { forms: body.forms }),
  };
}

/** Reads who sent a mail from its header block, and whether that is authenticated. A block that can't be read has no sender. */
export async function readSender(
  header: Uint8Array,
  trustedServers: readonly string[],
): Promise<{ readonly from: string | null; readonly authentication: Authentication }> {
  try {
    const mail = await PostalMime.parse(header);
    const from = senderOf(mail)?.address ?? null;
    return { from, authentication: readAuthentication(mail.headers, from, trustedServers) };
  } catch {
    return { from: null, authentication: NOT_VOUCHED };
  }
}

/** A mail's thread, and whether a header names an earlier mail of it. */
interface HeaderThread extends MailThread {
  readonly hasHeaders: boolean;
}

function threadOf(mail: Email, from: Sender | null): HeaderThread {
  const subject = oneLine(mail.subject ?? '', MAX_SUBJECT_CHARACTERS);
  const hasHeaders = ['in-reply-to', 'references'].some((key) => headerOf(mail, key) !== '');
  const names = [...(mail.to ?? []), ...(mail.cc ?? [])].slice(0, MAX_RECIPIENTS).flatMap(displayNames);
  return {
    ...{ subject, hasHeaders, isReply: hasHeaders || hasReplyMark(subject) },
    ...{ from: from?.address ?? null, fromName: from?.name ?? null, others: [...recipientsOf(mail), ...names] },
  };
}

function displayNames({ name, group }: Address): readonly string[] {
  return [name, ...(group ?? []).map((member) => member.name)];
}

/**
 * Separates the words of a body. Of a plain part next to HTML, lines that the HTML has only in quotations are quoted.
 */
function separateBody({ text, html }: Body, thread: MailThread): OwnWords {
  if (html === null) return separateOwnWords(text, thread);
  const { text: own, quoted } = separateOwnWords(html, thread);
  const isOnlyQuoted = onlyIn(quoted, own);
  const lines = text.split('\n').map((line) => (isOnlyQuoted(line) ? `> ${line}` : line));
  return separateOwnWords(lines.join('\n'), thread);
}

function doubtsOf(mail: Email, body: Body): readonly string[] {
  const mark = spamMark(mail.headers);
  return [
    ...(mark === null ? [] : [`${mark}.`]),
    ...(body.contradicts ? ['The plain text and the HTML of this mail say different things.'] : []),
    ...body.doubts.map((why) => `The mail may not be seen as it is read: ${why}.`),
  ];
}

/** Cuts between lines if possible, so that half a sentence is not read as a whole one. */
function cutAtLine(text: string): string {
  if (text.length <= MAX_BODY_CHARACTERS) return text;
  const cut = cutAt(text, MAX_BODY_CHARACTERS);
  const lineEnd = cut.lastIndexOf('\n');
  return lineEnd > MAX_BODY_CHARACTERS / 2 ? cut.slice(0, lineEnd) : cut;
}

interface Sender {
  readonly address: string;
  readonly name: string | null;
}

/** Returns null if the mail names more than one sender: a forger could choose which one is read. */
function senderOf(mail: Email): Sender | null {
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

function namedRecipients(mail: Email): Pick<StreamEvent, 'toNames'> {
  const all = [...(mail.to ?? []), ...(mail.cc ?? [])].slice(0, MAX_RECIPIENTS).flatMap((one) => one.group ?? [one]);
  const named = all.flatMap(({ name, address }): [string, string][] => {
    const bare = bareAddress(address ?? '');
    return bare === null || name.trim() === '' ? [] : [[bare, oneLine(name, MAX_RECIPIENT_NAME)]];
  });
  return named.length === 0 ? {} : { toNames: Object.fromEntries(named) };
}

const MAX_RECIPIENT_NAME = 100;

function mailboxes(address: Address): string[] {
  return address.group === undefined ? [address.address] : address.group.map((member) => member.address);
}

/** Null also if an address has invisible letters, or letters that a note would render as a link or as code. */
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
    message: `The mail has ${(size / 1024 / 1024).toFixed(1)} MiB; Steward reads up to 10 MiB.`,
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

type Attachment = Email['attachments'][number];

const TYPES = new Set(['text/calendar', 'application/ics']);
const NAME = /\.(?:ics|ical|icalendar)$/i;
const MOST_PARTS = 4;

/** Returns the parts of a mail that are calendars, at most four. */
function calendarParts({ attachments }: Pick<Email, 'attachments'>): readonly Attachment[] {
  return attachments
    .filter(({ mimeType, filename }) => TYPES.has(mimeType.toLowerCase()) || NAME.test(filename ?? ''))
    .slice(0, MOST_PARTS);
}

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
function appointmentsIn(bearer: Bearer, read: ItemReader, door: ReadContext): Promise<readonly IdentifiedEvent[]> {
  const parts = calendarParts(bearer.mail).filter(({ method }) => !ANSWERS.test(method ?? ''));
  return gathered(parts, bearer.event, read, door);
}

async function gathered(
  parts: readonly Attachment[],
  mail: StreamEvent,
  read: ItemReader,
  door: ReadContext,
): Promise<readonly IdentifiedEvent[]> {
  const found = new Map<string, IdentifiedEvent>();
  for (const part of parts) {
    for await (const carried of entriesOf(bytesOf(part), read, door)) {
      const mine = borne(carried, mail);
      found.set(`${mine.identity.key}\0${mine.identity.version}`, mine);
      if (found.size >= MOST_APPOINTMENTS) return [...found.values()];
    }
  }
  return [...found.values()];
}

/** A mail with an unreadable calendar is still a mail. */
async function* entriesOf(bytes: Uint8Array, read: ItemReader, door: ReadContext): AsyncGenerator<IdentifiedEvent> {
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
 * The appointment with the doubts about the mail that brought it. Its identity includes its sender: otherwise, by the
 * UID of another's appointment, anyone could keep its later versions from being read.
 */
function borne({ event, identity }: IdentifiedEvent, mail: StreamEvent): IdentifiedEvent {
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

function bytesOf({ content }: Attachment): Uint8Array {
  if (typeof content === 'string') return new TextEncoder().encode(content);
  return content instanceof Uint8Array ? content : new Uint8Array(content);
}

/** Parses one mail with the appointments that it carries. Never throws for what is wrong with the mail itself. */
export async function readMailFile(path: string, bytes: Uint8Array, door: MailContext): Promise<ParsedMail> {
  const { sourceType, trustedServers, calendar } = door;
  const read = await openMail(path, bytes, door);
  if (!read.ok) return read;
  const { event, identity } = read;
  if (calendar === undefined || calendarParts(read.mail).length === 0) return { ok: true, event, identity };
  // Loaded with the first invitation: its libraries take their time.
  const { readCalendar } = await import('./ics.ts');
  const within = await appointmentsIn(read, readCalendar, { file: path, sourceType, trustedServers, ...calendar });
  return { ok: true, event, identity, ...(within.length === 0 ? {} : { within }) };
}

/** A mail without all that is not read of it. */
interface TextMail {
  readonly bytes: Buffer;
  readonly whole: string;
}

type Readable = Extract<OpenedMail, { ok: true }>;

const DOOR: MailContext = { sourceType: 'mail', trustedServers: [] };
/** The headers that decide how a mail is read, and those that a person looks for. */
const KEPT = new Set(
  (
    'from sender to cc reply-to subject date message-id in-reply-to references return-path received auto-submitted ' +
    'precedence x-autoreply x-autorespond authentication-results'
  ).split(' '),
);

/**
 * Returns a small mail of a whole one: its headers that matter, and its text as a reader would see it. It is read
 * exactly as the whole one. Null if that isn't possible: the mail is doubted for something outside its text, its parts
 * say different things, it carries an appointment, or it cannot be read at all. Null also if the small mail would not
 * be smaller.
 */
export async function textMail(bytes: Buffer): Promise<TextMail | null> {
  const read = await openMail('', bytes, DOOR);
  if (!read.ok || calendarParts(read.mail).length > 0) return null;
  const small = smallMail(bytes, read.body, read.unread?.contentType ?? null);
  const whole = saidIn(read.identity);
  if (small.length >= bytes.length) return null;
  const again = await openMail('', small, { ...DOOR, whole });
  return again.ok && isReadAlike(read, again) ? { bytes: small, whole } : null;
}

// Authentication is checked later, with the servers that are trusted then: the result is the same if these headers are.
function isReadAlike(one: Readable, other: Readable): boolean {
  const [first, second] = [one, other].map(({ event, identity, mail }) => ({
    event,
    identity,
    headers: mail.headers.filter(({ key }) => isKept(key)).map(({ key, value }): Header => ({ key, value })),
  }));
  return isDeepStrictEqual(first, second);
}

function isKept(name: string): boolean {
  return KEPT.has(name) || name.startsWith('list-') || isOfDelivery(name) || isSpamHeader(name);
}

function smallMail(bytes: Buffer, { text, shown }: Body, unread: string | null): Buffer {
  const headers = keptHeaders(bytes);
  const plain = partOf('plain', text);
  const words = shown === null ? plain : multipart('alternative', [plain, partOf('html', asHtml(shown))]);
  // Without the content, the type still says why the mail isn't read.
  const whole = unread === null ? words : multipart('mixed', [words, `Content-Type: ${unread}\n\n`]);
  return Buffer.concat([headers, mimeVersion(whole)]);
}

function multipart(kind: 'alternative' | 'mixed', parts: readonly string[]): string {
  const boundary = `${kind}-${sha256(parts.join('')).slice(0, 32)}`;
  const within = parts.map((part) => `--${boundary}\n${part}\n`).join('');
  return `Content-Type: multipart/${kind}; boundary="${boundary}"\n\n${within}--${boundary}--\n`;
}

function mimeVersion(rest: string): Buffer {
  return Buffer.from(`MIME-Version: 1.0\n${rest}`);
}

function partOf(kind: 'plain' | 'html', text: string): string {
  return `Content-Type: text/${kind}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${text}\n`;
}

function asHtml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.replaceAll('\n', '<br>\n');
}

/** The headers that are kept, in their order and byte for byte but for the line ends. */
function keptHeaders(bytes: Buffer): Buffer {
  const lines = headerLines(bytes);
  const names = lines.map((line) =>
    line
      .slice(0, Math.max(0, line.indexOf(':')))
      .trim()
      .toLowerCase(),
  );
  let isWanted = false;
  const kept = lines.filter((line, at) => {
    if (!/^[ \t]/.test(line)) isWanted = isKept(names[at] ?? '');
    return isWanted;
  });
  return Buffer.from(kept.map((line) => `${line}\n`).join(''), 'latin1');
}

function headerLines(bytes: Buffer): readonly string[] {
  const end = /\n\r*\n/.exec(bytes.toString('latin1'))?.index ?? bytes.length;
  return bytes.subarray(0, end).toString('latin1').split('\n').map(withoutEnd);
}
