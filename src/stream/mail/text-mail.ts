import { isDeepStrictEqual } from 'node:util';
import { sha256 } from '../../vault/hash.ts';
import { saidIn } from '../mail-identity.ts';
import { calendarParts } from '../mail-parts.ts';
import { type Body, type Header, isSpamHeader, type MailDoor, type OpenedMail, openMail } from '../parse-mail.ts';

/** A mail without all that is not read of it. */
interface TextMail {
  readonly bytes: Buffer;
  /** What the whole mail says, as a hash. */
  readonly whole: string;
}

type Readable = Extract<OpenedMail, { ok: true }>;

const DOOR: MailDoor = { sourceType: 'mail', trustedServers: [] };
/** What decides how a mail is read, and what a person looks for in it. */
const KEPT = new Set(
  (
    'from sender to cc reply-to subject date message-id in-reply-to references return-path received auto-submitted ' +
    'precedence x-autoreply x-autorespond authentication-results'
  ).split(' '),
);

/**
 * Returns a small mail of a whole one: its headers that matter, and its text as a reader would see it. It is read exactly
 * as the whole one. Null where that cannot be: the mail is doubted for something that its text does not show, its parts say
 * different things, it carries an appointment, or it cannot be read at all; and where it would be no smaller.
 */
export async function textMail(bytes: Buffer): Promise<TextMail | null> {
  const read = await openMail('', bytes, DOOR);
  if (!read.ok || calendarParts(read.mail).length > 0) return null;
  const small = smallMail(bytes, read.body);
  const whole = saidIn(read.identity);
  if (small.length >= bytes.length) return null;
  const again = await openMail('', small, { ...DOOR, whole });
  return again.ok && isReadAlike(read, again) ? { bytes: small, whole } : null;
}

// Who vouches for a sender is asked with the servers that are trusted then: it is the same where these headers are.
function isReadAlike(one: Readable, other: Readable): boolean {
  const [first, second] = [one, other].map(({ event, identity, mail }) => ({
    event,
    identity,
    headers: mail.headers.filter(({ key }) => isKept(key)).map(({ key, value }): Header => ({ key, value })),
  }));
  return isDeepStrictEqual(first, second);
}

function isKept(name: string): boolean {
  return KEPT.has(name) || name.startsWith('list-') || isSpamHeader(name);
}

function smallMail(bytes: Buffer, { text, shown }: Body): Buffer {
  const headers = keptHeaders(bytes);
  const plain = partOf('plain', text);
  if (shown === null) return Buffer.concat([headers, mimeVersion(plain)]);
  const boundary = `text-${sha256(text).slice(0, 32)}`;
  const parts = [plain, partOf('html', asHtml(shown))].map((part) => `--${boundary}\n${part}\n`);
  const body = `Content-Type: multipart/alternative; boundary="${boundary}"\n\n${parts.join('')}--${boundary}--\n`;
  return Buffer.concat([headers, mimeVersion(body)]);
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

function withoutEnd(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end -= 1;
  return line.slice(0, end);
}
