import { noteText } from '../../src/vault/notes/note-text.ts';
import { sealSignal } from '../../src/vault/records/seals.ts';
import { signal } from './notes.ts';
import type { TempVault } from './temp-vault.ts';
import type { Bench } from './workspace.ts';

/** What the program writes of a mail from `billing@roof.example`, for whom a server vouches. */
const HEARD = {
  from: 'Roof & Sons <billing@roof.example>',
  pattern: 'billing@roof.example',
  authenticated: 'pass',
  authenticated_by: 'mx.home.example',
  target_evidence: ['link'],
  target_near: true,
  ends_matter: false,
  warnings: [],
};

/** Writes a signal note with the program's own mark, as if it had read a mail: that `task/pay.md` is done. */
export function writeOwnSignal(
  vault: TempVault,
  bench: Bench,
  path: string,
  fields: Readonly<Record<string, unknown>> = {},
): void {
  vault.write(path, signal({ ...HEARD, ...fields }));
  vault.write(path, noteText(sealSignal(bench.ports.context.seal, path, vault.fields(path)), 'A signal.'));
}
