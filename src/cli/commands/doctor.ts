import fs from 'node:fs';
import { createRequire } from 'node:module';
import { notifyStatus } from '../../channels/notifier.ts';
import type { Asked } from '../../daemon/client.ts';
import type { Status } from '../../daemon/compose.ts';
import type { Context, IndexAccess, ModelAccess, Workspace } from '../../daemon/context.ts';
import { lockMemoryFile } from '../../daemon/lease.ts';
import { listProblems, type ProblemList } from '../../daemon/problem-list.ts';
import { isWritable, problemsOf } from '../../daemon/problems.ts';
import { lockMemories } from '../../daemon/runtime-paths.ts';
import { isUnknownSetting } from '../../daemon/settings.ts';
import { findMissing } from '../../daemon/signs-of-life.ts';
import { type BudgetStatus, budgetOf } from '../../daemon/status.ts';
import { checkPlane } from '../../features/plane.ts';
import { leavingNow, retentionStatus } from '../../features/retention.ts';
import { checkModels, type ModelCheck } from '../../providers/choice.ts';
import { installCommand } from '../../sources/source.ts';
import { knownReports, type ListedSource } from '../../sources/source-note.ts';
import type { Tried } from '../../sources/source-work.ts';
import { type Mode, round4 } from '../../steward/gates.ts';
import { isOwnNote } from '../../steward/records.ts';
import { readFetched } from '../../streams/fetched-mail.ts';
import { isMailFile } from '../../streams/stream.ts';
import { streamsOf } from '../../streams/streams.ts';
import { type Diagnostic, diagnostic, EXIT } from '../../vault/errors.ts';
import { canExchange, readInside, systemExchange } from '../../vault/files.ts';
import { readNote } from '../../vault/frontmatter.ts';
import { MAX_NOTE_BYTES } from '../../vault/layout.ts';
import { mendLock } from '../../vault/lock.ts';
import { shellWord } from '../../vault/note-text.ts';
import { matterFields, nearest, type SignalRecord, type TargetRecord, taskFields } from '../../vault/record.ts';
import type { Seal } from '../../vault/seal.ts';
import { isTrustedServer, providerOfServer } from '../../vault/source-names.ts';
import type { Vault } from '../../vault/vault.ts';
import { askDaemon, presentVaultDir } from '../client.ts';
import { hiddenLine, keptText, printTroubles, stateWords, unreadWords } from '../print.ts';
import { type CommandContext, type CommandResult, type CommonOptions, count, type Printer } from '../terminal.ts';
import { environmentOf, readVault } from '../vault.ts';
import { VaultBudget } from '../vault-budget.ts';
import { allSources, passwordWords, senderLines, triedWhereItRuns } from './source.ts';
import { notifyLines } from './status-sections.ts';

/** `steward doctor`: checks the vault, the settings, the models, the disk, the daemon and its lock; exit 1 on any problem that isn't hidden. */
export async function doctor(options: CommonOptions, context: CommandContext): CommandResult {
  const root = presentVaultDir(options, context);
  const asked = await askDaemon(context, root, { op: 'status' });
  const space = await readVault(context, root, environmentOf(context, asked));
  // A running daemon knows of more trouble than the notes show. It is this very program: its result is a Status.
  const isAnswered = typeof asked === 'object' && asked.ok;
  const listed = isAnswered ? listOf(asked.result as Status) : problemsOf(space);
  const known = [...listed.shown, ...listed.hidden];
  const evaluator = isAnswered ? (asked.result as Status).evaluator : space.models.evaluator.name;
  if (evaluator !== 'rules' && space.models.provider !== null) printAsking(context.err);
  const models = evaluator === 'rules' ? [] : await checkModels(space, new VaultBudget(context, root));
  const failures = models.flatMap((one) => (one.outcome === 'failed' ? [one.trouble] : []));
  const unasked = known.filter(({ code }) => failures.every((one) => one.code !== code));
  const lock = mendLock(space.vault.places.lock, Date.now(), lockMemoryFile(root, lockMemories(context.env)));
  const lockTrouble = lock !== null && 'trouble' in lock ? [lock.trouble] : [];
  const plane = await checkPlane(space);
  const planeTrouble = plane?.trouble ?? [];
  // Anything that was asked just now says it better than what the daemon met.
  const sources = asked === 'stalled' ? NO_SOURCES : await sourceChecks(root, context, isAnswered);
  const others = unasked.filter(
    ({ code, file }) =>
      !(code === 'source-failing' && sources.asked.includes(file ?? '')) &&
      (planeTrouble.length === 0 || !REPLACED.includes(code)),
  );
  const problems = listProblems(space.context, [
    ...others,
    ...sources.trouble,
    ...failures,
    ...planeTrouble,
    ...unvouchedMail(space),
    ...lockTrouble,
  ]);
  const mended = lock !== null && 'mended' in lock ? [{ name: 'lock', found: lock.mended }] : [];
  const budget = isAnswered ? (asked.result as Status).gates.budget : budgetOf(space.context, Date.now());
  const planeChecks = plane === null ? [] : [{ name: 'plane', found: plane.found }];
  const missing = isAnswered
    ? ((asked.result as Status).missing ?? null)
    : findMissing(space, knownReports(space).standings);
  const checks = [
    ...checksOf(space, root, asked, evaluator, models, budget.vault),
    ...planeChecks,
    ...sources.checks,
    ...(await retentionCheck(space)),
    ...notifyChecks(isAnswered ? (asked.result as Status).notify : notifyStatus(space.context)),
    ...mended,
  ];
  if (options.json === true)
    context.out.json({
      schemaVersion: 1,
      checks,
      models,
      missing,
      trouble: problems.shown,
      knownTrouble: problems.hidden,
    });
  else printDoctor(context.out, problems, checks, missing);
  return problems.shown.length === 0 ? EXIT.done : EXIT.refused;
}

