import { isOwnNote } from '../../steward/ports/own-notes.ts';
import { isMailFile } from '../../stream/mail/source-type.ts';
import { readFetched } from '../../stream/mail-fetched.ts';
import { type Diagnostic, diagnostic } from '../../vault/errors.ts';
import type { SignalRecord } from '../../vault/index/record.ts';
import { shellWord } from '../../vault/notes/shell-word.ts';
import type { Seal } from '../../vault/seal.ts';
import { readInside } from '../../vault/slices.ts';
import type { Vault } from '../../vault/watch.ts';
import type { IndexAccess } from '../context.ts';

/** So many of the newest mails are looked at. */
const NEWEST = 50;
/** From so many mails on, and half of all, it is worth a word that nobody vouches for them. */
const MANY = 3;
const SHARE = 0.5;
/** A mail that is larger is not opened for its headers. */
const MOST_BYTES = 1024 * 1024;
const HEADERS = 64 * 1024;
/** How many servers are named. */
const NAMED = 3;

/**
 * Returns what a person can do where the steward may not act upon most of the newest mails, since no server that the
 * settings trust vouches for their senders: which servers say on top of the mails who sent them. Reads mails.
 */
export function unvouchedMail(space: IndexAccess): Diagnostic[] {
  const mails = space.vault.catalogue
    .signals()
    .filter((signal) => isFromMail(signal) && isOwnNote(space, signal))
    .sort((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1))
    .slice(0, NEWEST);
  const unvouched = mails.filter(({ fields }) => fields.authenticated === 'none').length;
  if (unvouched < MANY || unvouched < SHARE * mails.length) return [];
  const trusted = new Set(space.context.settings.trusted_mail_servers.map((one) => one.trim().toLowerCase()));
  const found = topmostServers(space);
  const servers = found.filter(({ server, source }) => source !== null || !trusted.has(server));
  // They were read before their server was trusted, or it says itself that it cannot vouch: nothing is left to be done.
  if (found.length > 0 && servers.length === 0) return [];
  return [
    diagnostic({
      code: 'mail-unvouched',
      file: 'steward.md',
      message: `No trusted server vouches for the senders of ${unvouched} of the newest ${mails.length} mail signals, so these only propose.`,
      hint: hintFor(servers),
    }),
  ];
}

interface Named {
  readonly server: string;
  /** The source that fetched the mails; null of others. */
  readonly source: string | null;
  readonly mails: number;
}

function hintFor(servers: readonly Named[]): string {
  const [first] = servers;
  if (first === undefined) {
    return 'No server says in the newest mails who sent them (Authentication-Results); ask your mail provider for it.';
  }
  const named = servers
    .slice(0, NAMED)
    .map(({ server, mails }) => `${server} (${mails} ${mails === 1 ? 'mail' : 'mails'})`);
  const what =
    first.source === null
      ? `the server that takes in your mail, write trusted_mail_servers: [${first.server}] into steward.md`
      : `the server of the account ${first.source}, write mail_server: ${first.server} into its note, and allow it by \`steward source test ${shellWord(first.source)}\``;
  return `On top of the newest mails stands ${named.join(', ')}. If that is ${what}. A sender can write such a line too: add no server that you do not know.`;
}

function isFromMail({ fields }: SignalRecord): boolean {
  return /^(?:mail|gmail|gmail_unknown)$/.test(fields.source_type ?? '');
}

function timeOf({ fields, name }: SignalRecord): string {
  return `${fields.created ?? ''} ${name}`;
}

/** The servers of the topmost `Authentication-Results` of the newest mails, the most frequent first. */
function topmostServers({ context, vault }: IndexAccess): Named[] {
  const newest = [...vault.streams]
    .filter(([file]) => isMailFile(file))
    .sort(([, one], [, other]) => other.mtimeMs - one.mtimeMs)
    .slice(0, NEWEST);
  const found = newest.flatMap(([file]) => namedIn(file, bytesOf(vault, file), context.seal) ?? []);
  return [...Map.groupBy(found, ({ server, source }) => `${server} ${source}`).values()]
    .flatMap(([first, ...more]) => (first === undefined ? [] : [{ ...first, mails: 1 + more.length }]))
    .sort((one, other) => other.mails - one.mails || (one.server < other.server ? -1 : 1));
}

// What a mail was fetched with is the account's server: that of the settings does not count for it.
function namedIn(file: string, bytes: Buffer, seal: Seal): Omit<Named, 'mails'> | null {
  const server = topmostServer(bytes.subarray(0, HEADERS).toString('latin1'));
  const fetched = readFetched(bytes, file, seal);
  if (server === null || fetched?.server?.toLowerCase() === server) return null;
  return { server, source: fetched?.source ?? null };
}

function bytesOf(vault: Vault, file: string): Buffer {
  try {
    return readInside(vault.root, file, MOST_BYTES).bytes;
  } catch {
    return Buffer.alloc(0); // gone, too large, or no file: it says nothing
  }
}

/**
 * Returns the server that the topmost `Authentication-Results` of a mail names, in lower case; null where there is none.
 */
export function topmostServer(mail: string): string | null {
  const lines = mail.split(/\r?\n/);
  const end = lines.indexOf('');
  const headers = end < 0 ? lines : lines.slice(0, end);
  const at = headers.findIndex((line) => line.toLowerCase().startsWith(HEADER));
  if (at < 0) return null;
  // The name may stand on the next line, which then begins with a blank.
  const [first = '', next = ''] = headers.slice(at, at + 2);
  const value = `${first.slice(HEADER.length)} ${/^[ \t]/.test(next) ? next : ''}`.trim();
  return /^[a-z0-9][a-z0-9._-]{0,252}(?=[\s;]|$)/i.exec(value)?.[0].toLowerCase() ?? null;
}

const HEADER = 'authentication-results:';
