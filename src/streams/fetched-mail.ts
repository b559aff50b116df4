import { z } from 'zod';
import type { IndexAccess } from '../daemon/context.ts';
import type { Arrival } from '../sources/source.ts';
import type { SourceNote } from '../sources/source-note.ts';
import { expectFleeting } from '../steward/event-note.ts';
import { sha256 } from '../vault/note-text.ts';
import type { Seal } from '../vault/seal.ts';
import { runInWorker } from '../vault/worker.ts';
import { genericName, genericText } from './generic-event.ts';
import { isSmall } from './stream.ts';

interface PartStart {
  readonly header: string;
  readonly body: number;
}

/** No mail that a person reads nests its text deeper. */
const MOST_DEPTH = 10;
const MOST_PARTS = 20;

/** Whether these bytes are only a header block. */
export function isHeadersOnly(bytes: Buffer): boolean {
  const { body } = openedAt(bytes.toString('latin1'), 0);
  return bytes.subarray(body).every((byte) => byte <= 0x20);
}

/**
 * Returns the beginning of a mail up to the end of its plain text; null if the text does not end there, or HTML comes
 * first.
 */
export function upToText(bytes: Buffer): Buffer | null {
  const mail = bytes.toString('latin1');
  const end = endOfText(mail, 0, null, 0);
  return end === null ? null : bytes.subarray(0, end);
}

/** `around`: the line that ends the part. Returns the end of the plain text in it. */
function endOfText(mail: string, at: number, around: string | null, depth: number): number | null {
  const { header, body } = openedAt(mail, at);
  const type = /^content-type:\s*([^\s;]+)/im.exec(header)?.[1]?.toLowerCase() ?? 'text/plain';
  if (!type.startsWith('multipart/')) {
    const end = type === 'text/plain' && !isAttached(header) && around !== null ? lineAt(mail, around, body) : null;
    return end !== null && mail.slice(body, end).trim() !== '' ? end : null;
  }
  const boundary = boundaryIn(header);
  if (boundary === null || depth >= MOST_DEPTH) return null;
  const line = `--${boundary}`;
  let part = lineAt(mail, line, body);
  for (let nth = 0; part !== null && nth < MOST_PARTS; nth += 1) {
    const start = afterLine(mail, part);
    const end = endOfText(mail, start, line, depth + 1);
    if (end !== null) return end;
    if (!isPassedOver(mail, start)) return null;
    part = lineAt(mail, line, start);
  }
  return null;
}

/** Whether a part before the text is no text itself: a picture, or what is attached. */
function isPassedOver(mail: string, at: number): boolean {
  const { header } = openedAt(mail, at);
  return isAttached(header) || /^content-type:\s*(?:image|application|audio|video)\//im.test(header);
}

function isAttached(header: string): boolean {
  return /^content-disposition:\s*attachment\b/im.test(header);
}

function boundaryIn(header: string): string | null {
  const type = /^content-type:.*$/im.exec(header)?.[0] ?? '';
  const found = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;]*))/i.exec(type);
  const boundary = (found?.[1] ?? found?.[2] ?? '').trimEnd();
  return boundary === '' ? null : boundary;
}

function openedAt(mail: string, at: number): PartStart {
  const first = /\r*\n/y;
  first.lastIndex = at;
  if (first.test(mail)) return { header: '', body: first.lastIndex };
  const blank = /\n\r*\n/g;
  blank.lastIndex = at;
  const body = blank.test(mail) ? blank.lastIndex : mail.length;
  return { header: unfolded(mail.slice(at, body)), body };
}

function unfolded(header: string): string {
  return header.replaceAll('\r', '').replace(/\n(?=[ \t])/g, '');
}

/** Returns the first place from `at` on at which a line begins with `line`, or null. */
function lineAt(mail: string, line: string, at: number): number | null {
  if (mail.startsWith(line, at)) return at;
  const found = mail.indexOf(`\n${line}`, at);
  return found < 0 ? null : found + 1;
}

function afterLine(mail: string, at: number): number {
  const end = mail.indexOf('\n', at);
  return end < 0 ? mail.length : end + 1;
}