// A daemon of an earlier version has hidden none.
function listOf({ trouble, knownTrouble = [] }: Partial<Status>): ProblemList {
  return { shown: trouble ?? [], hidden: knownTrouble };
}

/** Said while the sources are asked. */
const ASKING_SOURCES = 'Asking the sources.';

/** Says that the models are asked now, which takes a while. */
function printAsking(err: Printer): void {
  err.line('Asking the models; one at home may take minutes.');
}

/** Returns whether the daemon runs. */
function daemonWords(daemon: 'running' | 'absent' | 'stalled'): string {
  return { running: 'running', absent: 'not running', stalled: 'gives no answer' }[daemon];
}

/** Returns which mode is allowed and which the vault asks for. `isDaemons`: whether the daemon itself was asked. */
function modeWords(ceiling: Mode, vault: Mode | null, isDaemons: boolean): string {
  const allowed = isDaemons
    ? `the daemon allows ${ceiling}`
    : `this shell allows ${ceiling}; the service may allow another`;
  return `${allowed}; the vault ${vault === null ? 'asks for none' : `asks for ${vault}`}`;
}

/** Returns how the settings were read. */
function settingsWords(unread: number, unknown: number): string {
  const words = unread === 0 ? 'read' : `${count(unread, 'unusable value')}`;
  return unknown === 0 ? words : `${words}; ${count(unknown, 'unknown key')}`;
}

/** Returns that a field looks like one of Steward's. It may be a person's own, so it is no trouble. */
function keyWords({ file, key, meant }: NearKey): string {
  return `${key} in ${file} isn't a variable of Steward. Did you mean ${meant}?`;
}

/** Returns who judges. */
function evaluatorWords(name: string, hasProvider: boolean): string {
  return name === 'rules' ? `rules (built in; ${hasProvider ? 'no network' : 'no key, no network'})` : name;
}

/** Returns whether a model answers. */
function modelWords(check: ModelCheck): string {
  const { model } = check;
  if (check.outcome === 'failed') return `${model} (gives no usable answer)`;
  if (check.outcome === 'not-asked') return `${model} (not asked: ${check.reason})`;
  const where = check.server === null ? '' : ` at ${check.server}`;
  return `${model}${where} (answered in ${(check.ms / 1000).toFixed(1)} s, form enforced by ${check.way})`;
}

/** Returns what models may cost and did cost. `isLower`: whether the environment lowers what the vault allows. */
function costLimitWords({ usd, caps }: BudgetStatus, isLower: boolean): string {
  const spent = `${round4(usd)} USD spent in the last 24 hours`;
  if (caps.usd === null) return `unlimited: models may cost any sum; ${spent}`;
  return `models may cost ${caps.usd} USD a day${isLower ? ' (as the environment limits it)' : ''}; ${spent}`;
}

/** Returns how notes are written. Null if that could not be tried yet. */
function exchangeWords(canExchange: boolean | null): string {
  if (canExchange === null) return 'not tried yet: the first start makes .steward';
  return canExchange ? 'notes are swapped atomically (renameat2)' : 'notes are renamed, with a link to what was there';
}

/** Returns what leaves the vault, and how much of it would leave now. */
function leavingWords(kept: string, streams: number, events: number, signals: number): string {
  const now = [count(streams, 'stream file'), count(events, 'event'), count(signals, 'signal')];
  return `${kept}; leaving now: ${now.join(', ')}`;
}

/** Returns how many records the vault has. */
function recordWords(root: string, matters: number, tasks: number, signals: number, events: number): string {
  const all = [count(matters, 'matter'), count(tasks, 'task'), count(signals, 'signal'), count(events, 'event')];
  return `${root}: ${all.join(', ')}`;
}

