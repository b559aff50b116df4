import { describe, expect, test } from 'vitest';
import { rules } from '../../src/providers/substitutes.ts';
import { emptyGuard } from '../../src/steward/rate-guard.ts';
import { type Evaluator, UnansweredError, type Usage } from '../../src/steward/types.ts';
import { Clock, DAY, HOUR, MINUTE } from '../support/clock.ts';
import { HOUSE, settings, signal, weak } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only } from '../support/workspace.ts';

const took = (tokens_in: number, tokens_out: number, usd: number | null): Usage => ({
  model: 'model-of-the-test',
  tokens_in,
  tokens_out,
  usd,
});

/** A model that answers as the rules do, at a price; counts how often it was asked. */
function model(usage: Usage, parts: Partial<Evaluator> = {}) {
  const asked: number[] = [];
  const evaluator: Evaluator = {
    name: 'model-of-the-test',
    asksModel: true,
    estimate: () => usage,
    evaluate: async (question, abort) => {
      asked.push(question.now);
      return { ...(await rules.evaluate(question, abort)), usage };
    },
    ...parts,
  };
  return { evaluator, asked };
}

const about = (n: number) =>
  weak({ raw_quote: `${n}`, mutation_proposal: { class: 'context_edit', set: { owner: `Nr. ${n}` } } });

const guardedNotes = (vault: TempVault) =>
  vault.events().filter((event) => vault.fields(event).decision === 'rate_guarded');

