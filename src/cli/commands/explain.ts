import { explain as explainNote } from '../../daemon/explain/explain.ts';
import { EXIT } from '../../vault/errors.ts';
import { iso } from '../../vault/time.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../base/context.ts';
import { actingEnvironment, demandVault, readVault } from '../base/daemon-session.ts';
import { vaultDir } from '../base/vault-dir.ts';
import { local } from '../print/print.ts';

/** `steward explain NOTE`: why it did what it did, each gate with its figures, and what it would do now. */
export async function explain(note: string, options: CommonOptions, context: CommandContext): CommandResult {
  const root = vaultDir(options.vault, context.env, context.cwd);
  demandVault(root, context.env);
  const space = await readVault(context, root, await actingEnvironment(context, root));
  if (options.json === true) context.out.json(await explainNote(space, note));
  else context.out.explain(await explainNote(space, note, (ms) => local(iso(ms))));
  return EXIT.done;
}