/** The package that speaks with each kind of server. */
const PACKAGES: Readonly<Record<string, 'imapflow' | 'tsdav'>> = { imap: 'imapflow', caldav: 'tsdav' };

/** How a source stands that no person may ask just now. */
const NOT_ASKED: readonly ListedSource['state'][] = ['paused', 'not-allowed', 'unreadable', 'refused'];

interface SourceChecks {
  readonly checks: readonly Check[];
  readonly trouble: readonly Diagnostic[];
  /** The notes of those that were asked just now: that says it better than what was met before. */
  readonly asked: readonly string[];
}

/**
 * Looks at each source: its note, what was allowed, its password, the package for it, and whether it answers. One whose password
 * was refused is not asked again: an account may be locked by it.
 */
async function sourceChecks(root: string, context: CommandContext, isRunning: boolean): Promise<SourceChecks> {
  const sources = await allSources(root, context);
  if (sources.length > 0) context.err.progress(ASKING_SOURCES);
  const each = await Promise.all(sources.map((source) => checked(source, root, context, isRunning)));
  return {
    checks: each.flatMap((one) => one.checks),
    trouble: each.flatMap((one) => one.trouble),
    asked: each.flatMap((one) => one.asked),
  };
}

async function checked(
  source: ListedSource,
  root: string,
  context: CommandContext,
  isRunning: boolean,
): Promise<SourceChecks> {
  const { name, state, kind } = source;
  const words = [passwordWords(source), packageWords(kind)].filter((one) => one !== '');
  // A running daemon listens there already.
  const isHeld = kind === 'webhook' && isRunning;
  if (isHeld || NOT_ASKED.includes(state)) return found(source, [stateWords(state), ...words], [], []);
  const order = { op: 'source-try' as const, name, fields: null, allow: null };
  const tried = await triedWhereItRuns(order, root, context);
  const [authenticated, ...never] = senderLines(tried.described?.senders ?? null);
  const answer = [answerWords(tried), ...(authenticated === undefined ? [] : [authenticated])];
  const checked = found(source, [...answer, ...words], troubleOf(source, tried), [source.path]);
  return { ...checked, checks: [...checked.checks, ...never.map((line) => ({ name: 'sender', found: line }))] };
}

function found(
  { name }: ListedSource,
  words: readonly string[],
  trouble: readonly Diagnostic[],
  asked: readonly string[],
): SourceChecks {
  return { checks: [{ name: 'source', found: `${name}: ${words.join('; ')}` }], trouble, asked };
}

function answerWords({ described }: Tried): string {
  return described === null
    ? 'does not answer'
    : ['answers', ...described.lines.slice(0, 1)].join(': ').replace(/[:.]$/, '');
}

function troubleOf({ path, isOAuth, password }: ListedSource, { failed }: Tried): readonly Diagnostic[] {
  if (failed === null) return [];
  const token = isOAuth && password !== 'command' ? ' Its command must print an access token on its first line.' : '';
  return [
    diagnostic({
      code: 'source-failing',
      file: path,
      message: failed.message.replace(/\.?$/, '.'),
      hint: failed.hint + token,
    }),
  ];
}

function packageWords(kind: string | null): string {
  const name = PACKAGES[kind ?? ''];
  if (name === undefined) return '';
  try {
    createRequire(import.meta.url).resolve(name);
    return `${name} is installed`;
  } catch {
    return `${name} is not installed (${installCommand(name)})`;
  }
}

type StreamAccess = Pick<Workspace, 'context' | 'vault' | 'ingest'>;

/** A daemon that does not answer doesn't say anything of its sources. */
const NO_SOURCES = { checks: [], trouble: [], asked: [] };

/** The things that a daemon may have met of a Plane that cannot be used. */
const REPLACED: readonly string[] = ['plane-key', 'plane-forbidden', 'plane-strange'];

function checksOf(
  space: ModelAccess & StreamAccess,
  root: string,
  asked: Asked,
  evaluator: string,
  models: readonly ModelCheck[],
  budget: BudgetStatus,
): Check[] {
  const { catalogue } = space.vault;
  return [
    {
      name: 'vault',
      found: recordWords(
        root,
        catalogue.count('matter'),
        catalogue.count('task'),
        catalogue.count('signal'),
        catalogue.count('event'),
      ),
    },
    {
      name: 'settings',
      found: settingsFound(space.problems.settings),
    },
    {
      name: 'mode',
      found: modeWords(space.context.env.ceiling, space.context.settings.mode, typeof asked === 'object'),
    },
    { name: 'evaluator', found: evaluatorWords(evaluator, space.models.provider !== null) },
    ...models.map((one) => ({ name: 'model', found: modelWords(one) })),
    { name: 'budget', found: budgetWords(budget, space.context) },
    ...nearKeys(space).map((one) => ({ name: 'key', found: keyWords(one) })),
    { name: 'editing', found: exchangeWords(exchangeOf(space.vault)) },
    { name: 'daemon', found: daemonWords(typeof asked === 'string' ? asked : 'running') },
    { name: 'node', found: process.versions.node },
    ...streamChecks(space),
  ];
}

