import path from 'node:path';
import { engineAccess } from '../engine/engine.ts';
import { serve } from '../host/host.ts';
import { hostLog } from '../host/host-log.ts';
import { meters } from '../host/meters.ts';
import { Registry } from '../host/registry.ts';
import { installRuntime } from '../host/runtime.ts';
import { Standings } from '../host/standings.ts';
import { tenantBudget } from '../several/shared-budget.ts';
import { Vaults } from '../several/vaults.ts';
import { type CommandContext, EXIT, type ExitCode, runtimePaths, StewardError, stateFolder } from '../steward.ts';
import { endWithin, readEnvironment, unexpectedFault } from '../steward-daemon.ts';
import type { Asked } from './context.ts';

const VISITS_AT_ONCE = 200;
const CACHED_WORKFLOWS = 100;
/** So late a slow tick may be, so that it shares a visit with others. */
const SLACK_MINUTES = 15;
/** After an error outside the work on any vault, visits may take so long (ms) to end. */
const END_MS = 20_000;

/** `steward-fleet host`: serves the vaults of this host until SIGTERM or SIGINT. */
export async function host(asked: Asked, { env, out, cwd }: CommandContext): Promise<ExitCode> {
  const access = engineAccess(env, asked.address);
  const state = stateFolder(env);
  const log = hostLog(out, asked.json);
  const runtime = installRuntime(log, asked.metrics ?? null);
  const sharedBudget = tenantBudget(env, state, ({ code, message, hint, file }) =>
    log({ what: 'budget', code, says: `${file}: ${message} ${hint}` }),
  );
  const count = meters(runtime.metricMeter, () => sharedBudget?.spent(Date.now()) ?? null);
  const leaseMs = asked.lease === undefined ? undefined : figure(asked.lease, '--lease') * 1_000;
  const stop = new AbortController(); // at a signal the SDK itself stops
  await using vaults = new Vaults({
    env: { ...readEnvironment(env), sharedBudget },
    now: Date.now,
    pathsOf: (root) => runtimePaths(root, env),
    emitFor: () => () => {}, // it stays in the vault
    unowned: ({ error }) => {
      log({ what: 'fault', code: unexpectedFault(error).trouble.code });
      endWithin(END_MS);
      stop.abort(unexpectedFault(error));
    },
    leaseMs,
    slackMs: (asked.slack === undefined ? SLACK_MINUTES : figure(asked.slack, '--slack', 0)) * 60_000,
  });
  await serve(
    {
      access,
      registry: new Registry(state),
      standings: new Standings(state),
      visitVault: (root, over) => vaults.visit(root, over),
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

function figure(word: string, option: string, least = 1): number {
  const figure = Number(word);
  if (Number.isInteger(figure) && figure >= least) return figure;
  throw new StewardError(
    { code: 'usage', message: `${option} takes a whole number from ${least} on.`, hint: 'See `steward-fleet --help`.' },
    EXIT.usage,
  );
}
