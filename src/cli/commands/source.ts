import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Request } from '../../daemon/compose.ts';
import { type Environment, readEnvironment } from '../../daemon/environment.ts';
import {
  fieldTrouble,
  type Grant,
  needsPassword,
  passwordCredential,
  passwordVariable,
  pinned,
  type SenderReport,
  SOURCES,
  type SourceFields,
  sourceName,
  sourceSettings,
} from '../../sources/source.ts';
import {
  allowHere,
  forgetRefusal,
  type ListedSource,
  listedSources,
  makeSourceFailure,
  pauseSource,
  unknownSource,
} from '../../sources/source-note.ts';
import { loadSource, type SourceTrial, trySource } from '../../sources/source-work.ts';
import { knownProviders, type MailboxProvider } from '../../vault/data.ts';
import { EXIT, StewardError } from '../../vault/errors.ts';
import { oneLine, shellWord } from '../../vault/note-text.ts';
import { askDaemon, askOrDo, handOver, presentVaultDir } from '../client.ts';
import { printTroubles, STATES } from '../print.ts';
import {
  type CommandContext,
  type CommandResult,
  type CommonOptions,
  clean,
  count,
  formatWhen,
  type Printer,
  usageError,
} from '../terminal.ts';
import { readVault } from '../vault.ts';

/**
 * `steward source list`: every source with its state, where it leads and how its password is had; never the password.
 */
export async function sourceList(options: CommonOptions, context: CommandContext): CommandResult {
  const sources = await allSources(presentVaultDir(options, context), context);
  if (options.json === true) context.out.json(sourceListJson(sources));
  else printSourceList(context.out, sources);
  return EXIT.done;
}

interface TestOptions extends CommonOptions {
  readonly passwordCommand?: readonly string[];
  readonly yes?: boolean;
}

/**
 * `steward source test NAME [-- PROGRAM…]`: says where a source leads, has a person allow it where that is not what was allowed,
 * and connects once. Exit 1 where it is not allowed or does not answer.
 */
export async function sourceTest(
  name: string,
  program: readonly string[],
  options: TestOptions,
  context: CommandContext,
): CommandResult {
  return testedWith(await terminalAsking(), name, program, options, context);
}

/** The same with a given way to ask; null if no person is there. */
export async function testedWith(
  asking: SourceAsking | null,
  name: string,
  program: readonly string[],
  options: TestOptions,
  context: CommandContext,
): CommandResult {
  const root = presentVaultDir(options, context);
  const source = (await allSources(root, context)).find((one) => one.name === name);
  if (source === undefined) throw unknownSource(name);
  const { leads, trouble } = source;
  if (leads === null) throw new StewardError(trouble[0] ?? unknownSource(name).trouble);
  demandFit(source, program, options);
  const wanted = wantedGrant(source, leads, program, options.passwordCommand);
  context.out.plain(leadsSentence(name, leads, wanted));
  const isNew = !isDeepStrictEqual(source.allowed?.pinned, leads);
  if (isNew) printDifference(context.out, source);
  if (isNew && !(await isAgreed(asking, options.yes === true, source))) return EXIT.refused;
  const isChanged = isNew || !isDeepStrictEqual(without(wanted), without(source.allowed));
  const order = { op: 'source-test' as const, name, allow: isChanged ? wanted : null };
  const lacks = source.password === 'none' && wanted.passwordCommand === null;
  const typed = lacks && asking !== null ? await typedHere(asking, root, context) : null;
  return answered(source, () => tested(order, root, context, typed), lacks, context);
}

async function answered(
  source: ListedSource,
  test: () => Promise<{ readonly lines: readonly string[] }>,
  lacks: boolean,
  { out, err }: CommandContext,
): CommandResult {
  try {
    const { lines } = await test();
    const described = { lines, mailServer: null, senders: null };
    printTried(out, err, source.name, { described, failed: null, hasPassword: true });
    if (lacks) printPasswordPlaces(out, source);
    return EXIT.done;
  } catch (error) {
    if (!lacks || !(error instanceof StewardError)) throw error;
    err.trouble(error.trouble);
    printPasswordPlaces(err, source);
    return error.exit;
  }
}

