import path from 'node:path';
import type { Registry } from '../host/registry.ts';
import { vaultId } from '../host/vault-id.ts';
import { isId } from '../ids.ts';
import { EXIT, StewardError } from '../steward.ts';

/** Returns the id of the vault that a word names: an id, or a folder. Throws `vault-unknown` (2). */
function namedVault(word: string, registry: Registry, cwd: string): string {
  if (isId(word)) return word;
  const root = path.resolve(cwd, word);
  const id = vaultId(root) ?? registry.ids().find((one) => registry.readablePathOf(one) === root);
  if (id !== undefined) return id;
  throw new StewardError(
    {
      code: 'vault-unknown',
      message: `${word} is no vault of the fleet.`,
      hint: '`steward-fleet status` lists those of this host.',
    },
    EXIT.usage,
  );
}

/** Returns the ids of all that are named. Throws `vault-unknown` (2), also where none is. */
export function namedVaults(words: readonly string[], registry: Registry, cwd: string): string[] {
  if (words.length > 0) return words.map((word) => namedVault(word, registry, cwd));
  throw new StewardError(
    { code: 'vault-unknown', message: 'No vault is named.', hint: 'Name vaults by their ids or folders.' },
    EXIT.usage,
  );
}
