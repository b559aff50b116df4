import type { ImportProgress } from '../../../daemon/import/progress.ts';
import { EXIT, StewardError } from '../../../vault/errors.ts';

/**
 * Returns what a person is told who ends an import while the daemon is at it (`interrupted`, 130), by how far it was: null
 * where it had told nothing yet.
 */
export function endedByPerson(at: ImportProgress | null): StewardError {
  const isThere = at !== null && (at.file !== null || at.nth > 1);
  const place = at?.file ?? 'what was named before it';
  const rest = at?.stage === 'copying' ? ` Nothing of ${at.from} is in the vault.` : '';
  return new StewardError(
    {
      code: 'interrupted',
      message: isThere
        ? `You ended it. ${place} is in the vault, and the daemon reads on.${rest}`
        : 'You ended it before anything was put into the vault.',
      hint: isThere
        ? '`steward status` says how far it is; the same command again brings what is missing, and nothing twice.'
        : 'The same command again begins anew.',
    },
    EXIT.interrupted,
  );
}
