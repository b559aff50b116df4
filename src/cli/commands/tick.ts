import type { Workspace } from '../../daemon/context.ts';
import { readEnvironment } from '../../daemon/environment.ts';
import { unreadStreams } from '../../daemon/ingest-queue.ts';
import { readStream } from '../../daemon/read-stream.ts';
import type { TickResult } from '../../daemon/schedule/tick.ts';
import { rememberTick, TICK_CUT_MS, tickAll } from '../../daemon/ticker.ts';
import { EXIT } from '../../vault/errors.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../base.ts';
import { handOver, vaultDir } from '../daemon-client.ts';
import { printTicks } from '../print.ts';

/** `steward tick [MATTER…] [--force]`: one round now. */
export async function tick(
  matters: readonly string[],
  options: CommonOptions & { readonly force?: boolean },
  context: CommandContext,
): CommandResult {
  const root = vaultDir(options, context);
  // A mode in the caller's environment lowers the daemon's; none there lowers nothing.
  const mode = context.env.STEWARD_LIVE_MODE === undefined ? null : readEnvironment(context.env).ceiling;
  const request = { op: 'tick' as const, matters: [...matters], force: options.force === true, mode };
  const results = await handOver(context, root, request, (space) => tickHere(space, request));
  if (options.json === true) context.out.json({ schemaVersion: 1, ticks: results });
  else printTicks(context.out, results);
  return EXIT.done;
}

async function tickHere(space: Workspace, request: Parameters<typeof tickAll>[1]): Promise<TickResult[]> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), TICK_CUT_MS);
  try {
    // Nobody has read what came meanwhile: its signals are there before the strong ones are routed.
    for (const file of unreadStreams(space)) {
      if (!abort.signal.aborted) await readStream(space, file, abort.signal);
    }
    const results = await tickAll(space, request, abort.signal);
    for (const result of results) {
      const matter = space.vault.catalogue.get(result.matter);
      if (matter?.kind === 'matter') rememberTick(space.context, matter, result);
    }
    return results;
  } finally {
    clearTimeout(timer);
  }
}
