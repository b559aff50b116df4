import path from 'node:path';
import { z } from 'zod';
import { entriesSlice } from '../daemon/state.ts';
import { type GenericEvent, genericEvent, whyNoEvent } from '../streams/generic-event.ts';
import { sha256 } from '../vault/note-text.ts';
import { issueWords } from '../vault/record.ts';
import { OWN_FILES, plainSender } from '../vault/source-names.ts';
import { utc } from '../vault/time.ts';

/**
 * A server or program that steward polls. To add one: a file in this folder, its schema and an entry in `KINDS` below, and a
 * case in `loadSource` (`source-work.ts`). Opening throws a `SourceError`. Aborting ends whatever is under way.
 */
export interface Source {
  open(inlet: Inlet, abort: AbortSignal): Promise<Session>;
}

/** A connection to a source. */
export interface Session {
  /** Puts everything that is new since the cursor into the inlet, in order. Returns what is wrong with parts of it. Throws a `SourceError`. */
  poll(): Promise<readonly SourceProblem[]>;
  /** Resolves when the source reports something new; never if it can't report. Rejects when the connection is lost. */
  waitForNews(): Promise<void>;
  /** Describes what is there, in a few lines, for a person who has just connected it. Throws a `SourceError`. */
  describe(): Promise<readonly string[]>;
  /**
   * Returns the server that signs the newest mails, as a proposal for a person; null if they don't say. Throws a
   * `SourceError`. Absent for a source without mails.
   */
  readonly signer?: () => Promise<string | null>;
  /** Returns who sent the newest mails. Throws a `SourceError`. Absent for a source without mails. */
  readonly senders?: () => Promise<SenderReport>;
  /** Ends it. Never rejects. */
  close(): Promise<void>;
}

/** How many of a mailbox's newest mails have an authenticated sender. */
export interface SenderReport {
  /** Who authenticates them, as `mail_server` says; null if it isn't set. */
  readonly server: string | null;
  readonly mails: number;
  readonly authenticated: number;
  /** Those of whom no mail is authenticated, the most frequent first. `from`: empty if a mail doesn't name one sender. */
  readonly never: readonly { readonly from: string; readonly mails: number; readonly reason: string }[];
}

/** The vault, as a source sees it. */
export interface Inlet {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Whether a mail may be about something in the vault. */
  readonly checkRelevance: (head: MailHead) => Promise<Relevance>;
  /** Whether something with this key was put in before. Throws what the disk refuses. */
  readonly knows: (key: string) => boolean;
  /** Where this source stopped the last time, as it saved it; null at the first time. */
  readonly cursor: () => Json;
  /**
   * Puts the arrivals into `stream/`, and only then moves the cursor: when it resolves, all of that is on disk. Waits
   * while much is unread. Rejects with what the disk refuses, or if the vault is away; then the cursor stays as it was.
   */
  readonly put: (arrivals: readonly Arrival[], cursor: Json) => Promise<void>;
}

/** A value as JSON can hold it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** One thing that came from a source. */
export interface Arrival {
  /** SHA-256 (hex) of what makes it the same thing at this source. The same thing has the same key each time. */
  readonly key: string;
  /** When it happened or came in (epoch ms), as the server says; null if it doesn't. */
  readonly at: number | null;
  /** Null for what isn't taken. Its key is stored anyway. */
  readonly content: Content | null;
}

type Content =
  /** The whole mail as the server has it. `isSent`: it was in the folder of mails that the user sent. */
  | { readonly kind: 'mail'; readonly bytes: Uint8Array; readonly isSent?: true }
  /** One calendar (`BEGIN:VCALENDAR` …), with one entry or many. */
  | { readonly kind: 'calendar'; readonly bytes: Uint8Array }
  | { readonly kind: 'event'; readonly event: GenericEvent };

/** The beginning of a mail, before the rest is fetched. */
export interface MailHead {
  /** The header block; or the header and the beginning of the body. */
  readonly bytes: Uint8Array;
  readonly isWhole: boolean;
  /** It is in the folder of mails that the user sent; absent of any other. */
  readonly isSent?: true;
}

