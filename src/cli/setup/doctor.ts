import fs from 'node:fs';
import { lockMemoryFile } from '../../daemon/context/own-folders.ts';
import type { Context, ModelAccess, Workspace } from '../../daemon/context/ports.ts';
import { isUnknownSetting } from '../../daemon/context/unknown-settings.ts';
import { checkModels, type ModelCheck } from '../../daemon/decide/model-check.ts';
import { checkPlane } from '../../daemon/plane/plane-check.ts';
import { leavingNow } from '../../daemon/retention/plan.ts';
import { retentionStatus } from '../../daemon/retention/status.ts';
import type { Asked } from '../../daemon/server/client.ts';
import { lockMemories } from '../../daemon/server/runtime-paths.ts';
import { isWritable } from '../../daemon/status/disk.ts';
import { nearKeys } from '../../daemon/status/near-keys.ts';
import { notifyStatus } from '../../daemon/status/outward/notify-status.ts';
import { problemsOf } from '../../daemon/status/problems.ts';
import { type BudgetStatus, budgetOf, type Status } from '../../daemon/status/status.ts';
import { streamsOf } from '../../daemon/status/stream-counts.ts';
import { unvouchedMail } from '../../daemon/status/unvouched-mail.ts';
import { type Diagnostic, EXIT } from '../../vault/errors.ts';
import { mendLock } from '../../vault/lock/future-lock.ts';
import { canExchange, systemExchange } from '../../vault/transaction/atomic-exchange.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../base/context.ts';
import { askDaemon } from '../base/daemon-client.ts';
import { environmentOf, readVault } from '../base/read-vault.ts';
import { VaultBudget } from '../base/vault-budget.ts';
import { presentVaultDir } from '../base/vault-dir.ts';
import { type Check, printDoctor } from '../print/print-doctor.ts';
import { printReadings } from '../print/print-reading.ts';
import {
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
} from '../print/setup/doctor-words.ts';
import { notifyLines } from '../print/status/print-notify.ts';
import { keptText } from '../print/status/print-retention.ts';
import { unreadWords } from '../print/status/status-sections.ts';
import type { ReaderCheck } from './reader-check.ts';
import { sourceChecks } from './source-checks.ts';

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
  const { checkReader } = await import('./reader-check.ts');
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
