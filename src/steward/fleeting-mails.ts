import path from 'node:path';
import { streamFilePath } from '../vault/layout.ts';
import type { DecisionContext } from './workspace.ts';

/**
 * Remembers, on disk, that these files are to be deleted once they have been read. Called before they are written, so
 * that a crash leaves no mail behind. Throws what the disk refuses.
 */
export function expectFleeting({ state, now }: Pick<DecisionContext, 'state' | 'now'>, files: readonly string[]): void {
  const here = state.get('fleeting');
  const fresh = files.filter((file) => !Object.hasOwn(here, file));
  if (fresh.length === 0) return;
  for (const file of fresh) {
    here[file] = now();
    state.touch('fleeting', file);
  }
  state.save('fleeting');
}

/**
 * Returns the account of the mail at this path, or of the mail that carried its event, if the vault does not keep it;
 * else null.
 */
export function findAccount({ state }: Pick<DecisionContext, 'state'>, event: string | null): string | null {
  const [here, cleared] = [state.get('fleeting'), state.get('cleared')];
  const file = event === null ? null : streamFilePath(event);
  if (file === null || !(Object.hasOwn(here, file) || Object.hasOwn(cleared, file))) return null;
  return path.posix.basename(path.posix.dirname(file));
}
