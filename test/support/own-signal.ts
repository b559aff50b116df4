import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { vaultSeal } from '../../src/daemon/environment.ts';
import { noteText } from '../../src/vault/note-text.ts';
import { type LicenceFields, licenceFields } from '../../src/vault/record.ts';
import { type Seal, sealLicence, sealSignal } from '../../src/vault/seal.ts';
import { TEST_IDENTITY } from './temp-vault.ts';
import { LIVE } from './workspace.ts';

/** The address whose mails are `ownSignal`s where a test says nothing else. */
export const ANNA = 'anna@notary.example';

/** The mark that the benches and daemons of the tests leave on their own notes. */
export function testSeal(): Seal {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vs-seal-'));
  try {
    fs.writeFileSync(path.join(folder, 'identity.json'), TEST_IDENTITY);
    return vaultSeal(LIVE, folder, true).seal;
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/**
 * The text of a signal note as the program itself writes it at a path: that `task/pay.md` is done, by a mail of Anna's
 * that her server vouches for and that links the task.
 */
export function ownSignal(path: string, fields: Readonly<Record<string, unknown>> = {}): string {
  const now = new Date(Date.now() - 3_600_000).toISOString().replace(/\.\d+Z$/, 'Z');
  const written = {
    ...{ type: 'signal', created: now, origin_at: now, source_type: 'mail', pattern: ANNA },
    ...{ from: `Anna Example <${ANNA}>`, authenticated: 'pass', authenticated_by: 'mx.notary.example' },
    ...{ source_event_path: 'stream/paid.eml', raw_quote: 'your invoice is paid' },
    ...{ target_kind: 'task', target_path: 'task/pay.md', target_confidence: 0.98, target_candidates: [] },
    ...{ target_ambiguous: false, target_evidence: ['link', 'sender'], target_near: true },
    ...{ effect: 'mutation', effect_confidence: 0.97, effect_confidence_raw: 1 },
    mutation_proposal: { class: 'state_change', set: { state: 'done' } },
    ...{ reasoning: 'The mail says that it is paid.', headline: 'Invoice paid', status: 'unrouted' },
    ...fields,
  };
  return noteText(sealSignal(testSeal(), path, written), 'A signal.');
}

/** The text of a licence note at a path as the user has signed it here: Anna's mails may do everything on the house. */
export function ownLicence(path: string, fields: Readonly<Record<string, unknown>> = {}): string {
  const written: LicenceFields = licenceFields.parse({
    sender: `mail:${ANNA}`,
    matter: '[[house]]',
    kinds: ['done', 'archived', 'due', 'fields', 'matter'],
    until: '2099-12-31',
    active: true,
    signed_at: '2026-11-20T09:00:00Z',
    signed_by: 'command',
    ...fields,
  });
  const seal = sealLicence(testSeal(), path, written);
  return noteText({ type: 'licence', ...written, steward: undefined, seal }, 'A licence.');
}

/** A licence for the sender of `PAID_MAIL`, who may then close tasks of the house. */
export const ROOF_LICENCE = {
  'licence/roof.md': ownLicence('licence/roof.md', { sender: 'mail:billing@roof.example' }),
};