describe('a daily budget', () => {
  test('is kept: what does not fit waits, one note says so, and a day later it is weighed', async () => {
    const vault = new TempVault({ ...HOUSE, 'steward.md': settings({ budget_tokens_per_day: 2500 }) });
    const clock = new Clock();
    const { evaluator, asked } = model(took(900, 100, 0.02));
    const bench = await Bench.open(vault, { clock, evaluator });
    for (let n = 1; n <= 4; n += 1) {
      vault.write(`signal/${n}.md`, about(n));
      await bench.tick();
    }
    expect(asked).toHaveLength(2);
    const note = only(guardedNotes(vault));
    expect(vault.fields(note)).toMatchObject({ changes: {}, signals: [], undo_recipe: null });
    expect(vault.read(note)).toContain('2000 of 2500 tokens used in a day, and the next call may take 1000');
    expect(bench.remembered('rate-guard').entries).toHaveLength(2);
    clock.move(DAY + MINUTE);
    await bench.tick();
    expect(asked).toHaveLength(3);
    const last = vault.events().map((event) => vault.fields(event));
    expect(last.find(({ considered }) => Array.isArray(considered))?.considered).toEqual(
      expect.arrayContaining(['[[3]]', '[[4]]']),
    );
  });

  test('what was spent stands in the event note and in the status, and outlives a crash', async () => {
    const vault = new TempVault({
      ...HOUSE,
      'steward.md': settings({ budget_usd_per_matter_per_day: 0.05, budget_tokens_per_day: 10_000 }),
      'signal/1.md': about(1),
    });
    const { evaluator } = model(took(900, 100, 0.03));
    const clock = new Clock();
    const bench = await Bench.open(vault, { evaluator, clock });
    await bench.tick();
    expect(vault.fields(only(vault.events())).usage).toEqual(took(900, 100, 0.03));
    vault.write('signal/2.md', about(2));
    // Never closed: only what was set aside before the call is left.
    clock.move(HOUR);
    const running = await Running.start(vault, { evaluator, clock });
    const [result] = (await running.ask({ op: 'tick', matters: ['house'], force: true, mode: null })) as {
      skipped: { path: string; code: string; reason: string }[];
    }[];
    const skipped = result?.skipped.find(({ path }) => path === 'task/pay.md');
    expect(skipped).toMatchObject({ code: 'budget' });
    expect(skipped?.reason).toContain('budget: 0.03 of 0.05 USD used by this matter in a day');
    expect(running.daemon.status().gates.budget).toEqual({
      vault: { tokens: 1000, usd: 0.03, caps: { tokens: 10_000, usd: 1 } },
      matters: [{ matter: 'matter/house.md', tokens: 1000, usd: 0.03, caps: { tokens: null, usd: 0.05 } }],
      shared: null,
    });
    expect(running.daemon.status().schedules).toMatchObject([{ skipped: expect.stringMatching(/^budget: /) }]);
  });

  test('holds back no embedded rules, and no strong signal, which asks no model', async () => {
    const vault = new TempVault({
      ...HOUSE,
      'steward.md': settings({ budget_usd_per_day: 0 }),
      'signal/a.md': about(1),
    });
    const clock = new Clock();
    await (await Bench.open(vault, { clock })).tick();
    expect(vault.fields(only(vault.events('steward-action-')))).not.toHaveProperty('usage');
    vault.write('signal/b.md', signal());
    clock.move(HOUR);
    const { evaluator, asked } = model(took(1, 1, 1));
    const bench = await Bench.open(vault, { evaluator, clock });
    expect(await bench.route('signal/b.md')).toMatchObject({ kind: 'acted' });
    expect(asked).toEqual([]);
  });

  test('read live: raised, and the signals that waited are weighed', async () => {
    const vault = new TempVault({ ...HOUSE, 'steward.md': settings({ budget_tokens_per_day: 10 }) });
    const { evaluator, asked } = model(took(90, 10, null));
    const running = await Running.start(vault, { evaluator });
    vault.write('signal/1.md', about(1));
    const tick = () => running.ask({ op: 'tick', matters: [], force: true, mode: null });
    await tick();
    expect(asked).toHaveLength(0);
    vault.write('steward.md', settings({ budget_tokens_per_day: 1000 }));
    await running.heard('settings');
    await tick();
    expect(asked).toHaveLength(1);
  });

  test('what was spent for a matter stays spent under its new name', async () => {
    const vault = new TempVault({ ...HOUSE, 'signal/1.md': about(1) });
    const { evaluator } = model(took(900, 100, 0.03));
    const running = await Running.start(vault, { evaluator });
    await running.ask({ op: 'tick', matters: [], force: true, mode: null });
    vault.rename('matter/house.md', 'matter/home.md');
    await running.until(() => running.schedules().includes('steward-home'));
    await running.sync();
    expect(running.daemon.status().gates.budget.matters).toMatchObject([{ matter: 'matter/home.md', tokens: 1000 }]);
    await running.saved('rate-guard', { entries: [{ matter: 'matter/home.md' }] });
  });

  test('that cannot be read keeps its last good value; at a start nothing is spent', async () => {
    const vault = new TempVault({
      ...HOUSE,
      'steward.md': settings({ budget_usd_per_day: 'ten' }),
      'signal/1.md': about(1),
    });
    const { evaluator, asked } = model(took(90, 10, 0.01));
    const bench = await Bench.open(vault, { evaluator });
    await bench.tick();
    expect(asked).toEqual([]);
    const wrong = bench.status().trouble.filter(({ code }) => code === 'settings-invalid');
    expect(wrong).toMatchObject([
      { code: 'settings-invalid', line: expect.any(Number), message: expect.stringContaining('budget_usd_per_day') },
    ]);
    expect(wrong[0]?.hint).toContain('nothing is spent');
  });
});

