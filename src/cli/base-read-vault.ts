import { compose } from '../daemon/compose.ts';
import type { Workspace } from '../daemon/context.ts';
import { type Environment, readEnvironment } from '../daemon/environment.ts';
import type { Request } from '../daemon/server.ts';
import type { Asked } from '../daemon/server-runtime-paths.ts';
import { allowHere, failureOf, forgetRefusal } from '../daemon/source-orders.ts';
import { connectorFor } from '../daemon/sources/connectors.ts';
import { type ListedSource, listedSources } from '../daemon/sources/orders/listed-sources.ts';
import { type Tried, trySource } from '../daemon/sources/orders/try-source.ts';
import type { Status } from '../daemon/status.ts';
import { parseMode } from '../steward/gates-rounding.ts';
import { VaultBudget } from './base/vault-budget.ts';
import type { CommandContext } from './base.ts';
import { askDaemon, askOrDo, handOver } from './daemon-client.ts';

/** Returns the vault as it stands on disk, without writing anything to it; only questions to a model are counted in it. */
export async function readVault(
  context: CommandContext,
  root: string,
  env: Environment = readEnvironment(context.env),
): Promise<Workspace> {
  const door = new VaultBudget(context, root);
  const { space } = await compose({ root, env, now: Date.now, emit: () => {}, readsOnly: true, door });
  return space;
}

/** Returns the environment that decides: the running daemon's, else this terminal's. */
export async function actingEnvironment(context: CommandContext, root: string): Promise<Environment> {
  return environmentOf(context, await askDaemon(context, root, { op: 'status' }));
}

/** The same, where the daemon was asked for its status already. */
export function environmentOf(context: CommandContext, asked: Asked): Environment {
  const env = readEnvironment(context.env);
  if (typeof asked === 'string' || !asked.ok) return env;
  const { mode, gates } = asked.result as Status; // the daemon is this very program
  const { confidence, highConfidence } = gates.thresholds;
  return {
    ...env,
    ceiling: parseMode(mode.ceiling),
    confidenceThreshold: confidence,
    highConfidenceThreshold: highConfidence,
  };
}

type TryOrder = Extract<Request, { op: 'source-try' }>;
type TestOrder = Extract<Request, { op: 'source-test' }>;

/** Returns all sources, as the daemon knows them or, where none runs, as this terminal does. */
export function allSources(root: string, context: CommandContext): Promise<readonly ListedSource[]> {
  return askOrDo(context, root, { op: 'sources' }, async () => listedSources(await readVault(context, root)));
}

/** Connects to a source once, from where it will be asked: the daemon where one runs, else this terminal. */
export function triedWhereItRuns(order: TryOrder, root: string, context: CommandContext): Promise<Tried> {
  return askOrDo(context, root, order, () => triedHere(order, root, context));
}

/** What came of a test, whoever made it. */
interface Tested {
  readonly lines: readonly string[];
}

/**
 * Allows a source what a person says, where that is new, and tests it: by the daemon, or here where none runs. Throws what the
 * source answers, as an error that can be printed.
 */
export function tested(order: TestOrder, root: string, context: CommandContext, typed: string | null): Promise<Tested> {
  return askOrDo(context, root, order, async () => {
    const space = await readVault(context, root);
    if (order.allow !== null) allowHere(space, order.name, order.allow);
    const again = { op: 'source-try' as const, name: order.name, fields: null, allow: null };
    const { described, failed } = await triedHere(again, root, context, typed);
    if (failed !== null) throw failureOf(failed);
    const isRefused = space.context.state.get('sources')[order.name]?.refused != null;
    // What has worked just now is asked again by the next daemon.
    if (isRefused) await handOver(context, root, order, async (writing) => forgetRefusal(writing, order.name));
    return { lines: described?.lines ?? [] };
  });
}

/** Connects to a source once from this terminal, with a password that a person has typed for that alone, if any. */
export async function triedHere(
  order: TryOrder,
  root: string,
  context: CommandContext,
  typed: string | null = null,
): Promise<Tried> {
  const own = readEnvironment(context.env);
  const env: Environment = typed === null ? own : { ...own, sourcePassword: () => typed };
  const space = await readVault(context, root, own);
  const abort = new AbortController();
  const leave = () => abort.abort();
  process.once('SIGINT', leave);
  try {
    return await trySource(
      { context: { ...space.context, env }, vault: space.vault },
      connectorFor,
      order,
      abort.signal,
    );
  } finally {
    process.off('SIGINT', leave);
  }
}
