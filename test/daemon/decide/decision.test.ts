import { expect, test } from 'vitest';
import type { Evaluator } from '../../../src/steward/ports/evaluator.ts';
import { HOUSE, instinct, signal } from '../../support/notes.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { Bench, only } from '../../support/workspace.ts';

// Strong together, not alone: weighed at the tick, and acted upon.
const TOGETHER = (target: string) => ({
  'instinct/mail.md': instinct('mail', { observations: 20 }),
  'signal/b1.md': signal({ target_path: target, effect_confidence: 0.82, target_confidence: 0.59 }),
  'signal/b2.md': signal({ target_path: target, effect_confidence: 0.7, target_confidence: 0.95, source_type: 'bank' }),
});

test('needs_input is never acted upon', async () => {
  const vault = new TempVault({
    ...HOUSE,
    ...TOGETHER('task/pay.md'),
    'signal/c.md': signal({
      effect: 'action',
      mutation_proposal: null,
      raw_quote: 'c',
      headline: 'Is it paid? Call me',
    }),
  });
  const bench = await Bench.open(vault);
  await bench.tick();
  const event = only(vault.events());
  expect(vault.fields(event)).toMatchObject({ decision: 'needs_input', pending_confirmation: true, undo_recipe: null });
  expect(vault.fields('task/pay.md').state).toBe('open');
});

test('a signal that bears nothing of the conclusion opens no gate for one that does', async () => {
  const vault = new TempVault({
    ...HOUSE,
    'signal/a.md': signal({ source_type: 'slack_channel', effect_confidence: 0.62, target_confidence: 0.9 }),
    'signal/b.md': signal({ raw_quote: 'b', mutation_proposal: null, headline: 'Newsletter' }),
  });
  const bench = await Bench.open(vault);
  await bench.tick();
  expect(vault.fields(only(vault.events())).source_contributions).toEqual({ slack_channel: 1 });
  expect(vault.fields('task/pay.md').state).toBe('open');
});

test.each([
  ['nothing', 0, 'open'],
  ['something', 0.1, 'done'],
])('a source that an evaluator names, and says bears %s, opens the gate accordingly', async (_, share, state) => {
  const evaluator: Evaluator = {
    name: 'weigher',
    asksModel: false,
    evaluate: async () => ({
      decision: 'likely_done',
      confidence: 0.9,
      reasoning: 'The channel says so.',
      evidence: [],
      source_contributions: { slack_channel: 1, mail: share },
      changes: [{ field: 'state', op: 'set', value: 'done' }],
    }),
  };
  const vault = new TempVault({
    ...HOUSE,
    'instinct/mail.md': instinct('mail', { observations: 60 }),
    'signal/a.md': signal({ source_type: 'slack_channel', effect_confidence: 0.62, target_confidence: 0.9 }),
    'signal/b.md': signal({ raw_quote: 'b', mutation_proposal: null, headline: 'Newsletter' }),
  });
  const bench = await Bench.open(vault, { evaluator });
  await bench.tick();
  expect(vault.fields(only(vault.events())).source_contributions).toEqual({ slack_channel: 1, mail: share });
  expect(vault.fields('task/pay.md').state).toBe(state);
});

test('a source whose note says nonsense waits, whatever the note is called', async () => {
  const pruned = instinct('mail', { calibration_status: 'pruned', confidence: 0.1 });
  const vault = new TempVault({ ...HOUSE, 'instinct/my mail.md': pruned, 'signal/a.md': signal() });
  const bench = await Bench.open(vault);
  expect(await bench.route('signal/a.md')).toBeNull();
  vault.edit('instinct/my mail.md', 'confidence: 0.1', 'confidence: 7');
  expect(await bench.route('signal/a.md')).toBeNull();
});
