import fs from 'node:fs';
import type { IndexAccess, Workspace } from '../daemon/context.ts';
import { isWritable } from '../daemon/problems.ts';
import { isUnknownSetting } from '../daemon/settings.ts';
import { isOwnNote } from '../steward/records.ts';
import { effectiveCaps } from '../steward/spending.ts';
import { readFetched } from '../streams/fetched-mail.ts';
import { isMailFile } from '../streams/stream.ts';
import { type Diagnostic, diagnostic } from '../vault/errors.ts';
import { canExchange, readInside, systemExchange } from '../vault/files.ts';
import { readNote } from '../vault/frontmatter.ts';
import { MAX_NOTE_BYTES } from '../vault/layout.ts';
import { shellWord } from '../vault/note-text.ts';
import { matterFields, nearest, type SignalRecord, type TargetRecord, taskFields } from '../vault/record.ts';
import type { Seal } from '../vault/seal.ts';
import { isTrustedServer, providerOfServer } from '../vault/source-names.ts';
import { inSlices } from '../vault/time.ts';
import type { Vault } from '../vault/vault.ts';
import { leavingNow, retentionStatus } from './retention.ts';

/**
 * The findings of `steward doctor` that the status doesn't have: about the notes, the settings and the newest mails.
 */
export interface Examination {
  /** How many notes of each kind the vault has. Reversals and answers count as events. */
  readonly notes: {
    readonly matters: number;
    readonly tasks: number;
    readonly signals: number;
    readonly events: number;
  };
  /** How many settings can't be used, and how many keys aren't settings. */
  readonly settings: { readonly unusable: number; readonly unknown: number };
  readonly nearKeys: readonly NearKey[];
  /** Whether notes can be swapped atomically; null if that can't be tried yet. */
  readonly canExchange: boolean | null;
  /** Whether there is a key or a server for models. */
  readonly hasProvider: boolean;
  /** Whether the environment allows less money than the settings. */
  readonly isBudgetLowered: boolean;
  /** How much leaves the vault at the next clean-up; null if everything is kept. */
  readonly leaving: { readonly streams: number; readonly events: number; readonly signals: number } | null;
  /** The remedies for mail that no trusted server authenticates. */
  readonly mail: readonly Diagnostic[];
  /** The ids of the problems that the user has hidden. */
  readonly known: readonly string[];
}

/**
 * Examines the vault: reads the notes that changed since the last time, and the headers of the newest mails. Contacts
 * no server.
 */
export async function examine(space: Workspace): Promise<Examination> {
  const { context, models, problems, vault } = space;
  const { catalogue } = vault;
  const unknown = problems.settings.filter(isUnknownSetting).length;
  return {
    notes: {
      matters: catalogue.count('matter'),
      tasks: catalogue.count('task'),
      signals: catalogue.count('signal'),
      events: catalogue.count('event') + catalogue.count('reversal') + catalogue.count('order'),
    },
    settings: { unusable: problems.settings.length - unknown, unknown },
    nearKeys: await inSlices(nearKeys(space)),
    canExchange: exchangeOf(vault),
    hasProvider: models.provider !== null,
    isBudgetLowered: effectiveCaps(context).vaultUsd !== context.settings.budget_usd_per_day,
    leaving: await leaving(space),
    mail: unvouchedMail(space),
    known: Object.keys(context.state.get('known-problems')),
  };
}

async function leaving(space: Workspace): Promise<Examination['leaving']> {
  if (retentionStatus(space.context) === null) return null;
  const { streams, events, signals } = await leavingNow(space);
  return { streams: streams.length, events: events.length, signals: signals.length };
}

function exchangeOf(vault: Vault): boolean | null {
  const { tmp } = vault.places;
  if (!fs.existsSync(tmp)) return null;
  const exchange = systemExchange();
  return exchange !== null && isWritable(tmp) && canExchange(exchange, tmp);
}

interface NearKey {
  readonly file: string;
  readonly key: string;
  readonly meant: string;
}

/** Keys of ours that people don't write by hand. */
const OURS_ALONE = ['state_field', 'unexplained', 'set_aside'];

/** Words of other programs that only look like one of ours. */
const OTHERS = [
  'state',
  'status',
  'scheduled',
  'schedule',
  'date',
  'name',
  'title',
  'done',
  'stated',
  'dues',
  'tags',
  'account',
  'invoices',
  'references',
];

/** A name of a few letters is near to too many words. */
const LEAST_LETTERS = 5;

/**
 * Returns the keys of matters and tasks that seem mistyped. People may have any keys of their own, so this is no
 * problem. Reads each matter and task once, and again only after it has changed. Pauses after each note.
 */
export function* nearKeys(space: IndexAccess): Generator<void, NearKey[]> {
  const { catalogue } = space.vault;
  const found: NearKey[] = [];
  for (const note of [...catalogue.matters(), ...catalogue.tasks()]) {
    const known = keysOf(space, note);
    for (const key of ownKeys(space, note)) {
      const meant = meantBy(key, known);
      if (meant !== null) found.push({ file: note.path, key, meant });
    }
    yield;
  }
  return found;
}

