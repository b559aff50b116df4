import type { Environment } from '../../daemon/context/environment.ts';
import { readEnvironment } from '../../daemon/context/environment.ts';
import type { Request } from '../../daemon/server/protocol.ts';
import { connectorFor } from '../../daemon/sources/connectors.ts';
import { allowHere, forgetRefusal } from '../../daemon/sources/orders/allow-here.ts';
import { type ListedSource, listedSources } from '../../daemon/sources/orders/listed-sources.ts';
import { failureOf } from '../../daemon/sources/orders/plain-failure.ts';
import { type Tried, trySource } from '../../daemon/sources/orders/try-source.ts';
import type { CommandContext } from './context.ts';
import { askOrDo, handOver } from './hand-over.ts';
import { readVault } from './read-vault.ts';

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