// A daemon has its own password, or none: what is typed here would not be what it uses.
async function typedHere(asking: SourceAsking, root: string, context: CommandContext): Promise<string | null> {
  if ((await askDaemon(context, root, { op: 'alive' })) !== 'absent') return null;
  return asking.secret("The password, for this test only; it isn't stored:");
}

function demandFit({ kind, allowed, password }: ListedSource, program: readonly string[], options: TestOptions): void {
  if (options.passwordCommand !== undefined && password === 'not-needed' && kind !== 'command') throw unusedCommand();
  if (kind !== 'command' && program.length > 0)
    throw usageError('Only a source of the kind command takes a program after --.', 'Leave it out.');
  if (kind === 'command' && program.length === 0 && (allowed?.run ?? null) === null)
    throw usageError(
      'The program it runs is not named on this machine.',
      'Name it after --: steward source test NAME -- PROGRAM',
    );
}

function wantedGrant(
  { allowed }: ListedSource,
  leads: Grant['pinned'],
  program: readonly string[],
  passwordCommand: readonly string[] | undefined,
): Grant {
  return {
    pinned: { ...leads },
    passwordCommand:
      passwordCommand === undefined ? (allowed?.passwordCommand ?? null) : [...programWords(passwordCommand)],
    run: program.length > 0 ? [...program] : (allowed?.run ?? null),
    at: new Date().toISOString(),
  };
}

function without(given: Grant | null): Omit<Grant, 'at'> | null {
  if (given === null) return null;
  const { at: _, ...rest } = given;
  return rest;
}

async function isAgreed(
  asking: SourceAsking | null,
  isSaid: boolean,
  { name, kind, password }: ListedSource,
): Promise<boolean> {
  if (isSaid) return true;
  const isSent = kind !== 'webhook' && password !== 'not-needed';
  if (asking !== null) return (await asking.agree(ADDING.isRight(isSent))) === true;
  throw new StewardError({
    code: 'source-not-allowed',
    message: `You have not allowed ${name} to connect there; Steward sends no request.`,
    hint: `If it is right, \`steward source test ${shellWord(name)} --yes\` allows it.`,
  });
}

interface PauseOptions extends CommonOptions {
  readonly off?: boolean;
}

/** `steward source pause NAME [--off]`: sets `paused` in its note, and changes no other byte. */
export async function sourcePause(name: string, options: PauseOptions, context: CommandContext): CommandResult {
  const paused = options.off !== true;
  const order = { op: 'source-pause' as const, name, paused };
  const root = presentVaultDir(options, context);
  const { changed } = await handOver(context, root, order, async (space) => pauseSource(space, order));
  printPaused(context.out, name, paused, changed);
  return EXIT.done;
}

/** Returns all sources, as the daemon knows them or, if no daemon runs, as this terminal does. */
export function allSources(root: string, context: CommandContext): Promise<readonly ListedSource[]> {
  return askOrDo(context, root, { op: 'sources' }, async () => listedSources(await readVault(context, root)));
}

/** Connects to a source once, from the place that will ask it: the daemon if one runs, else this terminal. */
export function triedWhereItRuns(order: TryOrder, root: string, context: CommandContext): Promise<SourceTrial> {
  return askOrDo(context, root, order, () => triedHere(order, root, context));
}

interface Tested {
  readonly lines: readonly string[];
}

/**
 * Allows a source what a person says, if that is new, and tests it: by the daemon, or here if no daemon runs. Throws
 * what the source answers, as an error that can be printed.
 */
function tested(order: TestOrder, root: string, context: CommandContext, typed: string | null): Promise<Tested> {
  return askOrDo(context, root, order, async () => {
    const space = await readVault(context, root);
    if (order.allow !== null) allowHere(space, order.name, order.allow);
    const again = { op: 'source-try' as const, name: order.name, fields: null, allow: null };
    const { described, failed } = await triedHere(again, root, context, typed);
    if (failed !== null) throw makeSourceFailure(failed);
    const isRefused = space.context.state.get(SOURCES)[order.name]?.refused != null;
    // A source that has worked just now is asked again by the next daemon.
    if (isRefused) await handOver(context, root, order, async (writing) => forgetRefusal(writing, order.name));
    return { lines: described?.lines ?? [] };
  });
}

