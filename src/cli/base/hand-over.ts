import fs from 'node:fs';
import type { DaemonEvent } from '../../daemon/context/daemon-event.ts';
import type { Workspace } from '../../daemon/context/ports.ts';
import type { Waiting } from '../../daemon/server/client.ts';
import type { Request } from '../../daemon/server/protocol.ts';
import { demandVault, runtimePaths } from '../../daemon/server/runtime-paths.ts';
import { EXIT, StewardError } from '../../vault/errors.ts';
import type { CommandContext } from './context.ts';
import { askDaemon, daemonStalled } from './daemon-client.ts';

/**
 * Lets the running daemon do the work or, where none runs, does it here under the lock. Returns what `work` returns,
 * whoever did it. Throws the daemon's own error with its exit code, `daemon-stalled` (75) where the daemon does not
 * answer, and `vault-away` (75) where the vault is not in its place. `waiting` hears how far the daemon is.
 */
export async function handOver<Result>(
  context: CommandContext,
  root: string,
  request: Request,
  work: (space: Workspace) => Promise<Result>,
  waiting?: Waiting,
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

/** The same for work that is done in another way where no daemon runs. */
export async function askOrDo<Result>(
  context: CommandContext,
  root: string,
  request: Request,
  here: () => Promise<Result>,
  waiting?: Waiting,
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

async function underLock<Result>(
  context: CommandContext,
  root: string,
  work: (space: Workspace) => Promise<Result>,
  { printsAll, hearsSignals }: { readonly printsAll: boolean; readonly hearsSignals: boolean },
): Promise<Result> {
  // A daemon that does the work is asked without what would do it here.
  const [{ readEnvironment }, { oneShot }, { printEvent }] = await Promise.all([
    import('../../daemon/context/environment.ts'),
    import('../../daemon/one-shot.ts'),
    import('../print/print-event.ts'),
  ]);
  const env = readEnvironment(context.env);
  demandVault(root, runtimePaths(root, context.env));
  // The answer of a command says what it did, but a tick's answer only names the notes it wrote.
  const emit = (event: DaemonEvent) => {
    if (printsAll || event.what === 'trouble' || event.what === 'recovered') printEvent(context.err, event);
  };
  return oneShot({ root: fs.realpathSync.native(root), env, now: Date.now, emit }, work, hearsSignals);
}
