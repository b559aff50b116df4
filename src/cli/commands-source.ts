import os from 'node:os';
import path from 'node:path';
import { needsPassword } from '../source/password.ts';
import { fieldTrouble, type Grant, pinned, type SourceFields, sourceName, sourceSettings } from '../source/source.ts';
import { usageError } from './base/usage-error.ts';
import type { CommonOptions } from './base.ts';

interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

/** How a person is asked. Each returns null where they break it off. */
export interface SourceAsking {
  /** Says something between two questions. */
  readonly tell: (text: string) => void;
  readonly choose: (message: string, choices: readonly Choice[]) => Promise<string | null>;
  /** `standing`: what an empty answer means; where it is empty an answer is wanted. `check`: says what is wrong with an answer. */
  readonly name: (
    message: string,
    standing: string,
    check?: (answer: string) => string | null,
  ) => Promise<string | null>;
  /** What is typed is not shown, and kept nowhere. */
  readonly secret: (message: string) => Promise<string | null>;
  /** Enter means no. */
  readonly agree: (message: string) => Promise<boolean | null>;
}

/** Returns how to ask the person at this terminal; null where nobody is there to be asked. */
export async function terminalAsking(): Promise<SourceAsking | null> {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) return null;
  const { confirm, isCancel, log, password, select, text } = await import('@clack/prompts');
  return {
    tell: (words) => log.message(words),
    choose: async (message, choices) => {
      const answer = await select({ message, options: choices.map((choice) => ({ ...choice })) });
      return isCancel(answer) ? null : answer;
    },
    name: async (message, standing, check = () => null) => {
      const shown = standing === '' ? {} : { placeholder: standing, defaultValue: standing };
      const validate = (answer: string | undefined) => complaint((answer ?? '').trim() || standing, check);
      const answer = await text({ message, ...shown, validate });
      return isCancel(answer) ? null : answer.trim();
    },
    secret: async (message) => {
      const answer = await password({ message });
      return isCancel(answer) ? null : answer;
    },
    agree: async (message) => {
      const answer = await confirm({ message, initialValue: false });
      return isCancel(answer) ? null : answer;
    },
  };
}

function complaint(answer: string, check: (answer: string) => string | null): string | undefined {
  return answer === '' ? 'An answer is needed; Ctrl-C breaks it off.' : (check(answer) ?? undefined);
}

/** A provider of mailboxes and calendars, as far as it is known from its own public pages. */
interface Provider {
  readonly name: string;
  /** The domains of its addresses. */
  readonly domains: readonly string[];
  readonly imap: { readonly host: string; readonly port?: number; readonly security?: string } | null;
  readonly caldav: string | null;
  /** How it lets a program in; the simplest way first. */
  readonly auth: readonly ('password' | 'oauth2')[];
  /** What a person must know before they connect it, in one sentence. */
  readonly says: string;
}