/** What to do with a mail of which only the beginning is there. `more`: a longer beginning is needed to decide. */
export type Relevance = 'fetch' | 'more' | 'pass';

/** A password, token or key. Read each time it is needed: a token may have changed. Throws a `SourceError`. */
export interface Credential {
  reveal(): Promise<string>;
}

/** A problem with a part of a source. The rest of it works. */
export interface SourceProblem {
  readonly message: string;
  readonly hint: string;
}

/**
 * Why a source gave no event. `away`: no server, no whole answer in time, the connection ended. `refused`: a wrong
 * password, or none. `certificate`: the server doesn't prove who it is. `missing`: the folder or calendar isn't there.
 * `busy`: it asks to wait. `strange`: an answer that makes no sense. `setup`: the note, this machine or a library isn't
 * ready. `fault`: an error in this program.
 */
export type SourceFailure = 'away' | 'refused' | 'certificate' | 'missing' | 'busy' | 'strange' | 'setup' | 'fault';

interface SourceErrorDetails {
  readonly kind: SourceFailure;
  /** One sentence in plain words, without any secret, and without anything that the server sent. */
  readonly message: string;
  readonly hint: string;
  /** For how long (ms) the server asks to wait; absent if it doesn't say. */
  readonly waitMs?: number;
}

export class SourceError extends Error {
  readonly kind: SourceFailure;
  readonly hint: string;
  readonly waitMs: number | null;

  constructor({ kind, message, hint, waitMs }: SourceErrorDetails, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SourceError';
    this.kind = kind;
    this.hint = hint;
    this.waitMs = waitMs ?? null;
  }
}

/** How much of a mail stays in `stream/`: all of it, its headers and its text, or no part once it has been read. */
const KEEPS = ['mail', 'text', 'quote'] as const;

const MINUTE_MS = 60_000;
const UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS };
const LONGEST_PACE_MS = 7 * 24 * 60 * MINUTE_MS;

/** `5m`, `1h`: from one minute to a week, in ms. */
const PACE = 'must be a pace such as 5m, 1h or 1d';
const pace = z
  .string({ error: PACE })
  .regex(/^\d{1,4}[mhd]$/, { error: PACE })
  .transform((text) => Number(text.slice(0, -1)) * (UNITS[text.slice(-1)] ?? 0))
  .refine((ms) => ms >= MINUTE_MS && ms <= LONGEST_PACE_MS, { error: 'must be between 1m and 7d' });

const HOST = /^(?=.{1,253}$)(?!-)[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})*$|^\[?[0-9a-fA-F:.]{2,45}\]?$/;
const host = z.string().regex(HOST, { error: 'must be the name or address of a server' });
/** As in `trusted_mail_servers`: the name of a server or provider, or `opendmarc:` and the server's name. */
const mailServer = z.string().regex(/^(?:opendmarc:)?(?=.{1,240}$)[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i, {
  error: 'must be the name of a mail server or provider',
});
const PORT = { error: 'must be a number from 1 to 65535' };
const port = z.int(PORT).min(1, PORT).max(65_535, PORT);
const words = z.string().trim().min(1).max(300);
const listed = z.preprocess((value) => (typeof value === 'string' ? [value] : (value ?? [])), z.array(words).max(200));
/** Loopback alone may be spoken to without a proof of who answers. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/;

const url = z.string().refine(isFitUrl, {
  error: 'must be an https address without a name or password in it; http is for this machine alone',
});

const common = {
  paused: z
    .boolean()
    .nullish()
    .transform((paused) => paused ?? false),
};
const day = z.iso.date({ error: 'must be a day, as in 2026-11-01' });

const imap = z
  .object({
    ...common,
    kind: z.literal('imap'),
    host: host.toLowerCase(),
    port: port.default(993),
    /** `none` is for a server on this machine. */
    security: z.enum(['tls', 'starttls', 'none']).default('tls'),
    user: words,
    auth: z.enum(['password', 'oauth2']).default('password'),
    folders: listed.transform((names) => (names.length === 0 ? ['INBOX'] : names)),
    /** Where the mails are that the user sent: a folder, or `auto` for the one that the server marks; null: not read. */
    sent_folder: words.nullish().transform((name) => name ?? null),
    /** The user's addresses beside `user`: sent mails from others don't count. */
    own_addresses: listed,
    /** Mails that came in before that day are not looked at; null: what came in the last 30 days before the first visit. */
    since: day.nullish().transform((since) => since ?? null),
    /** Addresses and domains; if there are any, mails of others are not looked at. */
    senders: listed,
    keep: z.enum(KEEPS).default('mail'),
    /** Who signs `Authentication-Results` for the account: a provider, or the server's own name; null: no sender is authenticated. */
    mail_server: mailServer.nullish().transform((server) => server ?? null),
    every: pace.default(5 * MINUTE_MS),
  })
  .refine(({ security, host: name }) => security !== 'none' || LOOPBACK.test(name), {
    error: 'may be "none" only for a server on this machine',
    path: ['security'],
  })
  .refine(({ sent_folder: sent }) => !/^inbox$/i.test(sent ?? ''), {
    error: "must not be INBOX: everybody's mails arrive there",
    path: ['sent_folder'],
  })
  .refine((settings) => settings.sent_folder === null || ownAddresses(settings).length > 0, {
    error: 'must have your address if user has none, because sent_folder is set',
    path: ['own_addresses'],
  });
