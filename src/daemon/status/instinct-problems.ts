import { type Diagnostic, diagnostic } from '../../vault/errors.ts';
import { sourceOf } from '../../vault/index/index-keys.ts';
import type { Vault } from '../../vault/watch/vault.ts';

/** Returns the instinct notes that are not read because another note names the same source. */
export function instinctProblems({ catalogue }: Vault): Diagnostic[] {
  return catalogue.instincts().flatMap((record) => {
    const source = sourceOf(record);
    const used = catalogue.instinctOf(source);
    if (used === null || used.path === record.path) return [];
    return [
      diagnostic({
        code: 'source-twice',
        file: record.path,
        message: `${record.path} and ${used.path} are both about ${source}; the steward uses ${used.path}.`,
        hint: 'Keep what is right in one of the two notes, and delete the other.',
      }),
    ];
  });
}
