import PostalMime, { type Address, addressParser, type Email } from 'postal-mime';
import type { Authentication, Forms, StreamEvent } from '../steward/ports.ts';
import { type Diagnostic, diagnostic, reasonOf } from '../vault/errors.ts';
import { documentOf, readTree } from './html.ts';
import { formsIn } from './html-forms.ts';
import type { Carried } from './items.ts';
import { cutAt, oneLine, plainText } from './mail/plain-text.ts';
import { MAX_MAIL_BYTES } from './mail/source-type.ts';
import { wordsOf } from './mail/word.ts';
import { headerWords, type MethodResult, readAuthenticationResults, warningsOf } from './mail.ts';
import { domainOf, isAddress, isAligned } from './mail-domain.ts';
import { mailTime } from './mail-header.ts';
import { mailIdentity } from './mail-identity.ts';
import { ownWords } from './mail-own-words.ts';
import { versionDoubt } from './mime-versions.ts';

/** One header of a mail: its name in lower case and its value as written. */
export interface Header {
  readonly key: string;
  readonly value: string;
}

/** Which server handed a mail to which, as a `Received` header says; null where it does not say. */
interface Hop {
  readonly from: string | null;
  readonly by: string | null;
}

/**
 * Exchange Online puts no name into its header. It counts as this server's where the settings trust this name, and where
 * the mail went through Exchange alone.
 */
const EXCHANGE = 'protection.outlook.com';
const EXCHANGE_HOPS: readonly string[] = ['outlook.com', 'office365.com', 'exchangelabs.com'];

/**
 * Returns whether a mail's channel vouches for its sender, from its headers, topmost first (RFC 8601).
 *
 * A receiving server adds its headers above those that came with the mail, and takes away any that claim its own name.
 * So the topmost `Authentication-Results` alone counts, where its name is, whole, one that the settings trust, and where
 * every `Received` above it was written by that side:
 *
 * - by a trusted server, a server of the same organisation, or one whose name or address nobody can reach from outside;
 * - only the lowest of them took the mail from outside, and it is of a trusted server's organisation.
 *
 * What is read is `dmarc=pass` for the From domain, or `dkim=pass` by a domain aligned with it; `dmarc=fail` is a denial.
 */
export function authenticationOf(
  headers: readonly Header[],
  from: string | null,
  trustedServers: readonly string[],
): Authentication {
  if (trustedServers.length === 0) return none('no trusted server is set');
  const domain = from === null ? null : domainOf(from);
  if (domain === null) return none('the mail does not name one sender');
  const at = headers.findIndex(({ key }) => key === 'authentication-results');
  const header = headers[at];
  if (header === undefined) return none('no server says who sent it');
  const said = readAuthenticationResults(header.value);
  if (said === null) return none('what the topmost server says cannot be read');
  const above = hopsOf(headers.slice(0, at));
  const server = said.server ?? (isExchange(above, headers.slice(at)) ? EXCHANGE : null);
  const trusted = trustedServers.map((name) => name.normalize('NFC').trim().toLowerCase());
  if (server === null || !trusted.includes(server)) return none(untrusted(server));
  if (!isOwnWay(above, server === EXCHANGE ? [...trusted, ...EXCHANGE_HOPS] : trusted))
    return none(`the header of ${server} lies below another server's`);
  return verdict(said.results, domain, server);
}

function verdict(results: readonly MethodResult[], domain: string, server: string): Authentication {
  const dmarc = results.filter(({ method }) => method === 'dmarc');
  if (dmarc.some(({ result }) => result === 'fail'))
    return { result: 'fail', server, reason: `${server} says dmarc=fail` };
  if (dmarc.length > 1) return { result: 'none', server, reason: `${server} says more than one thing of DMARC` };
  if (dmarc.some((one) => one.result === 'pass' && names(one, ['header.from'], domain)))
    return { result: 'pass', server, reason: 'dmarc=pass' };
  const signed = results.find((one) => one.method === 'dkim' && one.result === 'pass' && signs(one, domain));
  if (signed !== undefined) return { result: 'pass', server, reason: 'dkim=pass' };
  return { result: 'none', server, reason: `${server} does not vouch for ${domain}` };
}

/** Whether a signature is of a domain aligned with the sender's. Where it names its domain twice, both must be. */
function signs(signature: MethodResult, domain: string): boolean {
  const keys = ['header.d', 'header.i'];
  return signature.properties.some(([name]) => keys.includes(name)) && names(signature, keys, domain);
}

/** Whether all that a result says under these names is of the domain. */
function names({ properties }: MethodResult, keys: readonly string[], domain: string): boolean {
  return properties.every(([name, value]) => {
    const said = keys.includes(name) ? domainOf(value) : domain;
    return said !== null && isAligned(said, domain);
  });
}

function hopsOf(headers: readonly Header[]): readonly Hop[] {
  return headers.filter(({ key }) => key === 'received').map(({ value }) => hopOf(value));
}

/** Reads `from A … by B …`. The word after `from` is the other side's, and may itself be `by`. */
function hopOf(value: string): Hop {
  const words = headerWords(value) ?? [];
  const hasFrom = words[0]?.toLowerCase() === 'from';
  const by = words.findIndex((word, at) => at >= (hasFrom ? 2 : 0) && word.toLowerCase() === 'by');
  return { from: hasFrom ? (words[1] ?? '') : null, by: by === -1 ? null : (words[by + 1] ?? null) };
}