const caldav = z.object({
  ...common,
  kind: z.literal('caldav'),
  url,
  user: words,
  auth: z.enum(['password', 'oauth2']).default('password'),
  /** Names of calendars as the server shows them; none: all. */
  calendars: listed,
  every: pace.default(10 * MINUTE_MS),
});
const ics = z.object({
  ...common,
  kind: z.literal('ics'),
  /** `webcal:` is what a button in a browser says for https. */
  url: z
    .string()
    .transform((written) => written.replace(/^webcals?:/i, 'https:'))
    .pipe(url),
  /** Where the address asks for a name and password. */
  user: words.nullish().transform((user) => user ?? null),
  every: pace.default(60 * MINUTE_MS),
});
const webhook = z.object({ ...common, kind: z.literal('webhook'), port: port.default(8377) });
const command = z.object({ ...common, kind: z.literal('command'), every: pace.default(15 * MINUTE_MS) });

/** Returns the addresses from which the user of a mailbox sends, folded. */
export function ownAddresses({ user, own_addresses: others }: { user: string; own_addresses: readonly string[] }) {
  return [user, ...others].map(plainSender).filter((address) => /^[^\s@]+@[^\s@]+$/.test(address));
}

const KINDS = {
  imap: {
    pins: ['host', 'port', 'security', 'user', 'auth', 'mail_server'],
    about:
      'A mailbox. Steward reads its new mails, and brings those that may be about a matter or task here into `{stream}/{name}/`. The server stays unchanged: no mail is marked as read, moved or deleted.',
  },
  caldav: {
    pins: ['url', 'user', 'auth'],
    about:
      'Calendars on a server. New, moved and cancelled appointments are brought into `{stream}/{name}/`. The server stays unchanged.',
  },
  ics: {
    pins: ['url', 'user'],
    about:
      'A calendar at an address. New, moved and cancelled appointments are brought into `{stream}/{name}/`. The calendar stays unchanged.',
  },
  webhook: {
    pins: ['port'],
    about:
      'A webhook on this machine. A program that has the token can send events; they are written into `{stream}/{name}/`.',
  },
  command: {
    pins: [],
    about:
      "A program on this machine. Steward runs it regularly, and writes its output, one event a line, into `{stream}/{name}/`. The program's name is stored outside the vault.",
  },
} as const;

/** The frontmatter of a source note. */
export const sourceSettings = z.discriminatedUnion('kind', [imap, caldav, ics, webhook, command]);
export type SourceSettings = z.infer<typeof sourceSettings>;
export type ImapSettings = Extract<SourceSettings, { kind: 'imap' }>;
export type CaldavSettings = Extract<SourceSettings, { kind: 'caldav' }>;
export type IcsSettings = Extract<SourceSettings, { kind: 'ics' }>;
export type WebhookSettings = Extract<SourceSettings, { kind: 'webhook' }>;

