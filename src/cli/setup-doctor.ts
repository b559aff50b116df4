import fs from 'node:fs';
import { createRequire } from 'node:module';
import { lockMemoryFile } from '../daemon/context/own-folders.ts';
import { type Context, isUnknownSetting, type ModelAccess, type Workspace } from '../daemon/context.ts';
import { checkModels, type ModelCheck } from '../daemon/decide/model-check.ts';
import { checkPlane } from '../daemon/plane.ts';
import { leavingNow } from '../daemon/retention/plan.ts';
import { retentionStatus } from '../daemon/retention.ts';
import { lockMemories } from '../daemon/server/runtime-paths.ts';
import type { Asked } from '../daemon/server-runtime-paths.ts';
import type { ListedSource } from '../daemon/sources/orders/listed-sources.ts';
import type { Tried } from '../daemon/sources/orders/try-source.ts';
import { unvouchedMail } from '../daemon/status/unvouched-mail.ts';
import {
  type BudgetStatus,
  budgetOf,
  isWritable,
  nearKeys,
  notifyStatus,
  problemsOf,
  type Status,
  streamsOf,
} from '../daemon/status.ts';
import { installCommand } from '../source/connector.ts';
import { type Diagnostic, diagnostic, EXIT } from '../vault/errors.ts';
import { mendLock } from '../vault/lock.ts';
import { canExchange, systemExchange } from '../vault/transaction.ts';
import type { Vault } from '../vault/watch.ts';
import { VaultBudget } from './base/vault-budget.ts';
import type { CommandContext, CommandResult, CommonOptions } from './base.ts';
import { allSources, environmentOf, readVault, triedWhereItRuns } from './base-read-vault.ts';
import { askDaemon, presentVaultDir } from './daemon-client.ts';
import { keptText } from './print/print-retention.ts';
import { type Check, printDoctor } from './print.ts';
import { printReadings } from './print-reading.ts';
import {
  ASKING_SOURCES,
  costLimitWords,
  daemonWords,
  evaluatorWords,
  exchangeWords,
  keyWords,
  leavingWords,
  modelWords,
  modeWords,
  printAsking,
  recordWords,
  settingsWords,
} from './print-setup.ts';
import { passwordWords, stateWords } from './print-sources.ts';
import { notifyLines, unreadWords } from './print-status.ts';
import type { ReaderCheck } from './setup.ts';

/** The package that speaks with each kind of server. */
const PACKAGES: Readonly<Record<string, 'imapflow' | 'tsdav'>> = { imap: 'imapflow', caldav: 'tsdav' };
/** How a source stands that nobody may ask just now. */
const NOT_ASKED: readonly ListedSource['state'][] = ['paused', 'not-allowed', 'unreadable', 'refused'];

/** What was found of the sources. */
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
  return found(source, [answerWords(tried), ...words], troubleOf(source, tried), [source.path]);
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

/** `reader`: whether readers are tried on the built-in mails; the model's name where another than the vault's is to be tried. */
interface DoctorOptions extends CommonOptions {
  readonly reader?: boolean | string;
}

type StreamAccess = Pick<Workspace, 'context' | 'vault' | 'ingest'>;

/** `steward doctor`: checks the vault, the settings, the models, the disk, the daemon and its lock; exit 1 on any trouble. */
export async function doctor(options: DoctorOptions, context: CommandContext): CommandResult {
  const root = presentVaultDir(options, context);
  const asked = await askDaemon(context, root, { op: 'status' });
  const space = await readVault(context, root, environmentOf(context, asked));
  // A running daemon knows of more trouble than the notes show. It is this very program: its result is a Status.
  const isAnswered = typeof asked === 'object' && asked.ok;
  const known = isAnswered ? (asked.result as Status).trouble : problemsOf(space);
  const evaluator = isAnswered ? (asked.result as Status).evaluator : space.models.evaluator.name;
  if (evaluator !== 'rules' && space.models.provider !== null) printAsking(context.err);
  const models = evaluator === 'rules' ? [] : await checkModels(space, new VaultBudget(context, root));
  const failures = models.flatMap((one) => (one.outcome === 'failed' ? [one.trouble] : []));
  const unasked = known.filter(({ code }) => failures.every((one) => one.code !== code));
  const lock = mendLock(space.vault.places.lock, Date.now(), lockMemoryFile(root, lockMemories(context.env)));
  const lockTrouble = lock !== null && 'trouble' in lock ? [lock.trouble] : [];
  const plane = await checkPlane(space);
  const planeTrouble = plane?.trouble ?? [];
  // What was asked just now says it better than what the daemon met.
  const sources = asked === 'stalled' ? NO_SOURCES : await sourceChecks(root, context, isAnswered);
  const others = unasked.filter(
    ({ code, file }) =>
      !(code === 'source-failing' && sources.asked.includes(file ?? '')) &&
      (planeTrouble.length === 0 || !REPLACED.includes(code)),
  );
  const troubles = [
    ...others,
    ...sources.trouble,
    ...failures,
    ...planeTrouble,
    ...unvouchedMail(space),
    ...lockTrouble,
  ];
  const mended = lock !== null && 'mended' in lock ? [{ name: 'lock', found: lock.mended }] : [];
  const budget = isAnswered ? (asked.result as Status).gates.budget : budgetOf(space.context, Date.now());
  const planeChecks = plane === null ? [] : [{ name: 'plane', found: plane.found }];
  const checks = [
    ...checksOf(space, root, asked, evaluator, models, budget.vault),
    ...planeChecks,
    ...sources.checks,
    ...(await retentionCheck(space)),
    ...notifyChecks(isAnswered ? (asked.result as Status).notify : notifyStatus(space.context)),
    ...mended,
  ];
  const reading = await readerCheck(space, context, root, models, options.reader);
  const tried = reading === null ? {} : { reader: reading };
  if (options.json === true) context.out.json({ schemaVersion: 1, checks, models, trouble: troubles, ...tried });
  else printDoctor(context.out, troubles, checks);
  if (reading !== null && options.json !== true) printReadings(context.out, reading.readings, reading.notAsked);
  return troubles.length === 0 ? EXIT.done : EXIT.refused;
}

// Only where a person asks for it: it takes twenty questions.
async function readerCheck(
  space: Workspace,
  context: CommandContext,
  root: string,
  models: readonly ModelCheck[],
  wanted: boolean | string = false,
): Promise<ReaderCheck | null> {
  if (wanted === false) return null;
  const { checkReader } = await import('./setup.ts');
  return checkReader(space, context, root, models, wanted === true ? null : wanted);
}

/** A daemon that does not answer says nothing of its sources. */
const NO_SOURCES = { checks: [], trouble: [], asked: [] };

/** What a daemon may have met of a Plane that cannot be used. */
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

// An older daemon knows nothing of messages.
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

/** Whether notes can be swapped; null where that cannot be tried yet. */
function exchangeOf(vault: Vault): boolean | null {
  const { tmp } = vault.places;
  if (!fs.existsSync(tmp)) return null;
  const exchange = systemExchange();
  return exchange !== null && isWritable(tmp) && canExchange(exchange, tmp);
}
