import path from 'node:path';
import { engineAccess } from '../engine/engine.ts';
import { serve } from '../host/host.ts';
import { hostLog } from '../host/host-log.ts';
import { meters } from '../host/meters.ts';
import { Registry } from '../host/registry.ts';
import { installRuntime } from '../host/runtime.ts';
import { Standings } from '../host/standings.ts';
import { VaultVisitor } from '../host/vault-visitor.ts';
import { type CommandContext, EXIT, type ExitCode, StewardError, stateFolder } from '../steward.ts';
import { endWithin, LastResort, unexpectedFault } from '../steward-daemon.ts';
import type { Asked } from './context.ts';

const VISITS_AT_ONCE = 200;
const CACHED_WORKFLOWS = 100;
/** After an error outside the work on any vault, visits may take so long (ms) to end. */
const END_MS = 20_000;

/** `steward-fleet host`: serves the vaults of this host until SIGTERM or SIGINT. */
export async function host(asked: Asked, { env, out, cwd }: CommandContext): Promise<ExitCode> {
  const access = engineAccess(env, asked.address);
  const state = stateFolder(env);
  const log = hostLog(out, asked.json);
  const runtime = installRuntime(log, asked.metrics ?? null);
  const count = meters(runtime.metricMeter);
  const leaseMs = asked.lease === undefined ? undefined : figure(asked.lease, '--lease') * 1_000;
  const stop = new AbortController(); // at a signal the SDK itself stops
  const lastResort = new LastResort(({ error }) => {
    log({ what: 'fault', code: unexpectedFault(error).trouble.code });
    endWithin(END_MS);
    stop.abort(unexpectedFault(error));
  });
  const visitor = new VaultVisitor({ env, lastResort, leaseMs });
  await serve(
    {
      access,
      registry: new Registry(state),
      standings: new Standings(state),
      visitVault: (root, over) => visitor.visit(root, over),
      folders: asked.vaults.map((folder) => path.resolve(cwd, folder)),
      visitsAtOnce: asked.visits === undefined ? VISITS_AT_ONCE : figure(asked.visits, '--visits'),
      cached: CACHED_WORKFLOWS,
      emit: (event) => {
        log(event);
        count(event);
      },
    },
    stop.signal,
  );
  stop.signal.throwIfAborted();
  return EXIT.done;
}

function figure(word: string, option: string): number {
  const figure = Number(word);
  if (Number.isInteger(figure) && figure > 0) return figure;
  throw new StewardError(
    { code: 'usage', message: `${option} takes a whole number above 0.`, hint: 'See `steward-fleet --help`.' },
    EXIT.usage,
  );
}