/** Returns what the note of a new source says about its kind. */
export function aboutKind(kind: string): string {
  return Object.entries(KINDS).find(([name]) => name === kind)?.[1].about ?? '';
}

/**
 * Returns the settings that decide where a source leads, and as whom. A person allows them on this machine, so a
 * changed note can't send a password elsewhere, or have another mail server trusted.
 */
export function pinned(settings: SourceSettings): Readonly<Record<string, string | number | null>> {
  const values: Readonly<Record<string, unknown>> = settings;
  const pins = KINDS[settings.kind].pins.map((name) => [name, values[name]]);
  return z.record(z.string(), pin).parse(Object.fromEntries([['kind', settings.kind], ...pins, ...sentPins(settings)]));
}

// Whose word counts as the user's. Left out of what was allowed before there was such a folder.
function sentPins(settings: SourceSettings): readonly (readonly [string, string])[] {
  if (settings.kind !== 'imap' || settings.sent_folder === null) return [];
  return [
    ['sent_folder', settings.sent_folder],
    ['own_addresses', ownAddresses(settings).toSorted().join(', ')],
  ];
}

/** Whether a source of these settings is reached with a password, token or key. */
export function needsPassword(settings: SourceSettings): boolean {
  // A part of the address itself may be the secret.
  if (settings.kind === 'ics') return settings.user !== null || hasPlace(settings.url);
  return settings.kind !== 'command';
}

/** Whether the address of a feed has a place for its secret. */
export function hasPlace(address: string): boolean {
  return /\{secret\}/i.test(address);
}

/** Names that mean something else below `stream/`. */
const TAKEN = ['plane', 'cur', 'new', 'tmp', OWN_FILES];
/**
 * The allowed names of a source: the name is also that of its note and its folder below `stream/`, and that of its
 * credential.
 */
export const sourceName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, { error: 'must be a short name in small letters, digits and hyphens' })
  .refine((name) => !TAKEN.includes(name), { error: 'is taken: it means something else below stream/' });

function isFitUrl(written: string): boolean {
  const address = URL.canParse(written) ? new URL(written) : null;
  if (address === null || `${address.username}${address.password}${address.hash}` !== '') return false;
  return address.protocol === 'https:' || (address.protocol === 'http:' && LOOPBACK.test(address.hostname));
}

const word = z.string().max(2000);

/** The frontmatter of a source note as a person writes it, before what is left out is filled in. */
export const sourceFields = z.record(
  z.string().regex(/^[a-z_]{1,40}$/),
  z.union([word, z.number(), z.boolean(), z.array(word).max(200)]),
);
export type SourceFields = z.infer<typeof sourceFields>;

/**
 * Returns what is wrong with the fields, and with which; null if a source can be read from them. `only`: checks that
 * one field.
 */
export function fieldTrouble(fields: SourceFields, only: string | null = null): string | null {
  const issues = sourceSettings.safeParse(fields).error?.issues ?? [];
  const issue = issues.find(({ path }) => only === null || path[0] === only);
  if (issue === undefined) return null;
  return `${String(issue.path[0] ?? 'kind')} ${whyNotFit(issue)}`;
}

/**
 * Returns what is wrong with a field, as the rest of a sentence that begins with its name; no value of it is repeated.
 */
export function whyNotFit(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'is not valid';
  if (issue.path[0] === 'kind' || issue.code === 'invalid_union')
    return 'must be imap, caldav, ics, webhook or command';
  return issueWords(issue);
}

/** Returns the variable of the environment that may contain a source's password: `STEWARD_SOURCE_INBOX_PASSWORD`. */
export function passwordVariable(name: string): string {
  return `STEWARD_SOURCE_${name.toUpperCase().replaceAll('-', '_')}_PASSWORD`;
}

/** Returns the name of the service's credential that may hold it: `source_inbox`. */
export function passwordCredential(name: string): string {
  return `source_${name}`;
}

/** A program and its arguments. It is started as it is, without a shell. */
const argv = z.array(z.string().min(1).max(4096)).min(1).max(100);
const pin = z.union([z.string(), z.number(), z.null()]);

