import type { Email } from 'postal-mime';
import type { StreamEvent } from '../steward/ports.ts';
import { sha256 } from '../vault/hash.ts';
import type { Identity } from './items.ts';
import { cutAt } from './mail/plain-text.ts';

/** How much of a text tells mails apart: what lies beyond is not read. */
const MAX_TEXT = 1_000_000;

/** What of a parsed mail decides how it is read. */
type Read = Pick<StreamEvent, 'from' | 'originAt' | 'subject' | 'bulk'>;

/**
 * Returns what makes a mail one and the same by whichever door it comes: its Message-ID, and a hash of all that its author
 * wrote and that decides how it is read. What servers and mail programs add or change is not in it: their headers, line
 * ends, encodings, blanks at the ends of lines. Without a usable Message-ID the hash is its name.
 *
 * What was sent to many is never the same as what was sent to one: it is looked into for less, so a copy of a mail that only
 * says it is from a list would else keep the mail itself from being read.
 *
 * `whole` is the hash of a mail of which this is only the text.
 */
export function mailIdentity(mail: Email, read: Read, whole?: string): Identity {
  const said = whole ?? hashOfWords(mail, read);
  const kind = read.bulk ? 'mail to many' : 'mail';
  const id = messageId(mail);
  return { key: `${kind} ${id ?? said}`, version: id === null ? '' : said, otherwise: 'other' };
}

/** Returns the hash of all that a mail says, from its identity. */
export function saidIn({ key, version }: Identity): string {
  return version === '' ? key.slice(key.lastIndexOf(' ') + 1) : version;
}

function hashOfWords(mail: Email, { from, originAt, subject }: Read): string {
  const parts = [wordsOf(mail.text), wordsOf(mail.html), ...mail.attachments.map(hashOf)];
  return sha256(JSON.stringify([from, originAt, subject, ...parts]));
}

/** Returns the Message-ID, its domain in lower case; null where a mail has none, several, or one that no program writes. */
function messageId({ headers }: Email): string | null {
  const [only, ...more] = headers.filter(({ key }) => key === 'message-id');
  const [, local, domain] = /^<?([^\s\p{C}<>]{1,900})@([^\s\p{C}<>@]{1,255})>?$/u.exec(only?.value.trim() ?? '') ?? [];
  return more.length > 0 || local === undefined || domain === undefined ? null : `<${local}@${domain.toLowerCase()}>`;
}

/** The lines of a text without what a program that saves it may change. How a line begins says whether it is a quotation. */
function wordsOf(text = ''): string {
  const lines = cutAt(text, MAX_TEXT).split(/\r\n|\n|\r/);
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

function hashOf({ content }: Email['attachments'][number]): string {
  return sha256(content instanceof ArrayBuffer ? new Uint8Array(content) : content);
}
