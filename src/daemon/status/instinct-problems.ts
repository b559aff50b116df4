import { type Diagnostic, diagnostic } from '../../vault/errors.ts';
import type { Vault } from '../../vault/watch/vault.ts';

/** Instinct notes that nobody reads, since another note names the same source. */
export function instinctProblems({ catalogue }: Vault): Diagnostic[] {
  return catalogue.instincts().flatMap((record) => {
    const source = record.fields.source_type ?? record.name;
    const heeded = catalogue.instinctOf(source);
    if (heeded === null || heeded.path === record.path) return [];
    return [
      diagnostic({
        code: 'source-twice',
        file: record.path,
        message: `${record.path} and ${heeded.path} are both about ${source}; only ${heeded.path} is read and written.`,
        hint: 'Keep what is right in one of the two notes, and delete the other.',
      }),
    ];
  });
}
