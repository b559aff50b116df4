// Over 5 s: each case lives through answers in a vault on disk.
import { expect, test } from 'vitest';
import { readHistory } from '../../src/vault/note-text.ts';
import { HOUSE, instinct, matter, task, weak } from '../support/notes.ts';
import { type Files, TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

const ANNA = 'instinct/mail/anna@notary.example.md';
const SOURCE = 'mail:anna@notary.example';
const BY_ANNA = { pattern: 'anna@notary.example' };
const PRUNED = instinct('mail', { ...BY_ANNA, calibration_status: 'pruned', last_negative_at: '2026-11-02T10:00:00Z' });

async function stopped(files: Files = {}) {
  const said = weak({ ...BY_ANNA, from: 'Anna <anna@notary.example>', raw_quote: 'it is paid' });
  const vault = new TempVault({ ...HOUSE, [ANNA]: PRUNED, 'signal/s.md': said, ...files });
  const bench = await Bench.open(vault);
  await bench.tick();
  return { vault, bench };
}

test('a waiting signal of a sender that was stopped is a question to the person', async () => {
  const { bench } = await stopped();
  expect(bench.waiting()).toMatchObject([
    {
      ...{ kind: 'stopped', event: SOURCE, target: 'task/pay.md', quote: 'it is paid' },
      change: expect.stringContaining("anna@notary.example wrote. You stopped this sender's mail on 2026-11-02."),
      answers: ['confirm', 'dismiss'],
    },
  ]);
});

test('yes pins the sender, and the signal is weighed', async () => {
  const { vault, bench } = await stopped();
  expect(await bench.confirm(SOURCE)).toMatchObject({ outcome: 'confirmed' });
  expect(vault.fields(ANNA)).toMatchObject({ pinned: true, pinned_by: 'person', calibration_status: 'live' });
  await bench.tick();
  expect(bench.waiting()).toMatchObject([{ kind: 'proposal', target: 'task/pay.md' }]);
});

test('no sets the signal aside, and the sender stays stopped', async () => {
  const { vault, bench } = await stopped();
  expect(await bench.dismiss(SOURCE)).toMatchObject({ outcome: 'dismissed' });
  await bench.tick();
  expect(bench.waiting()).toEqual([]);
  expect(vault.fields('signal/s.md')).toMatchObject({ status: 'skipped' });
  expect(vault.fields(ANNA).calibration_status).toBe('pruned');
});

test.each([
  ['a matter', { 'matter/garden.md': matter({ senders: ['anna@notary.example'] }) }, 'proposal'],
  ['the domain', { 'matter/garden.md': matter({ senders: ['@notary.example'] }) }, 'proposal'],
  [
    'a matter that is done',
    { 'matter/garden.md': matter({ senders: ['anna@notary.example'], state: 'done' }) },
    'stopped',
  ],
])('a sender that is named is never stopped: %s', async (_, files, kind) => {
  const { bench } = await stopped(files);
  expect(bench.waiting()).toMatchObject([{ kind }]);
});

test('edits of the figures by hand are named in the history', async () => {
  const { vault, bench } = await stopped({ [ANNA]: instinct('mail', BY_ANNA), 'task/b.md': task() });
  const first = bench.openProposals()[0]?.event.path ?? '';
  await bench.dismiss(first);
  vault.edit(ANNA, 'observations: 0', 'observations: 7');
  vault.edit(ANNA, 'prior: 0.9', 'prior: 0.5');
  vault.write('signal/t.md', weak({ ...BY_ANNA, target_path: 'task/b.md', raw_quote: 'again' }));
  await bench.tick();
  await bench.dismiss(bench.openProposals()[0]?.event.path ?? '');
  expect(readHistory(ANNA, vault.read(ANNA)).map(({ what }) => what)).toEqual([
    expect.stringMatching(/^dismissed in /),
    'edited by hand: observations 0 → 7, prior 0.9 → 0.5',
    expect.stringMatching(/^dismissed in /),
  ]);
});
