import type { Grant } from '../../../source/grant.ts';
import { needsPassword } from '../../../source/password-place.ts';
import { fieldTrouble, type SourceFields } from '../../../source/source-fields.ts';
import { pinned, sourceName, sourceSettings } from '../../../source/source-note.ts';
import type { CommonOptions } from '../../base/context.ts';
import { usageError } from '../../base/usage-error.ts';
import { domainOf, providerAt, providerOf } from './providers.ts';
import { programWords } from './words.ts';

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
