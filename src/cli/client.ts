import fs from 'node:fs';
import path from 'node:path';
import { ask, type DaemonReply, type ReplyPatience } from '../daemon/client.ts';
import type { Request } from '../daemon/compose.ts';
import type { Workspace } from '../daemon/context.ts';
import type { DaemonEvent } from '../daemon/environment.ts';
import { daemonSocket, demandOwnSocket, demandVault, runtimePaths } from '../daemon/runtime-paths.ts';
import { EXIT, StewardError } from '../vault/errors.ts';
import type { CommandContext, CommonOptions } from './terminal.ts';

// Only `underLock` loads what does the work here: `steward status` only asks, and should answer at once.

/**
 * How long a running daemon may take to answer: that it is there is said at once, while a tick may last five minutes. Of work
 * that tells of its progress: how long it may be silent.
 */
const TIMEOUT_MS: Readonly<Record<Request['op'], number>> = {
  alive: 2_000,
  status: 2_000,
  log: 10_000,
  ledger: 60_000,
  teach: 60_000,
  explain: 60_000,
  examine: 60_000,
  import: 120_000,
  undo: 60_000,
  answer: 330_000, // of many proposals at once
  licences: 10_000,
  'licence-sign': 60_000,
  'licence-end': 60_000,
  'hide-problems': 10_000,
  propose: 60_000,
  'bank-format': 10_000,
  'source-test': 180_000, // a server may take its time, and so may the command that prints a token
  sources: 10_000,
  'source-try': 180_000,
  'source-add': 60_000,
  'source-pause': 60_000,
  report: 60_000,
  'rehearsal-accept': 60_000,
  'rehearsal-note': 10_000,
  'notify-test': 120_000, // each channel may take its time
  tick: 330_000,
  reserve: 10_000,
  question: 10_000,
  record: 10_000,
  roundtable: 6 * 3_600_000, // many agents, one after the other, over several rounds
};

/** How long the status may take of a daemon that is known to be alive: a large vault on a busy machine has megabytes to tell. */
const STATUS_MS = 60_000;

/**
 * Asks the vault's daemon: returns its reply, or `absent` if no daemon runs and `stalled` if one does not answer.
 * Throws `socket-place` (75) where somebody else could answer in its place, and the reason of who leaves.
 */
export async function askDaemon(
  context: CommandContext,
  root: string,
  request: Request,
  waiting?: ReplyPatience,
): Promise<DaemonReply> {
  const socket = daemonSocket(root, context.env);
  demandOwnSocket(socket, root);
  const vault = withoutLinks(root);
  const asked = await ask(socket, { ...request, vault }, TIMEOUT_MS[request.op], waiting);
  if (asked !== 'stalled' || request.op !== 'status') return asked;
  // Only who is silent altogether is stalled: for a slow one, the whole vault would be read instead.
  const alive = await ask(socket, { op: 'alive', vault }, TIMEOUT_MS.alive);
  return typeof alive === 'string' ? alive : ask(socket, { ...request, vault }, STATUS_MS);
}

function withoutLinks(root: string): string {
  try {
    return fs.realpathSync.native(root);
  } catch {
    return path.resolve(root); // the vault is away
  }
}

/** Returns the error `daemon-stalled` (75), for a command that needs an answer. */
export function daemonStalled(): StewardError {
  return new StewardError(
    {
      code: 'daemon-stalled',
      message: "The daemon runs on the vault, but doesn't answer.",
      hint: 'Try again in a moment; if that fails, restart the daemon.',
    },
    EXIT.tryAgain,
  );
}

/**
 * Lets the running daemon do the work or, if no daemon runs, does it here under the lock. Returns what `work` returns,
 * whoever did it. Throws the daemon's own error with its exit code, `daemon-stalled` (75) where the daemon does not
 * answer, and `vault-away` (75) where the vault is not in its place. `waiting` hears how far the daemon is.
 */
