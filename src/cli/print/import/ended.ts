import type { ImportProgress } from '../../../daemon/import/progress.ts';
import { EXIT, StewardError } from '../../../vault/errors.ts';
import { shellWord } from '../../../vault/notes/shell-word.ts';
import { count } from '../plain-text.ts';

/**
 * Returns what a person is told who ends an import while the daemon is at it (`interrupted`, 130), by how far it was: null
 * where it had told nothing yet.
 */
export function endedByPerson(at: ImportProgress | null): StewardError {
  const isThere = at !== null && (at.file !== null || at.nth > 1);
  return new StewardError(
    {
      code: 'interrupted',
      message: `You ended it${isThere ? `. ${whatIsThere(at)}` : ' before anything was put into the vault.'}`,
      hint: isThere ? `The same command again brings what is missing, and nothing twice.${whereToLook(at)}` : AGAIN,
    },
    EXIT.interrupted,
  );
}

const AGAIN = 'The same command again begins anew.';

function whatIsThere({ file, from, nth, files }: ImportProgress): string {
  const after = files - nth;
  const rest = after === 0 ? '' : ` What was named after it (${count(after, 'file')}) is not there yet.`;
  if (file === null) return `Nothing of ${from} is in the vault; the daemon reads what was named before it.${rest}`;
  return `${file} is in the vault, and the daemon reads on.${rest}`;
}

function whereToLook({ file }: ImportProgress): string {
  return file === null ? '' : ` \`steward explain ${shellWord(file)}\` tells what became of it.`;
}
