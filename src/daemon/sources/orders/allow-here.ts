import type { Grant } from '../../../source/grant.ts';
import { EXIT, StewardError } from '../../../vault/errors.ts';
import type { IndexAccess } from '../../context/ports.ts';
import { allow, grantsFile } from '../grants.ts';

/** Keeps what a person allows a source, outside the vault. Throws `source-no-place` (78) where there is no folder for it. */
export function allowHere({ context, vault }: IndexAccess, name: string, given: Grant): void {
  const folder = context.env.sourceGrants;
  if (folder === undefined) throw noPlace();
  allow(grantsFile(vault.root, folder), name, given);
}

function noPlace(): StewardError {
  return new StewardError(
    {
      code: 'source-no-place',
      message: 'This machine has no folder to keep what you allow a source.',
      hint: 'Set XDG_STATE_HOME or HOME.',
    },
    EXIT.settings,
  );
}

/** Forgets that the password of a source was refused: it has worked since. */
export function forgetRefusal({ context }: Pick<IndexAccess, 'context'>, name: string): void {
  const known = context.state.get('sources')[name];
  if (known === undefined) return;
  known.refused = null;
  known.failing = null;
  context.state.touch('sources');
}