export async function handOver<Result>(
  context: CommandContext,
  root: string,
  request: Request,
  work: (space: Workspace) => Promise<Result>,
  waiting?: ReplyPatience,
): Promise<Result> {
  return askOrDo(
    context,
    root,
    request,
    () =>
      underLock(context, root, work, { printsAll: request.op === 'tick', hearsSignals: waiting?.leave !== undefined }),
    waiting,
  );
}

/** The same for work that is done in another way if no daemon runs. */
export async function askOrDo<Result>(
  context: CommandContext,
  root: string,
  request: Request,
  here: () => Promise<Result>,
  waiting?: ReplyPatience,
): Promise<Result> {
  // A daemon that is alive says so at once; only then is it given work that may take minutes.
  const alive = await askDaemon(context, root, { op: 'alive' });
  const asked = typeof alive === 'string' ? alive : await askDaemon(context, root, request, waiting);
  if (asked === 'stalled') throw daemonStalled();
  if (asked === 'absent') return here();
  // The daemon is this very program: `result` is what the same function returned there.
  if (asked.ok) return asked.result as Result;
  const known = Object.values(EXIT).find((code) => code === asked.exit);
  throw new StewardError(asked.trouble, known ?? EXIT.refused);
}

/** Does the work here, under the lock, and returns what it returns. Throws as `oneShot` does. */
export async function underLock<Result>(
  context: CommandContext,
  root: string,
  work: (space: Workspace) => Promise<Result>,
  { printsAll = false, hearsSignals = false }: { readonly printsAll?: boolean; readonly hearsSignals?: boolean } = {},
): Promise<Result> {
  // A daemon that does the work is asked without what would do it here.
  const [{ readEnvironment }, { oneShot }, { printEvent }] = await Promise.all([
    import('../daemon/environment.ts'),
    import('../daemon/one-shot.ts'),
    import('./daemon-log.ts'),
  ]);
  const env = readEnvironment(context.env);
  demandVault(root, runtimePaths(root, context.env));
  // The answer of a command says what it did, but a tick's answer only names the notes it wrote.
  const emit = (event: DaemonEvent) => {
    if (printsAll || event.what === 'trouble' || event.what === 'recovered') printEvent(context.err, event);
  };
  return oneShot({ root: fs.realpathSync.native(root), env, now: Date.now, emit }, work, hearsSignals);
}

/** Returns the folders that `--root` allows to be read, as absolute paths. They are the shell's: `cwd` counts. */
export function namedRoots(written: readonly string[], cwd: string): readonly string[] {
  return written.map((root) => path.resolve(cwd, root));
}

/**
 * Returns the vault a command is about, as an absolute path: `--vault`, else `$STEWARD_VAULT`, else the nearest folder
 * upward that holds `steward.md` or `.obsidian`. Throws `vault-unknown` (2) if no folder is found.
 */
export function vaultDir({ vault }: CommonOptions, { env, cwd }: CommandContext): string {
  // Empty means unset: a script's `--vault "$VAULT"` must not take the folder it runs in.
  const named = [vault, env.STEWARD_VAULT].find((one) => one !== undefined && one !== '');
  if (named !== undefined) return path.resolve(cwd, named);
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    if (['steward.md', '.obsidian'].some((mark) => fs.existsSync(path.join(folder, mark)))) return folder;
    if (folder === path.dirname(folder)) break;
  }
  throw new StewardError(
    {
      code: 'vault-unknown',
      message: 'There is no vault here or in a folder above.',
      hint: 'Give --vault DIR, set STEWARD_VAULT, or make one with `steward init DIR`.',
    },
    EXIT.usage,
  );
}

/** Returns the vault as `vaultDir` does, and throws `vault-away` (75) where it is not in its place. */
export function presentVaultDir(options: CommonOptions, context: CommandContext): string {
  const root = vaultDir(options, context);
  demandVault(root, runtimePaths(root, context.env));
  return root;
}
