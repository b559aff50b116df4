import { describe, expect, test } from 'vitest';
import { rules } from '../../../src/model/evaluators.ts';
import { HOUSE, instinct, matter, signal, task, weak } from '../../support/notes.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { Bench, only } from '../../support/workspace.ts';

// Strong together, not alone: weighed at the tick, and acted upon.
const TOGETHER = (target: string) => ({
  'instinct/mail.md': instinct('mail', { observations: 20 }),
  'signal/b1.md': signal({ target_path: target, effect_confidence: 0.82, target_confidence: 0.59 }),
  'signal/b2.md': signal({ target_path: target, effect_confidence: 0.7, target_confidence: 0.95, source_type: 'bank' }),
});

// A tick judges a.md, then b.md. While `during` is judged, the person writes.
async function whileJudging(during: string, edit: (vault: TempVault) => void) {
  const vault = new TempVault({
    'steward.md': HOUSE['steward.md'],
    'matter/house.md': matter(),
    'task/a.md': task(),
    'task/b.md': task(),
    ...TOGETHER('task/b.md'),
    'signal/a.md': weak({ target_path: 'task/a.md', raw_quote: 'a', effect_confidence: 0.7 }),
  });
  let edited = false;
  const evaluate: typeof rules.evaluate = async (question, abort) => {
    if (!edited && question.target.path === during) {
      edited = true;
      edit(vault);
      await bench.sweep();
    }
    return rules.evaluate(question, abort);
  };
  const bench = await Bench.open(vault, { evaluator: { ...rules, evaluate } });
  await bench.tick();
  expect(edited).toBe(true);
  return vault;
}

describe('what a person writes while a tick is under way is heeded', () => {
  test('steward: false, in a note that comes later in the tick', async () => {
    const vault = await whileJudging('task/a.md', (v) => v.write('task/b.md', task({ steward: false })));
    expect(vault.read('task/b.md')).toBe(task({ steward: false }));
  });
  test('state: archived, in a note that comes later in the tick', async () => {
    const vault = await whileJudging('task/a.md', (v) => v.write('task/b.md', task({ state: 'archived' })));
    expect(vault.read('task/b.md')).toBe(task({ state: 'archived' }));
  });
  test('discretion_threshold: 1, in a note that comes later in the tick', async () => {
    const vault = await whileJudging('task/a.md', (v) => v.write('task/b.md', task({ discretion_threshold: 1 })));
    expect(vault.fields('task/b.md').state).toBe('open');
  });
  test('steward: false, in the matter of the task under judgement', async () => {
    const vault = await whileJudging('task/b.md', (v) => v.write('matter/house.md', matter({ steward: false })));
    expect(vault.read('task/b.md')).toBe(task());
  });
});

test('a note that changed while it was judged is judged again, also where nothing was to be changed', async () => {
  const due = { class: 'context_edit', set: { due: '2036-02-02' } };
  const files = { 'task/pay.md': task({ due: '2036-02-02' }), 'signal/a.md': weak({ mutation_proposal: due }) };
  const vault = new TempVault({ ...HOUSE, ...files });
  let asked = 0;
  const evaluate: typeof rules.evaluate = async (question, abort) => {
    asked += 1;
    if (asked === 1) vault.write('task/pay.md', task({ due: '2036-01-01' }));
    return rules.evaluate(question, abort);
  };
  const bench = await Bench.open(vault, { evaluator: { ...rules, evaluate } });
  await bench.tick();
  expect(vault.fields(only(vault.events())).changes).toEqual({ due: { before: '2036-01-01', after: '2036-02-02' } });
});

test('an evaluation that is made again counts with the rate guard', async () => {
  const vault = new TempVault({ ...HOUSE, 'task/pay.md': task(), 'signal/a.md': weak() });
  let asked = 0;
  const evaluate: typeof rules.evaluate = async (question, abort) => {
    asked += 1;
    if (asked < 3) vault.write('task/pay.md', task({ due: `2036-01-0${asked}` }));
    return rules.evaluate(question, abort);
  };
  const bench = await Bench.open(vault, { evaluator: { ...rules, evaluate } });
  await bench.tick();
  expect(bench.remembered('rate-guard').entries).toHaveLength(asked);
});
