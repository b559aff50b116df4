import { setTimeout as cut } from 'node:timers';
import { readEnvironment } from '../daemon/environment.ts';
import { tickAll } from '../daemon/operations.ts';
import { scheduleName } from '../daemon/schedules.ts';
import type { TickResult } from '../daemon/tick.ts';
import type { Workspace } from '../daemon/workspace.ts';
import { EXIT } from '../vault/trouble.ts';
import type { CommandContext, CommandResult, CommonOptions } from './context.ts';
import { handOver } from './session.ts';
import { vaultDir } from './vault-dir.ts';

const CUT_MS = 5 * 60 * 1000;

/** `steward tick [MATTER…] [--force]`: one round now. */
export async function tick(
  matters: readonly string[],
  options: CommonOptions & { readonly force?: boolean },
  context: CommandContext,
): CommandResult {
  const root = vaultDir(options.vault, context.env, context.cwd);
  // A caller who names a mode lowers the daemon's; one who names none lowers nothing.
  const named = context.env.STEWARD_LIVE_MODE === undefined ? null : readEnvironment(context.env).ceiling;
  const request = { op: 'tick' as const, matters: [...matters], force: options.force === true, mode: named };
  const results = await handOver(context, root, request, (space) => tickHere(space, request));
  if (options.json === true) context.out.json({ schemaVersion: 1, ticks: results });
  else context.out.ticks(results);
  return EXIT.done;
}

async function tickHere(space: Workspace, request: Parameters<typeof tickAll>[1]): Promise<TickResult[]> {
  const abort = new AbortController();
  const timer = cut(() => abort.abort(), CUT_MS);
  try {
    const results = await tickAll(space, request, abort.signal);
    for (const result of results) remember(space, result);
    return results;
  } finally {
    clearTimeout(timer);
  }
}

function remember(space: Workspace, result: TickResult): void {
  const matter = space.vault.catalogue.get(result.matter);
  if (matter?.kind !== 'matter') return;
  const schedules = space.state.get('schedules');
  const name = scheduleName(matter);
  const streak = result.heard ? 0 : (schedules[name]?.streak ?? 0) + 1;
  schedules[name] = { path: matter.path, last: space.now(), skipped: null, streak };
  space.state.touch('schedules');
}
