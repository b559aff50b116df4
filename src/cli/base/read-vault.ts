import { compose } from '../../daemon/compose.ts';
import { type Environment, readEnvironment } from '../../daemon/context/environment.ts';
import type { Workspace } from '../../daemon/context/ports.ts';
import type { Asked } from '../../daemon/server/client.ts';
import type { Status } from '../../daemon/status/status.ts';
import { parseMode } from '../../steward/gates/gate.ts';
import type { CommandContext } from './context.ts';
import { askDaemon } from './daemon-client.ts';
import { VaultBudget } from './vault-budget.ts';

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