function isOwnWay(hops: readonly Hop[], trusted: readonly string[]): boolean {
  return hops.every(({ from, by }, at) => {
    if (by === null) return false;
    // A server that hands a mail on within itself may write its address in place of a name, as Google does.
    if (from === null && isAddress(withoutBrackets(by))) return true;
    if (!isOwn(by, trusted)) return false;
    if (from === null || isOwn(from, trusted)) return true;
    return at === hops.length - 1 && isOfOrganisation(by, trusted);
  });
}

function isOwn(host: string, trusted: readonly string[]): boolean {
  return isInternal(host) || isOfOrganisation(host, trusted);
}

function isOfOrganisation(host: string, trusted: readonly string[]): boolean {
  const domain = domainOf(host);
  return domain !== null && trusted.some((name) => isAligned(domain, domainOf(name) ?? ''));
}

/** Whether a name or address is of a network that cannot be reached from outside, as a server's own parts have. */
function isInternal(host: string): boolean {
  const name = withoutBrackets(host).toLowerCase();
  if (isAddress(name)) return /^(?:(?:10|127|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.|::1$|f[cd]|fe[89ab])/.test(name);
  return /^[a-z\d_-]+$/.test(name) || /\.(?:internal|local|lan|localdomain|localhost|home\.arpa)$/.test(name);
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(?:ipv6:)?|\]$/gi, '');
}

/** Whether a header without a name is Exchange's own: the mail was then taken in by the server below it. */
function isExchange(above: readonly Hop[], below: readonly Header[]): boolean {
  const border = hopsOf(below)[0]?.by?.toLowerCase() ?? '';
  return above.length > 0 && border.endsWith(`.${EXCHANGE}`);
}

function untrusted(server: string | null): string {
  const isHost = server !== null && /^[a-z\d._-]{1,100}$/.test(server);
  return `the header is of ${isHost ? server : 'a server'}, which the settings do not trust`;
}

function none(reason: string): Authentication {
  return { result: 'none', server: null, reason };
}

/** The text of a mail that is read, as a reader sees it. */
export interface Body {
  readonly text: string;
  /** Whether its plain text and its HTML say different things. */
  readonly contradicts: boolean;
  /** What every reader of the HTML sees; null where that is all of the text. */
  readonly shown: string | null;
  /** Why a reader may not see it so, in a few words each. */
  readonly doubts: readonly string[];
  /** What the HTML says beside its text; null where it says nothing. */
  readonly forms: Forms | null;
}

/** How much of a body is read before its quoted history is removed. */
const MAX_RAW_BODY = 1_000_000;
/** Parts with fewer different words are too short to be compared. */
const FEW_WORDS = 4;
/** Parts that share no more of the words of the shorter one say different things. */
const HARDLY_ANY = 0.2;

/**
 * Returns the body of a mail: its plain part, or what its HTML shows where there is none. Of a plain part beside HTML, the
 * lines are left out that the HTML has only where nobody sees them.
 */
function bodyOf({ text = '', html = '' }: Pick<Email, 'text' | 'html'>): Body {
  const plain = plainText(cutAt(text, MAX_RAW_BODY));
  if (html.trim() === '') return { text: plain, contradicts: false, shown: null, doubts: [], forms: null };
  const whole = cutAt(html, MAX_RAW_BODY);
  const root = documentOf(whole);
  const { seen, surelySeen, unseen, doubts } = readTree(root);
  const forms = formsIn(whole, root);
  const shown = plainText(seen);
  if (plain.trim() === '')
    return {
      text: shown,
      contradicts: false,
      shown: surelySeen === seen ? null : plainText(surelySeen),
      doubts,
      forms,
    };
  const read = withoutUnseen(plain, shown, plainText(unseen));
  return { text: read, contradicts: contradict(plain, shown), shown: plainText(surelySeen), doubts, forms };
}

function withoutUnseen(plain: string, seen: string, unseen: string): string {
  const [shown, hidden] = [phrasesOf(seen), phrasesOf(unseen)];
  if (hidden.size === 0) return plain;
  const isHidden = (line: string) => {
    const phrases = [...phrasesOf(line)];
    return (
      phrases.length > 0 && phrases.every((phrase) => hidden.has(phrase)) && phrases.some((one) => !shown.has(one))
    );
  };
  const lines = plain.split('\n');
  return lines.filter((line) => !isHidden(line)).join('\n');
}

/** Returns every three words in a row, every two, and every word: what a line has of another text shows at once. */
function phrasesOf(text: string): ReadonlySet<string> {
  const words = wordsOf(text);
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
  const [one, other] = [new Set(wordsOf(plain)), new Set(wordsOf(shown))];
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
 * Returns what marks a mail as spam or phishing; null where nothing does. Who wrote the header does not matter: a forged
 * mark only makes the program more careful, and no mark that says the opposite counts.
 */
function spamMark(headers: readonly { readonly key: string; readonly value: string }[]): string | null {
  const marked = headers.find(({ key, value }) => {
    const said = cutAt(value, 2000);
    return MARKS.some(([header, says]) => header.test(key) && says.test(said)) || saysSo(key, said);
  });
  return marked === undefined ? null : `${marked.key} marks it as spam or phishing`;
}

/** Whether a header of this name, in lower case, may mark a mail as spam or phishing. */
export function isSpamHeader(name: string): boolean {
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
