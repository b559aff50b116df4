import fs from 'node:fs';
import path from 'node:path';
import { demandVault, runtimePaths } from '../../daemon/server/runtime-paths.ts';
import { EXIT, StewardError } from '../../vault/errors.ts';
import type { CommandContext, CommonOptions } from './context.ts';

/**
 * Returns the vault a command is about, as an absolute path: `--vault`, else `$STEWARD_VAULT`, else the nearest folder
 * upward that holds `steward.md` or `.obsidian`. Throws `vault-unknown` (2) where there is none.
 */
export function vaultDir({ vault }: CommonOptions, { env, cwd }: CommandContext): string {
  // Empty means unset: a script's `--vault "$VAULT"` must not take the folder it runs in.
  const named = [vault, env.STEWARD_VAULT].find((one) => one !== undefined && one !== '');
  if (named !== undefined) return path.resolve(cwd, named);
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    if (['steward.md', '.obsidian'].some((mark) => fs.existsSync(path.join(folder, mark)))) return folder;
    if (folder === path.dirname(folder)) break;
  }
  throw new StewardError(
    {
      code: 'vault-unknown',
      message: 'There is no vault here or in a folder above.',
      hint: 'Give --vault DIR, set STEWARD_VAULT, or make one with `steward init DIR`.',
    },
    EXIT.usage,
  );
}

/** Returns the vault as `vaultDir` does, and throws `vault-away` (75) where it is not in its place. */
export function presentVaultDir(options: CommonOptions, context: CommandContext): string {
  const root = vaultDir(options, context);
  demandVault(root, runtimePaths(root, context.env));
  return root;
}