const PROVIDERS: readonly Provider[] = [
  {
    name: 'Gmail',
    domains: ['gmail.com', 'googlemail.com'],
    imap: { host: 'imap.gmail.com' },
    caldav: null,
    auth: ['password', 'oauth2'],
    says: 'Gmail does not take your own password here: with 2-Step Verification on, make an app password at myaccount.google.com/apppasswords, or use OAuth2.',
  },
  {
    name: 'Outlook and Microsoft 365',
    domains: ['outlook.com', 'hotmail.com', 'live.com', 'msn.com', 'outlook.de', 'hotmail.de', 'live.de'],
    imap: { host: 'outlook.office365.com' },
    caldav: null,
    auth: ['oauth2'],
    says: 'Microsoft lets programs in by OAuth2 alone: a command must print an access token (docs/sources.md shows how to get one).',
  },
  {
    name: 'iCloud',
    domains: ['icloud.com', 'me.com', 'mac.com'],
    imap: { host: 'imap.mail.me.com' },
    caldav: 'https://caldav.icloud.com/',
    auth: ['password'],
    says: 'iCloud wants an app-specific password: make one at account.apple.com, under Sign-In and Security.',
  },
  {
    name: 'Fastmail',
    domains: ['fastmail.com', 'fastmail.fm'],
    imap: { host: 'imap.fastmail.com' },
    caldav: 'https://caldav.fastmail.com/',
    auth: ['password'],
    says: 'Fastmail wants an app password: make one under Settings, Privacy & Security, with access to mail (IMAP) or calendars alone.',
  },
  {
    name: 'Yahoo',
    domains: [
      'yahoo.com',
      'yahoo.de',
      'yahoo.co.uk',
      'yahoo.fr',
      'yahoo.it',
      'yahoo.es',
      'ymail.com',
      'rocketmail.com',
    ],
    imap: { host: 'imap.mail.yahoo.com' },
    caldav: 'https://caldav.calendar.yahoo.com/',
    auth: ['password'],
    says: 'Yahoo wants an app password: make one in your account, under Security.',
  },
  {
    name: 'GMX',
    domains: ['gmx.net', 'gmx.de', 'gmx.at', 'gmx.ch'],
    imap: { host: 'imap.gmx.net' },
    caldav: 'https://caldav.gmx.net/',
    auth: ['password'],
    says: 'GMX lets programs in once you allow it: Settings, POP3/IMAP retrieval; with two-factor sign-in it wants a password for one application.',
  },
  {
    name: 'GMX (international)',
    domains: ['gmx.com', 'gmx.us', 'gmx.co.uk', 'gmx.fr'],
    imap: { host: 'imap.gmx.com' },
    caldav: null,
    auth: ['password'],
    says: 'GMX lets programs in once you allow it: Settings, POP3 & IMAP.',
  },
  {
    name: 'WEB.DE',
    domains: ['web.de', 'email.de'],
    imap: { host: 'imap.web.de' },
    caldav: 'https://caldav.web.de/',
    auth: ['password'],
    says: 'WEB.DE lets programs in once you allow it: Settings, POP3/IMAP retrieval; with two-factor sign-in it wants a password for one application.',
  },
  {
    name: 'Posteo',
    domains: ['posteo.de', 'posteo.net', 'posteo.org', 'posteo.eu', 'posteo.at', 'posteo.ch'],
    imap: { host: 'posteo.de' },
    caldav: 'https://posteo.de:8443/',
    auth: ['password'],
    says: 'Posteo takes your own password, or an app password where you have turned those on.',
  },
  {
    name: 'mailbox.org',
    domains: ['mailbox.org'],
    imap: { host: 'imap.mailbox.org' },
    caldav: 'https://dav.mailbox.org/',
    auth: ['password'],
    says: 'mailbox.org takes your own password; with two-factor sign-in it wants an application password.',
  },
  {
    name: 'Proton Mail Bridge',
    domains: ['proton.me', 'protonmail.com', 'pm.me'],
    imap: { host: '127.0.0.1', port: 1143, security: 'starttls' },
    caldav: null,
    auth: ['password'],
    says: 'Proton is reached through its Bridge on this machine: take the password that Bridge shows, and trust the certificate that it exports (NODE_EXTRA_CA_CERTS).',
  },
];

/** Returns the provider of an address, or null where it is not one of the well-known. */
export function providerOf(address: string): Provider | null {
  const domain = domainOf(address);
  return PROVIDERS.find(({ domains }) => domains.includes(domain)) ?? null;
}

/** Returns the domain of an address, in small letters; empty where it has none. */
export function domainOf(address: string): string {
  const at = address.lastIndexOf('@');
  return at === -1
    ? ''
    : address
        .slice(at + 1)
        .trim()
        .toLowerCase();
}

/**
 * Returns the provider that a server belongs to, or null. `port`: where it is said; what listens at another one of this machine
 * is not the provider's.
 */
export function providerAt(host: string, port: unknown): Provider | null {
  const name = host.trim().toLowerCase();
  const isPort = (own?: number) => own === undefined || port === undefined || port === own;
  return PROVIDERS.find(({ imap }) => imap?.host === name && isPort(imap.port)) ?? null;
}

/** A run of text in one kind of quotes, or a piece without any. */
const PIECE = /"([^"]*)"|'([^']*)'|([^\s"']+)/y;

