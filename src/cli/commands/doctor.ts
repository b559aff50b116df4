import type { DaemonReply } from '../../daemon/client.ts';
import type { Status } from '../../daemon/compose.ts';
import type { Workspace } from '../../daemon/context.ts';
import type { ProblemList } from '../../daemon/problem-list.ts';
import type { BudgetStatus } from '../../daemon/status.ts';
import type { Examination } from '../../features/examination.ts';
import { EXIT } from '../../vault/errors.ts';
import { askDaemon, presentVaultDir } from '../client.ts';
import { hiddenLine, keptText, printTroubles, unreadWords } from '../print.ts';
import {
  type CommandContext,
  type CommandResult,
  type CommonOptions,
  count,
  type Printer,
  rounded,
} from '../terminal.ts';
import type { Check, ModelCheck, Trials } from './doctor-trials.ts';
import { notifyLines } from './status-sections.ts';

/** What `steward doctor` checks without trying anything out, from the daemon if one runs. */
interface Checkup {
  readonly status: Status;
  readonly examination: Examination;
  /** The vault, if it was read for this; null if the daemon knew it all. */
  readonly space: Workspace | null;
}

/**
 * `steward doctor`: checks the vault, the settings, the models, the disk, the daemon and its lock; exit 1 on any problem that
 * isn't hidden. A running daemon says what it knows: then the vault isn't read here.
 */
export async function doctor(options: CommonOptions, context: CommandContext): CommandResult {
  const root = presentVaultDir(options, context);
  const asked = await askDaemon(context, root, { op: 'status' });
  const { status, examination, space } = await checkUp(root, context, asked);
  const trials = await tryOut(root, context, asked, status, space);
  const problems = await listed(status, examination, trials);
  const checks = [...checksOf(root, status, examination, trials.models, typeof asked === 'object'), ...trials.checks];
  const { missing, daemon } = status;
  if (options.json === true)
    context.out.json({
      schemaVersion: 1,
      checks,
      models: trials.models,
      missing,
      trouble: problems.shown,
      knownTrouble: problems.hidden,
    });
  else printDoctor(context.out, problems, checks, missing ?? DAEMON_MISSING[daemon.state]);
  return problems.shown.length === 0 ? EXIT.done : EXIT.refused;
}

/** What is missing if all else is well: without a daemon, events aren't read. */
const DAEMON_MISSING: Readonly<Record<Status['daemon']['state'], string | null>> = {
  running: null,
  stalled: "The daemon doesn't answer: try again in a moment, or restart it.",
  stopped: "The daemon isn't running, so mail isn't read: start it with `steward run`.",
};

async function checkUp(root: string, context: CommandContext, asked: DaemonReply): Promise<Checkup> {
  if (typeof asked === 'object' && asked.ok) {
    const examined = await askDaemon(context, root, { op: 'examine' });
    // The daemon is this very program: its results are what the same functions returned there.
    if (typeof examined === 'object' && examined.ok)
      return { status: asked.result as Status, examination: examined.result as Examination, space: null };
  }
  const { checkUpHere } = await import('../vault.ts');
  return checkUpHere(root, context, asked);
}

/** Tries out what only a trial shows: the models, the sources, Plane, and a lock that no daemon refreshes. */
async function tryOut(
  root: string,
  context: CommandContext,
  asked: DaemonReply,
  status: Status,
  space: Workspace | null,
): Promise<Trials> {
  const isNeeded =
    space !== null ||
    status.evaluator !== 'rules' ||
    status.sourceNotes.length > 0 ||
    Object.keys(context.env).some((name) => name.startsWith('PLANE_'));
  return isNeeded ? (await import('./doctor-trials.ts')).tryOut(root, context, asked, status, space) : NO_TRIALS;
}

const NO_TRIALS: Trials = { models: [], checks: [], trouble: [], replaces: () => false };

/** The problems of `status`, those that were found just now, and those of the mails. */
async function listed(
  { trouble, knownTrouble }: Status,
  { mail, known }: Examination,
  trials: Trials,
): Promise<ProblemList> {
  if (mail.length + trials.trouble.length === 0) return { shown: trouble, hidden: knownTrouble };
  const { sortProblems } = await import('../../daemon/problem-list.ts');
  // The result of a trial just now replaces what the daemon met.
  const others = [...trouble, ...knownTrouble].filter((one) => !trials.replaces(one));
  return sortProblems([...others, ...trials.trouble, ...mail], (id) => known.includes(id));
}