/** The origin of a fetched mail, and how much of it is kept. */
export interface MailOrigin {
  readonly source: string;
  /** The account's own server, as it signs `Authentication-Results`; null if unnamed. */
  readonly server: string | null;
  readonly keep: 'mail' | 'text' | 'quote';
  /** It was in the folder of mails that the user sent; absent of any other. */
  readonly isSent?: true;
}

interface MailMark extends MailOrigin {
  /** For a text-only mail: the hash of the whole mail's words (`saidIn` of its identity). */
  readonly identity?: string;
}

/** A file with the program's mark, without the lines that are the program's own. */
interface FetchedMail extends MailOrigin {
  readonly identity: string | null;
  readonly mail: Buffer;
}

/** The lines of ours are few and short: no more is looked at. */
const MOST_MARK = 1024;
const LINES =
  /^(X-Steward-Source: ([a-z][a-z0-9-]{0,39})\r?\n(?:X-Steward-Server: ([\w.:[\]-]{1,253})\r?\n)?X-Steward-Keep: (mail|text|quote)\r?\n(X-Steward-Sent: yes\r?\n)?(?:X-Steward-Identity: ([0-9a-f]{64}) ([0-9a-f]{32})\r?\n)?)X-Steward-Seal: ([0-9a-f]{32})\r?\n/;

/** The lines of ours above a mail, taken apart. */
interface Mark extends FetchedMail {
  /** Those lines as they are, without the seal. */
  readonly lines: string;
  readonly identitySeal: string | null;
  readonly seal: string;
}

/**
 * Returns a fetched mail as it is written to the vault-relative path `file`: lines with its origin and the program's
 * mark, then the mail's own bytes. It stays a mail. Throws if a name does not fit into such a line.
 */
export function fetchedMail(
  { source, server, keep, isSent, identity }: MailMark,
  file: string,
  bytes: Buffer,
  seal: Seal,
): Buffer {
  const lines = [
    `X-Steward-Source: ${source}`,
    ...(server === null ? [] : [`X-Steward-Server: ${server}`]),
    `X-Steward-Keep: ${keep}`,
    ...(isSent === true ? ['X-Steward-Sent: yes'] : []),
    ...(identity === undefined ? [] : [`X-Steward-Identity: ${identity} ${seal.of(identityWords(identity, bytes))}`]),
  ];
  const end = lineEndOf(bytes);
  const head = lines.map((line) => `${line}${end}`).join('');
  const marked = Buffer.concat([
    Buffer.from(`${head}X-Steward-Seal: ${seal.of(placeWords(file, head, bytes))}${end}`),
    bytes,
  ]);
  if (markOf(marked)?.lines !== head)
    throw new Error('The mark of a fetched mail has a name with forbidden characters.');
  return marked;
}

/**
 * Returns the origin that a marked file states, and the mail below. Null if it has no mark, or if the mark is not for
 * this path and these bytes. Then it is a mail like any other, and lines of that name in it have no meaning.
 */
export function readFetched(bytes: Buffer, file: string, seal: Seal): FetchedMail | null {
  const mark = markOf(bytes);
  if (mark === null || !seal.holds(placeWords(file, mark.lines, mark.mail), mark.seal)) return null;
  const { source, server, keep, identity, mail, isSent } = mark;
  const origin = { source, server, keep, ...(isSent && { isSent }) };
  return { ...origin, identity: identity === null ? null : wholeOf(mark, seal), mail };
}

/**
 * Returns the hash of the whole mail of which this is the text, whatever its place and its line ends: a moved or copied
 * file is the same mail. Null if the program did not write these words.
 */
export function wholeSaid(bytes: Buffer, seal: Seal): string | null {
  const mark = markOf(bytes);
  return mark === null ? null : wholeOf(mark, seal);
}

function wholeOf({ identity, identitySeal, mail }: Mark, seal: Seal): string | null {
  return identity !== null && seal.holds(identityWords(identity, mail), identitySeal) ? identity : null;
}

function markOf(bytes: Buffer): Mark | null {
  const found = LINES.exec(bytes.subarray(0, MOST_MARK).toString('latin1'));
  const [all = '', lines = '', source = '', server = null, keep, sent, ...sealed] = found ?? [];
  const [identity = null, identitySeal = null, seal = ''] = sealed;
  if (keep !== 'mail' && keep !== 'text' && keep !== 'quote') return null;
  const rest = { lines, mail: bytes.subarray(all.length), ...(sent !== undefined && { isSent: true as const }) };
  return { source, server, keep, identity, identitySeal, seal, ...rest };
}