/** Connects to a source once from this terminal, with a password that a person has typed for that alone, if any. */
export async function triedHere(
  order: TryOrder,
  root: string,
  context: CommandContext,
  typed: string | null = null,
): Promise<SourceTrial> {
  const own = readEnvironment(context.env);
  const env: Environment = typed === null ? own : { ...own, sourcePassword: () => typed };
  const space = await readVault(context, root, own);
  const abort = new AbortController();
  const leave = () => abort.abort();
  process.once('SIGINT', leave);
  try {
    return await trySource({ context: { ...space.context, env }, vault: space.vault }, loadSource, order, abort.signal);
  } finally {
    process.off('SIGINT', leave);
  }
}

interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

/** How a person is asked. Each returns null if they break it off. */
export interface SourceAsking {
  /** Says something between two questions. */
  readonly tell: (text: string) => void;
  readonly choose: (message: string, choices: readonly Choice[]) => Promise<string | null>;
  /**
   * `standing`: the meaning of an empty answer; '' if an answer is needed. `check`: returns what is wrong with an
   * answer.
   */
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

/** Returns how to ask the person at this terminal; null if no person is there to be asked. */
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
  return answer === '' ? 'An answer is needed; Ctrl-C cancels.' : (check(answer) ?? undefined);
}

/** Returns the provider of an address, or null if it is not a well-known one. */
export function findMailboxProvider(address: string): MailboxProvider | null {
  const domain = parseDomain(address);
  return knownProviders().mailboxes.find(({ domains }) => domains.includes(domain)) ?? null;
}

/** Returns the domain of an address, in small letters; empty without one. */
export function parseDomain(address: string): string {
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
export function providerAt(host: string, port: unknown): MailboxProvider | null {
  const name = host.trim().toLowerCase();
  const isPort = (own?: number) => own === undefined || port === undefined || port === own;
  return knownProviders().mailboxes.find(({ imap }) => imap?.host === name && isPort(imap.port)) ?? null;
}

/** A run of text in one kind of quotes, or a piece without any. */
const PIECE = /"([^"]*)"|'([^']*)'|([^\s"']+)/y;

/**
 * Returns a program and its arguments: several words as they are, a single text split at its blanks, where quotes keep
 * words together, and `~/` at the beginning of a word is the home of whoever typed it. No shell sees it: no variable,
 * wildcard or pipe means anything. Throws `usage` if a quote is not closed.
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

/** The options by which a person describes a new source on the command line. */
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
  readonly sentFolder?: string;
  readonly ownAddress?: readonly string[];
  readonly url?: string;
  readonly calendar?: readonly string[];
  readonly every?: string;
  readonly passwordCommand?: readonly string[];
  /** False with `--no-test`. */
  readonly test?: boolean;
  readonly yes?: boolean;
}

/** A source that is not there yet. */
export interface SourceDraft {
  readonly name: string;
  readonly fields: SourceFields;
  readonly passwordCommand: readonly string[] | null;
  readonly run: readonly string[] | null;
}

export interface OpenDraft extends Omit<SourceDraft, 'name'> {
  readonly name: string | null;
}

