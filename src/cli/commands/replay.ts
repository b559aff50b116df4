import { replay as replayVault } from '../../daemon/report/replay.ts';
import { parseOverrides } from '../../daemon/report/replay-settings.ts';
import { EXIT } from '../../vault/errors.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../base/context.ts';
import { demandVault, readVault } from '../base/daemon-session.ts';
import { vaultDir } from '../base/vault-dir.ts';
import { printReplay } from '../print/print-replay.ts';

interface ReplayOptions extends CommonOptions {
  /** Epoch milliseconds, as is `until`, which is not part of the time looked at any more. */
  readonly since: number;
  readonly until?: number;
  readonly set: readonly string[];
}

/** `steward replay --since DATE [--until DATE] [--set KEY=VALUE …]`: the recorded decisions again, and no note touched. */
export async function replay(options: ReplayOptions, context: CommandContext): CommandResult {
  const overrides = parseOverrides(options.set);
  const root = vaultDir(options.vault, context.env, context.cwd);
  demandVault(root, context.env);
  const space = await readVault(context, root);
  const found = replayVault(space, options.since, options.until ?? null, overrides);
  if (options.json === true) context.out.json({ ...found, set: options.set, ceiling: overrides.mode ?? null });
  else printReplay(context.out, found, options.set, overrides.mode ?? null);
  return EXIT.done;
}