describe('a call that fails', () => {
  const failing = (error: () => Error) =>
    model(took(90, 10, 0.5), {
      evaluate: async () => {
        throw error();
      },
    });

  test('before it was sent gives its place and its money back', async () => {
    const vault = new TempVault({ ...HOUSE, 'signal/1.md': about(1) });
    const { evaluator } = failing(() => new UnansweredError('no network', { sent: false }));
    const bench = await Bench.open(vault, { evaluator });
    await bench.tick();
    expect(bench.remembered('rate-guard').entries).toEqual([]);
    expect(bench.remembered('budget').entries).toEqual([]);
  });

  test('after it was sent counts as it was expected', async () => {
    const vault = new TempVault({ ...HOUSE, 'signal/1.md': about(1) });
    const { evaluator } = failing(() => new Error('the connection broke'));
    const bench = await Bench.open(vault, { evaluator });
    await expect(bench.tick()).rejects.toThrow('the connection broke');
    expect(bench.remembered('rate-guard').entries).toHaveLength(1);
    expect(bench.remembered('budget').entries).toMatchObject([{ tokens: 100, usd: 0.5, settled: false }]);
  });

  test('with 429 holds every question off until then, through a restart, at no cost', async () => {
    const vault = new TempVault({ ...HOUSE, 'signal/1.md': about(1) });
    const clock = new Clock();
    const { evaluator } = failing(() => new UnansweredError('too many requests', { sent: true, retryAfter: 3600 }));
    const bench = await Bench.open(vault, { evaluator, clock });
    const [result] = await bench.tick();
    expect(result?.skipped).toContainEqual(expect.objectContaining({ path: 'task/pay.md', code: 'rate-guarded' }));
    expect(vault.read(only(guardedNotes(vault)))).toContain('the provider asked for a pause');
    expect(bench.remembered('budget').entries).toEqual([]);
    const calm = model(took(90, 10, 0.5));
    clock.move(HOUR - MINUTE);
    await (await Bench.open(vault, { evaluator: calm.evaluator, clock })).tick();
    expect(calm.asked).toHaveLength(0);
    clock.move(2 * MINUTE);
    await (await Bench.open(vault, { evaluator: calm.evaluator, clock })).tick();
    expect(calm.asked).toHaveLength(1);
    expect(guardedNotes(vault)).toHaveLength(1);
  });
});

describe('a note that changes while it is judged', () => {
  /** A model that finds the note changed under it each of the first `times`, by a hand that has long left it alone. */
  function disturbed(vault: TempVault, times: number) {
    const calm = model(took(90, 10, 0.5));
    const evaluate: Evaluator['evaluate'] = async (question, abort) => {
      const verdict = await calm.evaluator.evaluate(question, abort);
      if (calm.asked.length <= times) vault.write(PAY, `${vault.read(PAY)}\nLine ${calm.asked.length}.\n`);
      return { ...verdict, confidence: 0.99 };
    };
    return { asked: calm.asked, evaluator: { ...calm.evaluator, evaluate } };
  }
  const PAY = 'task/pay.md';
  const taken = (bench: Bench) => bench.remembered('rate-guard').entries.length;

  test('is judged again, and each asking takes its own place and its own money', async () => {
    const vault = new TempVault({ ...HOUSE, 'signal/1.md': about(1) });
    const { evaluator, asked } = disturbed(vault, 1);
    const bench = await Bench.open(vault, { evaluator });
    await bench.tick();
    expect(asked).toHaveLength(2);
    expect(taken(bench)).toBe(2);
    expect(bench.remembered('budget').entries).toMatchObject([{ usd: 0.5 }, { usd: 0.5 }]);
    expect(vault.events('steward-action-')).toHaveLength(1);
  });

  test('where no place is free for the second asking, the signals wait', async () => {
    const vault = new TempVault({ ...HOUSE, 'signal/1.md': about(1) });
    const clock = new Clock();
    const { evaluator, asked } = disturbed(vault, 1);
    const bench = await Bench.open(vault, { evaluator, clock });
    const at = clock.now();
    const spent = { at, task: PAY, matter: 'matter/house.md', senders: [], sent: true };
    const used = Array.from({ length: 5 }, (_, id) => ({ id, ...spent }));
    bench.remember('rate-guard', { ...emptyGuard(), nextId: 5, entries: used });
    const [result] = await bench.tick();
    expect(asked).toHaveLength(1);
    expect(taken(bench)).toBe(6);
    expect(result?.skipped).toContainEqual(expect.objectContaining({ path: PAY, code: 'rate-guarded' }));
    expect(vault.fields(only(guardedNotes(vault)))).toMatchObject({ signals: [] });
    clock.move(DAY + MINUTE);
    await bench.tick();
    expect(asked).toHaveLength(2);
  });

  test('where the budget does not reach for the second asking, its place is given back', async () => {
    const vault = new TempVault({
      ...HOUSE,
      'steward.md': settings({ budget_usd_per_day: 0.9 }),
      'signal/1.md': about(1),
    });
    const { evaluator, asked } = disturbed(vault, 1);
    const bench = await Bench.open(vault, { evaluator });
    const [result] = await bench.tick();
    expect([asked.length, taken(bench)]).toEqual([1, 1]);
    expect(result?.skipped).toContainEqual(expect.objectContaining({ path: PAY, code: 'budget' }));
  });
});