const DAEMON_WORDS: Readonly<Record<Status['daemon']['state'], string>> = {
  running: 'running',
  stopped: 'not running',
  stalled: 'gives no answer',
};

/** Returns which mode is allowed and which the vault sets. `isDaemons`: whether the daemon itself was asked. */
function modeWords({ ceiling, vault }: Status['mode'], isDaemons: boolean): string {
  const allowed = isDaemons
    ? `the daemon allows ${ceiling}`
    : `this shell allows ${ceiling}; the service may allow another`;
  return `${allowed}; ${vault === null ? "steward.md doesn't limit it" : `steward.md says ${vault}`}`;
}

function settingsWords({ unusable, unknown }: Examination['settings']): string {
  const words = unusable === 0 ? 'read' : `${count(unusable, 'unusable value')}`;
  return unknown === 0 ? words : `${words}; ${count(unknown, 'unknown key')}`;
}

function evaluatorWords(name: string, hasProvider: boolean): string {
  return name === 'rules' ? `rules (built in; ${hasProvider ? 'no network' : 'no key, no network'})` : name;
}

function modelWords(check: ModelCheck): string {
  const { model } = check;
  if (check.outcome === 'failed') return `${model} (gives no usable answer)`;
  if (check.outcome === 'not-asked') return `${model} (not asked: ${check.reason})`;
  const where = check.server === null ? '' : ` at ${check.server}`;
  return `${model}${where} (answered in ${(check.ms / 1000).toFixed(1)} s, form enforced by ${check.way})`;
}

/** Returns what models may cost and did cost. `isLower`: whether the environment lowers what the vault allows. */
function costLimitWords({ usd, caps }: BudgetStatus, isLower: boolean): string {
  const spent = `${rounded(usd)} USD spent in the last 24 hours`;
  if (caps.usd === null) return `unlimited: models may cost any sum; ${spent}`;
  return `models may cost ${caps.usd} USD a day${isLower ? ' (STEWARD_BUDGET_USD_PER_DAY limits it)' : ''}; ${spent}`;
}

/** Returns how notes are written. Null if that couldn't be tried yet. */
function exchangeWords(canExchange: boolean | null): string {
  if (canExchange === null) return 'not tried yet: the first start makes .steward';
  return canExchange ? 'notes are swapped atomically (renameat2)' : 'notes are renamed, with a link to what was there';
}

function leavingWords(kept: string, { streams, events, signals }: NonNullable<Examination['leaving']>): string {
  const now = [count(streams, 'stream file'), count(events, 'event'), count(signals, 'signal')];
  return `${kept}; leaving now: ${now.join(', ')}`;
}

function recordWords(root: string, { matters, tasks, signals, events }: Examination['notes']): string {
  const all = [count(matters, 'matter'), count(tasks, 'task'), count(signals, 'signal'), count(events, 'event')];
  return `${root}: ${all.join(', ')}`;
}

function checksOf(
  root: string,
  status: Status,
  examination: Examination,
  models: readonly ModelCheck[],
  isDaemons: boolean,
): Check[] {
  const { nearKeys, leaving, hasProvider, isBudgetLowered, canExchange } = examination;
  const { unreadKinds } = status.streams;
  const checks: readonly (readonly [string, string])[] = [
    ['vault', recordWords(root, examination.notes)],
    ['settings', settingsWords(examination.settings)],
    ['mode', modeWords(status.mode, isDaemons)],
    ['evaluator', evaluatorWords(status.evaluator, hasProvider)],
    ...models.map((one) => ['model', modelWords(one)] as const),
    ['budget', costLimitWords(status.gates.budget.vault, isBudgetLowered)],
    ...nearKeys.map(
      (one) => ['key', `${one.key} in ${one.file} isn't a variable of Steward. Did you mean ${one.meant}?`] as const,
    ),
    ['editing', exchangeWords(canExchange)],
    ['daemon', DAEMON_WORDS[status.daemon.state]],
    ['node', process.versions.node],
    ...(unreadKinds.length === 0 ? [] : [['stream', unreadWords(unreadKinds)] as const]),
    ...(leaving === null || status.retention === null
      ? []
      : [['retention', leavingWords(keptText(status.retention), leaving)] as const]),
    ...notifyLines(status.notify).map((found) => ['messages', found] as const),
  ];
  return checks.map(([name, found]) => ({ name, found }));
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