export const grant = z.object({
  /** Where it leads and as whom, as its note said when it was allowed. */
  pinned: z.record(z.string(), pin),
  /** The program that prints the password or token; null if the environment or a credential of the service has it. */
  passwordCommand: argv.nullable(),
  /** The program that a source of the kind `command` runs; null for the others. */
  run: argv.nullable(),
  /** ISO, UTC */
  at: z.string(),
});
export type Grant = z.infer<typeof grant>;

const json: z.ZodType<Json> = z.json();
const problem = z.object({ message: z.string(), hint: z.string() });

/** The stored state of one source. Times are epoch ms. */
const sourceState = z.object({
  /** The hash of where it leads and as whom. */
  place: z.string(),
  /** Whether its account's own server can authenticate senders. */
  vouches: z.boolean().default(false),
  /** That server, as it signs `Authentication-Results`; null if unknown. */
  server: z.string().nullable().default(null),
  /** Whether its folder of sent mails is read as the user's own word. */
  sent: z.boolean().default(false),
  /** The addresses of its user. */
  own: z.array(z.string()).default([]),
  /** Where it stopped, in the form of its kind. */
  cursor: json,
  /** When it last answered without an error. */
  contact: z.number().nullable(),
  /** When something last came from it. */
  event: z.number().nullable(),
  /** How long (ms) that had been at the server before. */
  lagMs: z.number().nullable(),
  /** How long (ms) it usually takes until the next thing comes. */
  gapMs: z.number().nullable(),
  /** How many things came from it, and how many of them were taken into the vault. */
  seen: z.int(),
  taken: z.int(),
  /** Why the last tries failed, since when, and how many there were; null while it works. */
  failing: problem.extend({ kind: z.string(), since: z.number(), tries: z.int() }).nullable(),
  /** The hash of the password and place that were refused: they aren't tried again. */
  refused: z.string().nullable(),
  problems: z.array(problem),
});
export type SourceState = z.infer<typeof sourceState>;

/** Returns the state of a source that was never polled. `place`: the hash of where it leads. */
export function newSource(place: string): SourceState {
  return {
    place,
    vouches: false,
    server: null,
    sent: false,
    own: [],
    cursor: null,
    contact: null,
    event: null,
    lagMs: null,
    gapMs: null,
    seen: 0,
    taken: 0,
    failing: null,
    refused: null,
    problems: [],
  };
}

/**
 * Parses an event that a program gave. Its id alone makes it the same thing at its source. Without a time it happened `now`
 * (epoch ms), unless it is an appointment. `reason`: the end of a sentence.
 */
export function parseEvent(
  value: unknown,
  now: number,
): { readonly ok: true; readonly arrival: Arrival } | { readonly ok: false; readonly reason: string } {
  const read = genericEvent.safeParse(value);
  if (!read.success) return { ok: false, reason: whyNoEvent(read.error) };
  const { time, appointment } = read.data;
  const event: GenericEvent =
    time === undefined && appointment === undefined ? { ...read.data, time: utc(now) } : read.data;
  const at = event.time === undefined ? null : Date.parse(event.time);
  return { ok: true, arrival: { key: sha256(`event ${event.id}`), at, content: { kind: 'event', event } } };
}

/** The libraries that only some sources need, in the versions that this program is tested with. */
const VERSIONS = { imapflow: '2.10.2', tsdav: '2.3.4' } as const;

/** Returns the command that installs such a library where this program finds it. `place`: the folder of this file. */
export function installCommand(library: keyof typeof VERSIONS, place: string = import.meta.dirname): string {
  const wanted = `${library}@${VERSIONS[library]}`;
  const [before = '', inside] = place.split(`${path.sep}node_modules${path.sep}vault-steward${path.sep}`);
  if (inside === undefined) return `npm install ${wanted}`;
  // A global install is in PREFIX/lib/node_modules; packages next to it there are found.
  if (path.basename(before) === 'lib') return `npm install -g --prefix ${shellWord(path.dirname(before))} ${wanted}`;
  return `npm install --prefix ${shellWord(before)} ${wanted}`;
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Source → what is remembered of it. */
export const SOURCES = entriesSlice('sources', sourceState);
