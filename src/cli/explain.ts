import { explain as explainNote } from '../daemon/explain.ts';
import { EXIT } from '../vault/trouble.ts';
import type { CommandContext, CommandResult, CommonOptions } from './context.ts';
import { demandVault, readVault } from './session.ts';
import { vaultDir } from './vault-dir.ts';

/** `steward explain NOTE`: why it did what it did, each gate with its figures, and what it would do now. */
export async function explain(note: string, options: CommonOptions, context: CommandContext): CommandResult {
  const root = vaultDir(options.vault, context.env, context.cwd);
  demandVault(root, context.env);
  const explanation = explainNote(await readVault(context, root), note);
  if (options.json === true) context.out.json(explanation);
  else context.out.explain(explanation);
  return EXIT.done;
}
