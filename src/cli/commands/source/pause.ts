import { pauseSource } from '../../../daemon/sources/orders/pause-source.ts';
import { EXIT } from '../../../vault/errors.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../../base.ts';
import { handOver, presentVaultDir } from '../../daemon-client.ts';
import { printPaused } from '../../print-sources.ts';

interface PauseOptions extends CommonOptions {
  readonly off?: boolean;
}

/** `steward source pause NAME [--off]`: sets `paused` in its note, and changes no other byte. */
export async function sourcePause(name: string, options: PauseOptions, context: CommandContext): CommandResult {
  const paused = options.off !== true;
  const order = { op: 'source-pause' as const, name, paused };
  const root = presentVaultDir(options, context);
  const { changed } = await handOver(context, root, order, async (space) => pauseSource(space, order));
  printPaused(context.out, name, paused, changed);
  return EXIT.done;
}
