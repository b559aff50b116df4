import { parseOverrides } from '../../daemon/replay-settings.ts';
import { replay as replayVault } from '../../daemon/report.ts';
import { EXIT } from '../../vault/errors.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../base.ts';
import { readVault } from '../base-read-vault.ts';
import { presentVaultDir } from '../daemon-client.ts';
import { printReplay } from '../print-reading.ts';

interface ReplayOptions extends CommonOptions {
  /** Epoch milliseconds. */
  readonly since: number;
  /** Epoch milliseconds, exclusive. */
  readonly until?: number;
  readonly set?: readonly string[];
}

/** `steward replay --since DATE [--until DATE] [--set KEY=VALUE …]`: the recorded decisions again; changes nothing. */
export async function replay(options: ReplayOptions, context: CommandContext): CommandResult {
  const { set = [] } = options;
  const overrides = parseOverrides(set);
  const root = presentVaultDir(options, context);
  const space = await readVault(context, root);
  const result = replayVault(space, options.since, options.until ?? null, overrides);
  if (options.json === true) context.out.json({ ...result, set, ceiling: overrides.mode ?? null });
  else printReplay(context.out, result, set, overrides.mode ?? null);
  return EXIT.done;
}