/**
 * Returns a program and its arguments: several words as they are, a single text split at its blanks, where quotes keep words
 * together, and `~/` at the beginning of a word is the home of whoever typed it. No shell sees it: no variable, wildcard or pipe
 * means anything. Throws `usage` where a quote is not closed.
 */
export function programWords(given: readonly string[]): readonly string[] {
  const [only = '', ...more] = given;
  if (more.length > 0 || given.length === 0) return given;
  const words: string[] = [];
  let at = 0;
  let isOpen = false;
  while (at < only.length) {
    if (/\s/.test(only[at] ?? '')) {
      isOpen = false;
      at += 1;
      continue;
    }
    PIECE.lastIndex = at;
    const found = PIECE.exec(only);
    if (found === null) throw usageError('A quote in the command is not closed.', 'Close it, or leave it out.');
    const piece = found[1] ?? found[2] ?? (isOpen ? found[3] : atHome(found[3])) ?? '';
    if (isOpen) words.push(`${words.pop() ?? ''}${piece}`);
    else words.push(piece);
    isOpen = true;
    at = PIECE.lastIndex;
  }
  return words;
}

// A shell would have done it, had the text stood without quotes.
function atHome(piece: string | undefined): string | undefined {
  return piece?.startsWith('~/') === true ? path.join(os.homedir(), piece.slice(2)) : piece;
}

/** What a person says of a new source on the command line. */
export interface AddOptions extends CommonOptions {
  readonly kind?: string;
  readonly host?: string;
  readonly port?: number;
  readonly security?: string;
  readonly user?: string;
  readonly auth?: string;
  readonly folder?: readonly string[];
  readonly since?: string;
  readonly sender?: readonly string[];
  readonly keep?: string;
  readonly mailServer?: string;
  readonly url?: string;
  readonly calendar?: readonly string[];
  readonly every?: string;
  readonly passwordCommand?: readonly string[];
  /** False with `--no-test`. */
  readonly test?: boolean;
  readonly yes?: boolean;
}

/** A source that is not there yet. */
export interface Draft {
  readonly name: string;
  readonly fields: SourceFields;
  readonly passwordCommand: readonly string[] | null;
  readonly run: readonly string[] | null;
}

/** What of it is still to be asked. */
export interface OpenDraft extends Omit<Draft, 'name'> {
  readonly name: string | null;
}

/** What each kind's note may say, in the order in which it is written. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  imap: ['host', 'port', 'security', 'user', 'auth', 'folders', 'since', 'senders', 'keep', 'mail_server', 'every'],
  caldav: ['url', 'user', 'auth', 'calendars', 'every'],
  ics: ['url', 'user', 'every'],
  webhook: ['port'],
  command: ['every'],
};

/** What a source of each kind is called where a person does not say it. */
export const USUAL_NAMES: Readonly<Record<string, string>> = {
  imap: 'inbox',
  caldav: 'calendar',
  ics: 'feed',
  webhook: 'hook',
  command: 'program',
};

/** Returns what the command line says of a source. Throws `usage` (2) where it says what does not go together. */
export function draftOf(name: string | undefined, program: readonly string[], options: AddOptions): OpenDraft {
  const kind = options.kind ?? (program.length > 0 ? 'command' : undefined);
  const said = saidIn(options);
  const allowed = kind === undefined ? null : Object.hasOwn(FIELDS, kind) ? FIELDS[kind] : undefined;
  if (allowed === undefined)
    throw usageError(`There is no kind of source named ${JSON.stringify(kind)}.`, `It is one of ${KINDS}.`);
  const odd = Object.keys(said).find((field) => allowed !== null && !allowed.includes(field));
  if (odd !== undefined)
    throw usageError(`A source of the kind ${kind} has no ${odd}.`, `It may have ${allowed?.join(', ')}.`);
  if (program.length > 0 && kind !== 'command')
    throw usageError(
      'Only a source of the kind command takes a program after --.',
      'Say --kind command, or leave it out.',
    );
  return {
    name: name ?? null,
    fields: kind === undefined ? said : { kind, ...said },
    passwordCommand: options.passwordCommand === undefined ? null : programWords(options.passwordCommand),
    run: program.length > 0 ? program : null,
  };
}

