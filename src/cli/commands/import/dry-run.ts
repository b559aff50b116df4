import { dryRun } from '../../../daemon/import/dry-run/dry-run.ts';
import { EXIT } from '../../../vault/errors.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../../base/context.ts';
import { readVault } from '../../base/read-vault.ts';
import { presentVaultDir } from '../../base/vault-dir.ts';
import { printDryRun } from '../../print/import/print-dry-run.ts';
import { ProgressLine } from '../../print/import/progress-line.ts';

/** How many signals are shown without `--all`. */
const SHOWN = 20;

/** The options of a dry run. */
export interface DryRunOptions extends CommonOptions {
  /** Shows every signal. */
  readonly all?: boolean;
}

/**
 * `steward import FILE… --dry-run`: says what would be signalled and why, and changes nothing; exit 1 where a file is not
 * understood. `files` are absolute.
 */
export async function importDryRun(
  files: readonly string[],
  options: DryRunOptions,
  context: CommandContext,
): CommandResult {
  const space = await readVault(context, presentVaultDir(options, context));
  const line = new ProgressLine(context.err, options.json === true);
  const most = options.all === true || options.json === true ? Number.POSITIVE_INFINITY : SHOWN;
  const run = await dryRun(space, files, { most, tell: (progress) => line.show(progress) });
  line.end();
  if (options.json === true) context.out.json({ schemaVersion: 1, dryRun: true, ...run });
  else printDryRun(context.out, run);
  return run.files.every(({ understood }) => understood) ? EXIT.done : EXIT.refused;
}