/** The fields that each kind's note may have, in the order in which they are written. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  imap: [
    'host',
    'port',
    'security',
    'user',
    'auth',
    'folders',
    'since',
    'senders',
    'keep',
    'mail_server',
    'sent_folder',
    'own_addresses',
    'every',
  ],
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
export function makeDraft(name: string | undefined, program: readonly string[], options: AddOptions): OpenDraft {
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
      'Add --kind command, or leave it out.',
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
  const sent = { sent_folder: options.sentFolder, own_addresses: options.ownAddress };
  const lists = { ...sent, folders: folder, senders: sender, calendars: calendar };
  const given = Object.entries({ ...said, ...lists }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as SourceFields; // what is undefined is gone
}

function filledIn(fields: SourceFields): SourceFields {
  if (fields.kind !== 'imap') return inOrder(fields);
  const user = String(fields.user ?? '');
  const known = fields.host === undefined ? findMailboxProvider(user) : providerAt(String(fields.host), fields.port);
  const domain = parseDomain(user);
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

/** The fields that each kind needs, and the option for each. */
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
export function completeDraft(open: OpenDraft): SourceDraft {
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

function unusedCommand(): Error {
  return usageError(
    'This calendar is read without a password, so the command would never run.',
    'Name the user, or write {secret} in the address in place of its secret part; or leave the command out.',
  );
}

/** Returns what is wrong with a name; null if a source may have it. */
export function nameTrouble(name: string): string | null {
  const named = sourceName.safeParse(name);
  return named.success ? null : `The name ${JSON.stringify(name)} ${named.error.issues[0]?.message}`;
}

/** Returns what a person allows with a draft. Its fields must be valid. */
export function grantOfDraft({ fields, passwordCommand, run }: SourceDraft, now: number): Grant {
  const at = new Date(now).toISOString();
  return {
    pinned: { ...pinned(sourceSettings.parse(fields)) },
    passwordCommand: passwordCommand === null ? null : [...passwordCommand],
    run: run === null ? null : [...run],
    at,
  };
}

type TryOrder = Extract<Request, { op: 'source-try' }>;

type TestOrder = Extract<Request, { op: 'source-test' }>;

/** The questions and remarks of `source add` on a terminal. */
export const ADDING = {
  allTheSame: 'Write the note anyway?',
  ownServer: (server: string) => `Is ${server} the server of your own provider?`,
  aboutServer: (server: string) =>
    `${server} has marked the newest mails to say whether their senders are who they claim to be. If it is your own provider’s server, Steward trusts it, and a mail of somebody you know may change a note; otherwise mails only propose.`,
  aboutProvider: (provider: string) =>
    `${provider} checks for each mail whether its sender is who they claim to be. If you trust ${provider}, a mail of somebody you know may change a note; otherwise mails only propose.`,
  trustProvider: (provider: string) => `Trust ${provider} about the senders of this mailbox?`,
  isRight: (isSent: boolean) => `Is that right?${isSent ? ' Its password is sent there.' : ''}`,
} as const;

export function printSourceWritten(out: Printer, file: string): void {
  out.plain(`Wrote ${file}. Its address is allowed on this machine from now on.`);
}

/** Says that the person broke it off. */
export function printNothingChanged(err: Printer): void {
  err.line('Nothing is changed.');
}

/** Says how a source is written that failed its test. */
export function printHowUntested(err: Printer): void {
  err.line('With --no-test it is written without a test.');
}

/**
 * Prints who authenticates senders, if there is no person to ask whether to trust it. `provider`: its name, if it is
 * known.
 */
export function printMailServer(out: Printer, server: string, provider: string | null): void {
  const whose = `${server} signs its newest mails. If that is your own provider's server, say so:`;
  out.plain(
    `${provider === null ? whose : `${provider} authenticates senders. To trust it, say`} --mail-server ${server}`,
  );
  out.plain('Until then mails only propose.');
}

function printPaused(out: Printer, name: string, paused: boolean, changed: boolean): void {
  const now = paused ? `paused; \`steward source pause ${shellWord(name)} --off\` resumes it` : 'awake again';
  out.plain(changed ? `${name} is ${now}.` : `${name} is ${paused ? 'paused' : 'awake'} already.`);
}

/** Returns the line that tells where a source is tried. */
export function tryingWords(leads: string): string {
  return `Trying it: ${leads} …`;
}

/** How many senders without an authenticated mail are listed. */
const MAX_LISTED_SENDERS = 5;
const MAX_SHOWN_SENDER = 60;

/** Returns how many of a mailbox's newest mails are authenticated, then a line for each sender of whom none is. */
export function senderLines(report: SenderReport | null): readonly string[] {
  if (report === null || report.mails === 0) return [];
  const { server, mails, authenticated, never } = report;
  const summary = `${authenticated} of the newest ${count(mails, 'mail')} ${authenticated === 1 ? 'is' : 'are'} authenticated`;
  if (server === null) return [`${summary}, because mail_server isn't set`];
  const listed = never
    .slice(0, MAX_LISTED_SENDERS)
    .map(
      ({ from, mails: own, reason }) =>
        `${from === '' ? 'no single sender' : oneLine(from, MAX_SHOWN_SENDER)}: 0 of ${count(own, 'mail')} (${reason})`,
    );
  const more = never.length - listed.length;
  return [`${summary} (${server})`, ...listed, ...(more > 0 ? [`and ${count(more, 'more sender')}`] : [])];
}

/** Prints what was found at a source, or why nothing was. */
export function printTried(out: Printer, err: Printer, name: string, { described, failed }: SourceTrial): void {
  if (described !== null) {
    out.line(out.paint('green', `${name} answers.`));
    for (const line of described.lines) out.plain(`  ${line}`);
    const [authenticated] = senderLines(described.senders);
    if (authenticated !== undefined && described.senders?.server != null) out.plain(`  ${authenticated}`);
  }
  if (failed === null) return;
  err.plain(`${name} cannot be connected. ${failed.message.replace(/\.?$/, '.')}`);
  err.plain(`  ${failed.hint}`);
}

/** Prints what happens next with a source that was connected just now. */
export function printNext(out: Printer, source: ListedSource, isRunning: boolean): void {
  const pace = source.everyMs === null ? '' : `, every ${minutes(source.everyMs)}`;
  const does = source.kind === 'webhook' ? 'listens' : 'asks it';
  out.line(
    isRunning
      ? `The daemon ${does} from now on${pace}; \`steward status\` shows its state.`
      : `No daemon runs yet. Once it does (\`steward run\`), it ${does}${pace}; \`steward status\` shows its state.`,
  );
  if (source.password === 'none') printPasswordPlaces(out, source);
  else if (source.password === 'set' && !isRunning)
    out.line(`Its ${secretOf(source)} is set in this terminal; a service needs it as well: see docs/sources.md.`);
}

function secretOf({ isOAuth, kind }: Pick<ListedSource, 'isOAuth' | 'kind'>): string {
  return isOAuth || kind === 'webhook' ? 'token' : 'password';
}

function minutes(ms: number): string {
  const whole = Math.round(ms / 60_000);
  if (whole % (24 * 60) === 0) return whole === 24 * 60 ? 'day' : `${whole / 24 / 60} days`;
  if (whole % 60 === 0) return whole === 60 ? 'hour' : `${whole / 60} hours`;
  return whole === 1 ? 'minute' : `${whole} minutes`;
}

function printPasswordPlaces(
  out: Printer,
  { name, isOAuth, kind }: Pick<ListedSource, 'name' | 'isOAuth' | 'kind'>,
): void {
  const credential = passwordCredential(name);
  const file = `~/.config/steward/${credential}`;
  const test = `steward source test ${shellWord(name)}`;
  out.heading(`Its ${secretOf({ isOAuth, kind })}`);
  if (isOAuth) {
    out.line('A token expires after about an hour, so a command must print a new one each time, on its first line:');
    out.line(`  ${test} --password-command "oama access you@example.org"`);
    out.line('docs/sources.md says how to get such a command.');
    return;
  }
  out.line('Steward stores no passwords. Give it to the daemon in one of these ways:');
  out.line();
  out.line('  1. A command prints it, such as secret-tool, pass or op; or cat, of a file that only you can read:');
  out.line(`       ${test} --password-command "secret-tool lookup steward ${shellWord(name)}"`);
  out.line('  2. A credential of the service, in a file that only you can read:');
  out.line(`       mkdir -p ~/.config/steward && (umask 077; systemd-ask-password -n > ${file})`);
  out.line('       systemctl --user edit steward');
  out.line('         [Service]');
  out.line(`         LoadCredential=${credential}:${file.replace('~', '%h')}`);
  out.line('  3. The same, encrypted for this machine (systemd 256 and later):');
  out.line(`       systemd-ask-password -n | systemd-creds --user encrypt --name=${credential} - ${file}.cred`);
  out.line('       systemctl --user edit steward');
  out.line('         [Service]');
  out.line(`         LoadCredentialEncrypted=${credential}:${file.replace('~', '%h')}.cred`);
  out.line(`  4. The variable ${passwordVariable(name)}, in the environment of the daemon.`);
  out.line();
  out.line(`After 2, 3 and 4 restart the daemon (a service: systemctl --user restart steward). Then: ${test}`);
}

function printSourceList(out: Printer, sources: readonly ListedSource[]): void {
  if (sources.length === 0) {
    out.plain('No source is connected. `steward source add` connects a mailbox, a calendar or a program.');
    return;
  }
  out.rows(sources.map((one) => [one.name, STATES[one.state], leadsBriefly(one), passwordWords(one)]));
  printTroubles(
    out,
    sources.flatMap(({ trouble }) => trouble),
  );
}

function leadsBriefly(source: ListedSource): string {
  const { leads } = source;
  return leads === null ? '' : leadsWords(withoutPath(leads), source.allowed);
}

/** The address of a calendar may itself be a secret: only its server is listed. */
function withoutPath(leads: Grant['pinned']): Grant['pinned'] {
  const { url } = leads;
  if (leads.kind !== 'ics' || typeof url !== 'string' || !URL.canParse(url)) return leads;
  return { ...leads, url: `${new URL(url).origin}/…` };
}

/** Returns a list for programs: as it is, without what may be a secret in an address. */
function sourceListJson(sources: readonly ListedSource[]): object {
  const shown = sources.map((one) => ({
    ...one,
    leads: one.leads === null ? null : withoutPath(one.leads),
    allowed: one.allowed === null ? null : { ...one.allowed, pinned: withoutPath(one.allowed.pinned) },
  }));
  return { schemaVersion: 1, sources: shown };
}

/** Returns where a source leads and as whom, as a person reads it. */
export function leadsWords(leads: Grant['pinned'], allowed: Pick<Grant, 'run'> | null): string {
  const as = leads.user === null || leads.user === undefined ? '' : ` as ${leads.user}`;
  const token = leads.auth === 'oauth2' ? ', with OAuth2' : '';
  switch (leads.kind) {
    case 'imap':
      return `${leads.host}, port ${leads.port} (${SECURITY[String(leads.security)]})${as}${token}${sentWords(leads)}`;
    case 'webhook':
      return `this machine, port ${leads.port}`;
    case 'command':
      return allowed?.run == null ? 'a program still to be named on this machine' : `runs ${shownProgram(allowed.run)}`;
    default:
      return `${leads.url}${as}${token}`;
  }
}

// Whose word counts as the user's own is shown before they allow it.
function sentWords({ sent_folder: folder, own_addresses: addresses }: Grant['pinned']): string {
  if (folder === undefined) return '';
  const where = folder === 'auto' ? 'the folder of sent mails' : `the folder ${clean(String(folder))}`;
  return `; mails of ${clean(String(addresses))} in ${where} count as yours`;
}

function leadsSentence(name: string, leads: Grant['pinned'], allowed: Pick<Grant, 'run'> | null): string {
  const verb = leads.kind === 'command' ? '' : leads.kind === 'webhook' ? 'listens on ' : 'leads to ';
  return `${name} ${verb}${leadsWords(leads, allowed)}.`;
}

const SECURITY: Readonly<Record<string, string>> = { tls: 'TLS', starttls: 'STARTTLS', none: 'not encrypted' };

function shownProgram(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

/** Returns where the password of a source comes from; empty if it needs no password. */
export function passwordWords({ password, allowed, kind }: ListedSource): string {
  if (kind === null) return ''; // its note does not say whether it needs one
  const noun = kind === 'webhook' ? 'token' : 'password';
  switch (password) {
    case 'set':
      return `${noun} is set`;
    case 'command':
      return `${noun} from ${shownProgram(allowed?.passwordCommand ?? [])}`;
    case 'none':
      return `no ${noun} is set`;
    case 'not-needed':
      return '';
  }
}

const FIELD_WORDS: Readonly<Record<string, string>> = {
  kind: 'kind',
  host: 'server',
  port: 'port',
  security: 'encryption',
  user: 'user',
  auth: 'way in',
  mail_server: 'server that confirms senders',
  sent_folder: 'folder of your sent mails',
  own_addresses: 'your addresses',
  url: 'address',
};

function printDifference(out: Printer, { name, leads, allowed }: ListedSource): void {
  if (allowed === null) {
    out.plain(`${name} is new on this machine: you have not allowed it here yet.`);
    return;
  }
  out.plain(`That differs from what you allowed on this machine ${formatWhen(allowed.at)}:`);
  const fields = [...new Set([...Object.keys(allowed.pinned), ...Object.keys(leads ?? {})])];
  for (const field of fields.filter((one) => (allowed.pinned[one] ?? null) !== (leads?.[one] ?? null))) {
    const [before, now] = [allowed.pinned[field], leads?.[field]].map((value) => clean(String(value ?? 'none')));
    out.plain(`  ${FIELD_WORDS[field] ?? field}: ${before} → ${now}`);
  }
}