function streamChecks(space: StreamAccess): Check[] {
  const { unreadKinds } = streamsOf(space);
  return unreadKinds.length === 0 ? [] : [{ name: 'stream', found: unreadWords(unreadKinds) }];
}

// An older daemon doesn't know anything of messages.
function notifyChecks(notify: Status['notify'] | undefined): Check[] {
  return notifyLines(notify ?? null).map((found) => ({ name: 'messages', found }));
}

async function retentionCheck(space: Workspace): Promise<Check[]> {
  const retention = retentionStatus(space.context);
  if (retention === null) return [];
  const { streams, events, signals } = await leavingNow(space);
  const found = leavingWords(keptText(retention), streams.length, events.length, signals.length);
  return [{ name: 'retention', found }];
}

function settingsFound(troubles: readonly Diagnostic[]): string {
  const unknown = troubles.filter(isUnknownSetting).length;
  return settingsWords(troubles.length - unknown, unknown);
}

// Of the environment only this terminal's is known; a daemon may have another, and its figure is shown.
function budgetWords(budget: BudgetStatus, { settings }: Context): string {
  const isLower =
    budget.caps.usd !== null && (settings.budget_usd_per_day === null || budget.caps.usd < settings.budget_usd_per_day);
  return costLimitWords(budget, isLower);
}

/** Whether notes can be swapped; null if that cannot be tried yet. */
function exchangeOf(vault: Vault): boolean | null {
  const { tmp } = vault.places;
  if (!fs.existsSync(tmp)) return null;
  const exchange = systemExchange();
  return exchange !== null && isWritable(tmp) && canExchange(exchange, tmp);
}

/** One thing that `steward doctor` looked at, and what it found. */
interface Check {
  readonly name: string;
  readonly found: string;
}

/** Prints what was checked, then every problem that isn't hidden; says so if all is well, or else what is missing. */
export function printDoctor(
  out: Printer,
  { shown, hidden }: ProblemList,
  checks: readonly Check[],
  missing: string | null,
): void {
  out.rows(checks.map(({ name, found }) => [name, found]));
  if (missing !== null) out.line(out.paint('yellow', missing));
  else if (shown.length + hidden.length === 0) out.line(out.paint('green', 'All is well.'));
  printTroubles(out, shown);
  for (const line of hiddenLine(hidden)) out.line(line);
}

interface NearKey {
  readonly file: string;
  readonly key: string;
  readonly meant: string;
}

/** Keys of ours that no person writes by hand. */
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
 * Returns the keys of matters and tasks that are mistyped, as it seems. People may have any keys of their own, so nothing
 * is wrong with them: who asks is told. Reads every matter and task.
 */
export function nearKeys(space: IndexAccess): NearKey[] {
  const { catalogue } = space.vault;
  return [...catalogue.matters(), ...catalogue.tasks()].flatMap((note) => {
    const known = keysOf(space, note);
    return keysIn(space, note).flatMap((key) => {
      const meant = meantBy(key, known);
      return meant === null ? [] : [{ file: note.path, key, meant }];
    });
  });
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
    return read.ok ? Object.keys(read.note.data) : [];
  } catch {
    return []; // gone by now, or refused by the disk: `problemsOf` tells of that
  }
}

function meantBy(key: string, known: readonly string[]): string | null {
  if (key.length < LEAST_LETTERS || known.includes(key) || OTHERS.includes(key.toLowerCase())) return null;
  return nearest(
    key,
    known.filter(({ length }) => length >= LEAST_LETTERS),
  );
}

/** This many of the newest mails are looked at. */
const NEWEST = 50;

/** From so many mails on, and half of all, it is worth a word that nobody authenticates them. */
const MANY = 3;

const SHARE = 0.5;

/** A mail that is larger is not opened for its headers. */
const MOST_BYTES = 1024 * 1024;

const HEADERS = 64 * 1024;

/** How many servers are named. */
const NAMED = 3;

/**
 * Returns what a person can do where Steward may not act upon most of the newest mails, since no server that the
 * settings trust authenticates their senders: which servers say on top of the mails who sent them. Reads mails.
 */
export function unvouchedMail(space: IndexAccess): Diagnostic[] {
  const mails = space.vault.catalogue
    .signals()
    .filter((signal) => isFromMail(signal) && isOwnNote(space, signal))
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

// Everything a mail was fetched with is the account's server: that of the settings does not count for it.
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
    return Buffer.alloc(0); // gone, too large, or no file: it doesn't say anything
  }
}

/**
 * Returns the server that the topmost `Authentication-Results` of a mail names, in lower case; null if there isn't one.
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