const KEYS_READ = new WeakMap<TargetRecord, readonly string[]>();

function ownKeys(space: IndexAccess, note: TargetRecord): readonly string[] {
  const keys = KEYS_READ.get(note) ?? keysIn(space, note);
  KEYS_READ.set(note, keys);
  return keys;
}

function keysOf({ context }: IndexAccess, { kind }: TargetRecord): string[] {
  const ours = kind === 'matter' ? matterFields.shape : taskFields.shape;
  const theirs = kind === 'task' ? Object.keys(context.settings.field_mapping) : [];
  return [
    ...Object.keys(ours).filter((key) => !OURS_ALONE.includes(key)),
    ...theirs,
    ...context.settings.editable_fields,
  ];
}

function keysIn(space: IndexAccess, { path }: TargetRecord): string[] {
  try {
    const read = readNote(path, readInside(space.vault.root, path, MAX_NOTE_BYTES).bytes);
    return read.ok ? Object.keys(read.note.data).filter((key) => key.length >= LEAST_LETTERS) : [];
  } catch {
    return []; // gone by now, or refused by the disk, which `problemsOf` reports
  }
}

function meantBy(key: string, known: readonly string[]): string | null {
  if (key.length < LEAST_LETTERS || known.includes(key) || OTHERS.includes(key.toLowerCase())) return null;
  return nearest(
    key,
    known.filter(({ length }) => length >= LEAST_LETTERS),
  );
}

const NEWEST = 50;

/** It is worth a warning if at least this many mails, and at least half of all, have no trusted server. */
const MANY = 3;

const SHARE = 0.5;

/** A mail that is larger is not opened for its headers. */
const MOST_BYTES = 1024 * 1024;

const HEADERS = 64 * 1024;

const NAMED = 3;

/**
 * Returns what a person can do if Steward may not act on most of the newest mails, because no server that the settings
 * trust authenticates their senders. Names the servers that say on top of the mails who sent them. Reads mails.
 */
export function unvouchedMail(space: IndexAccess): Diagnostic[] {
  const mails = space.vault.catalogue
    .signals()
    .filter(
      (signal) => /^(?:mail|gmail|gmail_unknown)$/.test(signal.fields.source_type ?? '') && isOwnNote(space, signal),
    )
    .sort((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1))
    .slice(0, NEWEST);
  const unvouched = mails.filter(({ fields }) => fields.authenticated === 'none').length;
  if (unvouched < MANY || unvouched < SHARE * mails.length) return [];
  const { trusted_mail_servers: trusted } = space.context.settings;
  const found = topmostServers(space);
  const servers = found.filter(({ server, source }) => source !== null || !isTrustedServer(trusted, server));
  // They were read before their server was trusted, or it says itself that it cannot vouch: nothing is left to be done.
  if (found.length > 0 && servers.length === 0) return [];
  return [
    diagnostic({
      code: 'mail-unvouched',
      file: 'steward.md',
      message: `No trusted server authenticated the senders of ${unvouched} of the newest ${mails.length} mail signals, so these only propose.`,
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
  const trusted = providerOfServer(first.server) ?? first.server;
  const what =
    first.source === null
      ? `the server that takes in your mail, write trusted_mail_servers: [${trusted}] into steward.md`
      : `the server of the account ${first.source}, write mail_server: ${trusted} into its note, and allow it by \`steward source test ${shellWord(first.source)}\``;
  return `Your newest mails name ${named.join(', ')}. If that is ${what}. A sender can write such a line too: add only servers that you know.`;
}

function timeOf({ fields, name }: SignalRecord): string {
  return `${fields.created ?? ''} ${name}`;
}

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

// A fetched mail is authenticated by its account's own server, whatever the settings trust.
function namedIn(file: string, bytes: Buffer, seal: Seal): Omit<Named, 'mails'> | null {
  const server = topmostServer(bytes.subarray(0, HEADERS).toString('latin1'));
  const fetched = readFetched(bytes, file, seal);
  if (server === null || (fetched?.server != null && isTrustedServer([fetched.server], server))) return null;
  return { server, source: fetched?.source ?? null };
}

function bytesOf(vault: Vault, file: string): Buffer {
  try {
    return readInside(vault.root, file, MOST_BYTES).bytes;
  } catch {
    return Buffer.alloc(0); // gone, too large, or not a file
  }
}

/**
 * Returns the server that the topmost `Authentication-Results` of a mail names, in lower case; null without one.
 */
export function topmostServer(mail: string): string | null {
  const lines = mail.split(/\r?\n/);
  const end = lines.indexOf('');
  const headers = end < 0 ? lines : lines.slice(0, end);
  const at = headers.findIndex((line) => line.toLowerCase().startsWith(HEADER));
  if (at < 0) return null;
  // The name may be on the next line, which then begins with a blank.
  const [first = '', next = ''] = headers.slice(at, at + 2);
  const value = `${first.slice(HEADER.length)} ${/^[ \t]/.test(next) ? next : ''}`.trim();
  return /^[a-z0-9][a-z0-9._-]{0,252}(?=[\s;]|$)/i.exec(value)?.[0].toLowerCase() ?? null;
}

const HEADER = 'authentication-results:';
