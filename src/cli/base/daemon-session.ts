import fs from 'node:fs';
import { compose } from '../../daemon/compose.ts';
import type { DaemonEvent } from '../../daemon/context/daemon-event.ts';
import { type Environment, readEnvironment } from '../../daemon/context/environment.ts';
import type { Workspace } from '../../daemon/context/ports.ts';
import { oneShot } from '../../daemon/one-shot.ts';
import { type Asked, ask } from '../../daemon/server/client.ts';
import type { Request } from '../../daemon/server/protocol.ts';
import { daemonSocket, demandVault as demandPlace, runtimePaths } from '../../daemon/server/runtime-paths.ts';
import type { Status } from '../../daemon/status/status.ts';
import { parseMode } from '../../steward/gates/gate.ts';
import { EXIT, StewardError } from '../../vault/errors.ts';
import type { CommandContext } from './context.ts';

/** How long a running daemon may take to answer: a tick may last five minutes, a status not. */
const PATIENCE_MS: Readonly<Record<Request['op'], number>> = {
  status: 2_000,
  import: 120_000,
  undo: 60_000,
  answer: 330_000, // of many proposals at once
  report: 60_000,
  tick: 330_000,
  reserve: 10_000,
  record: 10_000,
  roundtable: 6 * 3_600_000, // many agents, one after the other, over some rounds
};

/** Asks the vault's daemon, if one runs. */
export function askDaemon(context: CommandContext, root: string, request: Request): Promise<Asked> {
  return ask(daemonSocket(root, context.env), request, PATIENCE_MS[request.op]);
}

/**
 * Lets the running daemon do the work, or does it here, under the lock, where none runs. The result of the daemon is
 * what `here` would have given.
 */
export async function handOver<Result>(
  context: CommandContext,
  root: string,
  request: Request,
  here: (space: Workspace) => Promise<Result>,
): Promise<Result> {
  // A daemon that is alive answers for its status at once; only then is it given work that may take minutes.
  const alive = await askDaemon(context, root, { op: 'status' });
  const asked = typeof alive === 'string' ? alive : await askDaemon(context, root, request);
  if (asked === 'stalled') throw stalled();
  if (asked === 'absent') return withLock(context, root, here, request.op === 'tick');
  // The daemon is this very program: `result` is what the same function returned there.
  if (asked.ok) return asked.result as Result;
  const known = Object.values(EXIT).find((code) => code === asked.exit);
  throw new StewardError(asked.trouble, known ?? EXIT.refused);
}

/** Reads the vault without writing anything to it. */
export async function readVault(
  context: CommandContext,
  root: string,
  env: Environment = readEnvironment(context.env),
): Promise<Workspace> {
  const { space } = await compose({ root, env, now: Date.now, emit: () => {}, readsOnly: true });
  return space;
}

/** What the running daemon's environment allows, whatever this terminal's says; this one's where none runs. */
export async function actingEnvironment(context: CommandContext, root: string): Promise<Environment> {
  const here = readEnvironment(context.env);
  const asked = await askDaemon(context, root, { op: 'status' });
  if (typeof asked === 'string' || !asked.ok) return here;
  const { mode, gates } = asked.result as Status; // the daemon is this very program
  const { confidence, highConfidence } = gates.thresholds;
  return {
    ...here,
    ceiling: parseMode(mode.ceiling),
    confidenceThreshold: confidence,
    highConfidenceThreshold: highConfidence,
  };
}

async function withLock<Result>(
  context: CommandContext,
  root: string,
  work: (space: Workspace) => Promise<Result>,
  tellsAll: boolean,
): Promise<Result> {
  const env = readEnvironment(context.env);
  demandVault(root, context.env);
  // What a command was asked for, its answer tells; a tick's answer names no more than the notes it wrote.
  const emit = (event: DaemonEvent) => {
    if (tellsAll || event.what === 'trouble' || event.what === 'recovered') context.err.event(event);
  };
  return oneShot({ root: fs.realpathSync.native(root), env, now: Date.now, emit }, work);
}

/** Throws `vault-away` (75) where the vault is not in its place. */
export function demandVault(root: string, env: NodeJS.ProcessEnv): void {
  demandPlace(root, runtimePaths(root, env));
}

function stalled(): StewardError {
  return new StewardError(
    {
      code: 'daemon-stalled',
      message: 'The daemon holds the vault but does not answer.',
      hint: 'Try again in a moment; if it stays so, restart it.',
    },
    EXIT.tryAgain,
  );
}
