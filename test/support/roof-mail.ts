import { ownSignal } from './own-signal.ts';
import type { TempVault } from './temp-vault.ts';

const ROOF = {
  ...{ from: 'Roof & Sons <billing@roof.example>', pattern: 'billing@roof.example' },
  ...{ authenticated_by: 'mx.home.example', target_evidence: ['link'], warnings: [] },
};

/** Writes the program's own signal of a mail from `billing@roof.example`: that `task/pay.md` is done. */
export function writeRoofMail(vault: TempVault, path: string, fields: Readonly<Record<string, unknown>> = {}): void {
  vault.write(path, ownSignal(path, { ...ROOF, ...fields }));
}
