import fs from 'node:fs';
import path from 'node:path';
import { EXIT, StewardError } from '../../vault/errors.ts';

/**
 * The vault a command is about, as an absolute path: `--vault`, else `$STEWARD_VAULT`, else the nearest folder upward
 * that holds `steward.md` or `.obsidian`. Throws `vault-unknown` (exit 2) where there is none.
 */
export function vaultDir(option: string | undefined, env: NodeJS.ProcessEnv, cwd: string): string {
  // Empty is unset: a script's `--vault "$VAULT"` must not take the folder it stands in.
  const named = [option, env.STEWARD_VAULT].find((one) => one !== undefined && one !== '');
  if (named !== undefined) return path.resolve(cwd, named);
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    if (['steward.md', '.obsidian'].some((mark) => fs.existsSync(path.join(folder, mark)))) return folder;
    if (folder === path.dirname(folder)) break;
  }
  throw new StewardError(
    {
      code: 'vault-unknown',
      message: 'No vault was named, and none lies here or above.',
      hint: 'Give --vault DIR, set STEWARD_VAULT, or make one with `steward init DIR`.',
    },
    EXIT.usage,
  );
}