/** The kinds, as a person reads them. */
const KINDS = 'imap, caldav, ics, webhook or command';

function saidIn(options: AddOptions): SourceFields {
  const { host, port, security, user, auth, folder, since, sender, keep, mailServer, url, calendar, every } = options;
  const said = { host, port, security, user, auth, since, keep, url, every, mail_server: mailServer };
  const lists = { folders: folder, senders: sender, calendars: calendar };
  const given = Object.entries({ ...said, ...lists }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as SourceFields; // what is undefined is gone
}

/** Returns the fields with what the provider of the mailbox is known to want; what a person says stands. */
function filledIn(fields: SourceFields): SourceFields {
  if (fields.kind !== 'imap') return inOrder(fields);
  const user = String(fields.user ?? '');
  const known = fields.host === undefined ? providerOf(user) : providerAt(String(fields.host), fields.port);
  const domain = domainOf(user);
  const guessed = domain === '' ? {} : { host: `imap.${domain}` };
  const proposed = known?.imap ?? guessed;
  const auth = known?.auth[0] === 'oauth2' ? { auth: 'oauth2' } : {};
  return inOrder({ ...auth, ...proposed, ...fields });
}

function inOrder(fields: SourceFields): SourceFields {
  const order = ['kind', ...(FIELDS[String(fields.kind)] ?? [])];
  const entries = order.flatMap((field) => (fields[field] === undefined ? [] : [[field, fields[field]] as const]));
  return Object.fromEntries(entries);
}

/** What must be said of each kind, and by which option. */
const NEEDED: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  imap: [
    ['user', '--user ADDRESS'],
    ['host', '--host SERVER'],
  ],
  caldav: [
    ['url', '--url ADDRESS'],
    ['user', '--user NAME'],
  ],
  ics: [['url', '--url ADDRESS']],
  webhook: [],
  command: [],
};

/** Returns a source of which all is said. Throws `usage` (2) with what is missing or wrong. */
export function completeDraft(open: OpenDraft): Draft {
  const kind = String(open.fields.kind ?? '');
  if (kind === '') throw usageError('The kind of the source is missing.', `Say --kind: ${KINDS}.`);
  const fields = filledIn(open.fields);
  const lacking = (NEEDED[kind] ?? []).find(([field]) => fields[field] === undefined);
  if (lacking !== undefined)
    throw usageError(`A source of the kind ${kind} needs its ${lacking[0]}.`, `Say ${lacking[1]}.`);
  if (kind === 'command' && open.run === null)
    throw usageError(
      'The program is missing.',
      'Name it after --: steward source add NAME --kind command -- PROGRAM ARGUMENTS',
    );
  const name = open.name ?? USUAL_NAMES[kind] ?? kind;
  const trouble = nameTrouble(name) ?? fieldTrouble(fields);
  if (trouble !== null) throw usageError(`${trouble}.`, 'See docs/sources.md for what a source may have.');
  if (open.passwordCommand !== null && kind !== 'command' && !needsPassword(sourceSettings.parse(fields)))
    throw unusedCommand();
  return { ...open, name, fields };
}

/** Returns the error for a password command of a calendar that is read without a password. */
export function unusedCommand(): Error {
  return usageError(
    'This calendar is read without a password, so the command would never run.',
    'Name the user, or write {secret} in the address where its secret part belongs; or leave the command out.',
  );
}

/** What stands against a name; null where a source may be called so. */
export function nameTrouble(name: string): string | null {
  const named = sourceName.safeParse(name);
  return named.success ? null : `The name ${JSON.stringify(name)} ${named.error.issues[0]?.message}`;
}

/** Returns what a person allows with a draft. Its fields must be valid. */
export function grantOfDraft({ fields, passwordCommand, run }: Draft, now: number): Grant {
  const at = new Date(now).toISOString();
  return {
    pinned: { ...pinned(sourceSettings.parse(fields)) },
    passwordCommand: passwordCommand === null ? null : [...passwordCommand],
    run: run === null ? null : [...run],
    at,
  };
}
