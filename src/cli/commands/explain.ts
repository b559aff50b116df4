import { explain as explainNote } from '../../daemon/explain.ts';
import { EXIT } from '../../vault/errors.ts';
import { iso } from '../../vault/time.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../base.ts';
import { actingEnvironment, readVault } from '../base-read-vault.ts';
import { presentVaultDir } from '../daemon-client.ts';
import { local } from '../print/plain-text.ts';
import { printExplanation } from '../print.ts';

/** `steward explain NOTE`: why it did what it did, each gate with its figures, and what it would do now. */
export async function explain(note: string, options: CommonOptions, context: CommandContext): CommandResult {
  const root = presentVaultDir(options, context);
  const space = await readVault(context, root, await actingEnvironment(context, root));
  if (options.json === true) context.out.json(await explainNote(space, note));
  else printExplanation(context.out, await explainNote(space, note, (ms) => local(iso(ms))));
  return EXIT.done;
}
