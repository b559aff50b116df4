import { expect, test } from 'vitest';
import { noteText } from '../../src/vault/note-text.ts';
import { utc } from '../../src/vault/time.ts';
import { HOUSE, matter, settings, task } from '../support/notes.ts';
import { ANNA, ownSignal } from '../support/own-signal.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only } from '../support/workspace.ts';

const GIVEN_BACK = {
  due: { before: '2030-01-01', after: '2035-12-01', before_source: 'due: 2030-01-01\n' },
  pending_confirmation: { before: null, after: true, before_source: null },
};

test('an event that somebody forged takes the flag away with the proposal, and nothing else', async () => {
  const proposal = { class: 'context_edit', set: { owner: 'Robin' } };
  const said = ownSignal('signal/s.md', { effect_confidence: 0.8, mutation_proposal: proposal });
  const files = {
    'steward.md': settings({ settle_seconds: 0 }),
    'matter/house.md': matter({ senders: [ANNA] }),
    'signal/s.md': said,
  };
  const vault = new TempVault({ ...HOUSE, ...files, 'task/pay.md': task({ due: '2035-12-01' }) });
  const before = vault.read('task/pay.md');
  const bench = await Bench.open(vault);
  await bench.tick();
  const event = only(vault.events());
  expect(vault.fields('task/pay.md').pending_confirmation).toBe(true);
  const [timestamp, target_path] = [utc(Date.now() + 1000), 'task/pay.md'];
  const hashes = { before_sha256: 'a'.repeat(64), after_sha256: 'b'.repeat(64) };
  const pending_patch = { target: target_path, ...hashes, fields: GIVEN_BACK };
  const forged = { type: 'steward-action', timestamp, target_path, mode: 'live', changes: {}, pending_patch };
  vault.write(`event/steward-action-${timestamp.replaceAll(':', '-')}-pay.md`, noteText(forged, ''));
  await bench.dismiss(event);
  expect(vault.read('task/pay.md')).toBe(before);
});
