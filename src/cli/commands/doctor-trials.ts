import { createRequire } from 'node:module';
import type { DaemonReply } from '../../daemon/client.ts';
import type { Status } from '../../daemon/compose.ts';
import type { Workspace } from '../../daemon/context.ts';
import { lockMemoryFile } from '../../daemon/lease.ts';
import { lockMemories } from '../../daemon/runtime-paths.ts';
import { checkPlane } from '../../features/plane.ts';
import { checkModels, type ModelCheck } from '../../providers/choice.ts';
import { installCommand } from '../../sources/source.ts';
import type { ListedSource } from '../../sources/source-note.ts';
import type { SourceTrial } from '../../sources/source-work.ts';
import { type Diagnostic, diagnostic } from '../../vault/errors.ts';
import { ownPlaces } from '../../vault/layout.ts';
import { mendLock } from '../../vault/lock.ts';
import { stateWords } from '../print.ts';
import type { CommandContext, Printer } from '../terminal.ts';
import { readEnvironmentFor, readVault } from '../vault.ts';
import { VaultBudget } from '../vault-budget.ts';
import { allSources, passwordWords, senderLines, triedWhereItRuns } from './source.ts';

export type { ModelCheck };

// What `steward doctor` tries out: the models, the sources, Plane, and a lock that no daemon refreshes.

/** One thing that `steward doctor` looked at, and what it found. */
export interface Check {
  readonly name: string;
  readonly found: string;
}

/** What came of the trials. */
export interface Trials {
  readonly models: readonly ModelCheck[];
  readonly checks: readonly Check[];
  readonly trouble: readonly Diagnostic[];
  /** Whether a trial reports the same as a problem of the daemon's list, but newer. */
  readonly replaces: (problem: Diagnostic) => boolean;
}

function printAsking(err: Printer): void {
  err.line('Asking the models; one at home may take minutes.');
}

/** Makes the trials that this vault needs. `known`: the vault, if it was read already. */
export async function tryOut(
  root: string,
  context: CommandContext,
  asked: DaemonReply,
  status: Status,
  known: Workspace | null,
): Promise<Trials> {
  const isRules = status.evaluator === 'rules';
  const space = known ?? (await readVault(context, root, readEnvironmentFor(context, asked)));
  if (!isRules && space.models.provider !== null) printAsking(context.err);
  const models = isRules ? [] : await checkModels(space, new VaultBudget(context, root));
  const failures = models.flatMap((one) => (one.outcome === 'failed' ? [one.trouble] : []));
  const plane = await checkPlane(space);
  const planeTrouble = plane?.trouble ?? [];
  const isAnswered = typeof asked === 'object' && asked.ok;
  const sources = asked === 'stalled' ? NO_SOURCES : await sourceChecks(root, context, isAnswered);
  const lock = mendLock(ownPlaces(root).lock, Date.now(), lockMemoryFile(root, lockMemories(context.env)));
  const lockTrouble = lock !== null && 'trouble' in lock ? [lock.trouble] : [];
  return {
    models,
    checks: [
      ...(plane === null ? [] : [{ name: 'plane', found: plane.found }]),
      ...sources.checks,
      ...(lock !== null && 'mended' in lock ? [{ name: 'lock', found: lock.mended }] : []),
    ],
    trouble: [...sources.trouble, ...failures, ...planeTrouble, ...lockTrouble],
    replaces: ({ code, file }) =>
      failures.some((one) => one.code === code) ||
      (code === 'source-failing' && sources.asked.includes(file ?? '')) ||
      (planeTrouble.length > 0 && REPLACED.includes(code)),
  };
}

/** The problems that a daemon may have had with a Plane that cannot be used. */
const REPLACED: readonly string[] = ['plane-key', 'plane-forbidden', 'plane-strange'];

/** A daemon that doesn't answer can't report on its sources. */
const NO_SOURCES = { checks: [], trouble: [], asked: [] };

const PACKAGES: Readonly<Record<string, 'imapflow' | 'tsdav'>> = { imap: 'imapflow', caldav: 'tsdav' };

/** The state of a source that may not be asked just now. */
const NOT_ASKED: readonly ListedSource['state'][] = ['paused', 'not-allowed', 'unreadable', 'refused'];

interface SourceChecks {
  readonly checks: readonly Check[];
  readonly trouble: readonly Diagnostic[];
  /** The notes of the sources that were asked just now: the result replaces what was met before. */
  readonly asked: readonly string[];
}

/**
 * Looks at each source: its note, what was allowed, its password, the package for it, and whether it answers. One whose password
 * was refused is not asked again: an account may be locked by it.
 */
async function sourceChecks(root: string, context: CommandContext, isRunning: boolean): Promise<SourceChecks> {
  const sources = await allSources(root, context);
  if (sources.length > 0) context.err.progress('Asking the sources.');
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

function answerWords({ described }: SourceTrial): string {
  return described === null
    ? 'does not answer'
    : ['answers', ...described.lines.slice(0, 1)].join(': ').replace(/[:.]$/, '');
}

function troubleOf({ path, isOAuth, password }: ListedSource, { failed }: SourceTrial): readonly Diagnostic[] {
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
