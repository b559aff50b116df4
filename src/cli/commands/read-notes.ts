import { compose } from '../../daemon/compose.ts';
import type { Workspace } from '../../daemon/context.ts';
import { readEnvironment } from '../../daemon/environment.ts';
import type { CommandContext } from '../base.ts';

/**
 * Returns the vault as it stands on disk, without writing anything to it, for a command that asks no model and for no stream
 * event: what these need is not loaded.
 */
export async function readNotes(context: CommandContext, root: string): Promise<Workspace> {
  const env = readEnvironment(context.env);
  const { space } = await compose({ root, env, now: Date.now, emit: () => {}, readsOnly: true });
  return space;
}
