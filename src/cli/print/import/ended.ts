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
      message: isThere ? `You ended it. ${whatIsThere(at)}` : 'You ended it before anything reached the vault.',
      hint: isThere ? `The same command brings the rest, and nothing twice.${whereToLook(at)}` : AGAIN,
    },
    EXIT.interrupted,
  );
}

const AGAIN = 'The same command begins anew.';

function whatIsThere({ file, from, nth, files }: ImportProgress): string {
  const after = files - nth;
  const rest = after === 0 ? '' : ` ${count(after, 'further file')} still ${after === 1 ? 'waits' : 'wait'} outside.`;
  if (file === null) return `Nothing of ${from} is in the vault; the daemon reads what was named before it.${rest}`;
  return `${file} is in the vault, and the daemon reads on.${rest}`;
}

function whereToLook({ file }: ImportProgress): string {
  return file === null ? '' : ` \`steward explain ${shellWord(file)}\` tells what became of it.`;
}