function placeWords(file: string, lines: string, mail: Buffer): string {
  return ['fetched mail', file.normalize('NFC'), sha256(lines), sha256(mail)].join('\0');
}

// The text is the program's own: of its bytes only the line ends may be another's.
function identityWords(identity: string, mail: Buffer): string {
  const text = mail.toString('latin1').replaceAll('\r\n', '\n');
  return ['text of a mail', identity, sha256(Buffer.from(text, 'latin1'))].join('\0');
}

/** As the lines of the mail end, so that all of the file do. */
function lineEndOf(bytes: Buffer): string {
  const at = bytes.indexOf('\n');
  return at > 0 && bytes[at - 1] === 0x0d ? '\r\n' : '\n';
}

/** The limits of the worker process: it parses a mail twice. */
const MEMORY_MB = 512;
const LIMIT_SECONDS = 20;

const textMail = z.object({ bytes: z.instanceof(Uint8Array), whole: z.string() }).nullable();

/**
 * Returns a fetched mail as it is to be written to the vault-relative path `file`: marked, and only its text if the
 * source keeps no more. A mail whose text alone would be read in another way is kept whole; the mark says so. Rejects
 * if a name does not fit into the mark.
 */
export async function fetchedFile(from: MailOrigin, file: string, bytes: Buffer, seal: Seal): Promise<Buffer> {
  const text = from.keep === 'text' ? await textOf(bytes) : null;
  if (text !== null) return fetchedMail({ ...from, identity: text.whole }, file, Buffer.from(text.bytes), seal);
  return fetchedMail({ ...from, keep: from.keep === 'text' ? 'mail' : from.keep }, file, bytes, seal);
}

async function textOf(bytes: Buffer): Promise<{ readonly bytes: Uint8Array; readonly whole: string } | null> {
  if (isSmall(bytes)) {
    const { textMail: shorten } = await import('./mail.ts');
    return shorten(bytes);
  }
  try {
    return await runInWorker({
      script: './mail-worker',
      from: import.meta.url,
      data: { task: 'text', bytes: new Uint8Array(bytes) },
      message: textMail,
      memoryMb: MEMORY_MB,
      seconds: LIMIT_SECONDS,
    });
  } catch {
    return null; // kept whole, whoever reads it says what is wrong with it
  }
}

/** A file ready to be written to the vault. */
export interface StreamFile {
  /** Vault-relative. */
  readonly file: string;
  readonly bytes: Uint8Array | string;
}

/** How many digits of a key name a file. */
const DIGITS = 12;

/**
 * Returns the file of an arrival, ready to be written; null if the source only reported that it was there. The same
 * arrival always gets the same name; `nth`, from 1 on, gives it others, if another file has it. Rejects with what the
 * disk refuses.
 */
export async function placeFetchedMail(
  { vault, context }: IndexAccess,
  note: SourceNote,
  { key, at, content }: Arrival,
  nth: number,
): Promise<StreamFile | null> {
  if (content === null) return null;
  const folder = `${vault.layout.folders.stream}/${note.name}`;
  if (content.kind === 'event') {
    const file = `${folder}/${genericName(note.name, content.event, nth)}`;
    return { file, bytes: genericText(content.event, note.name, file, context.seal) };
  }
  const day = at === null ? 'undated' : new Date(at).toISOString().slice(0, 10);
  const name = `${folder}/${day}-${key.slice(0, DIGITS)}${nth === 1 ? '' : `-${nth}`}`;
  if (content.kind === 'calendar') return { file: `${name}.ics`, bytes: content.bytes };
  const [file, from] = [`${name}.eml`, fetchedFrom(note, content)];
  const bytes = await fetchedFile(from, file, Buffer.from(content.bytes), context.seal);
  // Before it is there: a crash must not leave a half-written file.
  if (from.keep === 'quote') expectFleeting(context, [file]);
  return { file, bytes };
}

function fetchedFrom({ name, settings }: SourceNote, { isSent }: { readonly isSent?: true }): MailOrigin {
  if (settings.kind !== 'imap') return { source: name, server: null, keep: 'mail' };
  return { source: name, server: settings.mail_server, keep: settings.keep, ...(isSent && { isSent }) };
}
