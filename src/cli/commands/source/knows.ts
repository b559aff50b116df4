import type { Environment } from '../../../daemon/context/environment.ts';
import { readEnvironment } from '../../../daemon/context/environment.ts';
import type { Request } from '../../../daemon/server/protocol.ts';
import { type ListedSource, listedSources } from '../../../daemon/sources/orders/listed-sources.ts';
import { type Tried, trySource } from '../../../daemon/sources/orders/try-source.ts';
import type { CommandContext } from '../../base/context.ts';
import { askOrDo } from '../../base/hand-over.ts';
import { readVault } from '../../base/read-vault.ts';

type TryOrder = Extract<Request, { op: 'source-try' }>;

/** Returns all sources, as the daemon knows them or, where none runs, as this terminal does. */
export function allSources(root: string, context: CommandContext): Promise<readonly ListedSource[]> {
  return askOrDo(context, root, { op: 'sources' }, async () => listedSources(await readVault(context, root)));
}

/** Connects to a source once, from where it will be asked: the daemon where one runs, else this terminal. */
export function triedWhereItRuns(order: TryOrder, root: string, context: CommandContext): Promise<Tried> {
  return askOrDo(context, root, order, () => triedHere(order, root, context));
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
    return await trySource({ context: { ...space.context, env }, vault: space.vault }, order, abort.signal);
  } finally {
    process.off('SIGINT', leave);
  }
}
