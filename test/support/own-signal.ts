import { sealKeyAt } from '../../src/daemon/seal-key.ts';
import { sealSignal } from '../../src/vault/index-keys.ts';
import { noteText } from '../../src/vault/note-text.ts';
import { Seal } from '../../src/vault/seal.ts';
import { LIVE } from './workspace.ts';

/** The address whose mails are `ownSignal`s where a test says nothing else. */
export const ANNA = 'anna@notary.example';

/** The mark that the benches and daemons of the tests leave on their own notes. */
export function testSeal(): Seal {
  return new Seal(sealKeyAt(LIVE.sealKey ?? null, true).key);
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
