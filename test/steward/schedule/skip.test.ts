import { describe, expect, test } from 'vitest';
import { skipNow } from '../../../src/daemon/schedule/tick.ts';
import { mostTelling, type SkipCode, skipOf } from '../../../src/steward/schedule-cadence.ts';
import { Clock, DAY, HOUR, quietHoursAround } from '../../support/clock.ts';
import { HOUSE, matter, ODD_TASK, settings, signal, task, weak } from '../../support/notes.ts';
import { Running } from '../../support/running.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { Bench } from '../../support/workspace.ts';

const NOW = 1_000_000;
const LOOK = {
  away: null,
  handsOff: false,
  state: 'open' as const,
  force: false,
  quietHours: false,
  check: { at: NOW, every: null, reason: 'a signal waits' },
  signals: 1,
  silenced: 0,
  settledAt: 0,
  refusal: null,
  now: NOW,
};
const refusal = { code: 'budget' as const, reason: 'budget: 10 of 10 tokens used in a day' };

describe('the first reason that holds, in the order of a tick', () => {
  test.each<[SkipCode | undefined, Partial<Parameters<typeof skipOf>[0]>]>([
    [undefined, {}],
    ['vault-away', { away: 'its folder is not there', handsOff: true }],
    ['hands-off', { handsOff: true, state: 'done' }],
    ['finished', { state: 'done', quietHours: true }],
    ['finished', { state: 'archived', force: true }],
    ['quiet-hours', { quietHours: true, check: { ...LOOK.check, at: NOW + HOUR } }],
    ['not-due', { check: { ...LOOK.check, at: NOW + HOUR }, signals: 0 }],
    ['not-due', { check: { ...LOOK.check, at: null } }],
    [undefined, { check: { ...LOOK.check, at: NOW + HOUR }, force: true }],
    [undefined, { quietHours: true, force: true }],
    ['no-signals', { signals: 0, settledAt: NOW + 1 }],
    ['settling', { settledAt: NOW + 1, refusal }],
    ['budget', { refusal }],
    ['rate-guarded', { refusal: { ...refusal, code: 'rate-guarded' } }],
  ])('%s', (code, parts) => expect(skipOf({ ...LOOK, ...parts })?.code).toBe(code));

  test('of several, the one that tells most', () => {
    const skips = (['not-due', 'no-signals', 'budget', 'settling'] as const).map((code) => ({ code, reason: code }));
    expect(mostTelling(skips)?.code).toBe('budget');
    expect(mostTelling([])).toBeNull();
  });
});

describe('where a person sees it: the tick, the status, the log line, and asked beforehand', () => {
  test.each<[SkipCode, string, Record<string, string>]>([
    ['no-signals', 'no signals', {}],
    ['settling', 'settling: it was just edited', { 'signal/a.md': weak() }],
    ['hands-off', 'no signals', { 'task/pay.md': task({ steward: false }), 'signal/a.md': signal() }],
    ['finished', 'no signals', { 'task/pay.md': task({ state: 'archived' }), 'signal/a.md': signal() }],
  ])('%s', async (code, said, files) => {
    const vault = new TempVault({ ...HOUSE, ...files });
    if (code === 'settling') vault.write('task/pay.md', ODD_TASK, 0);
    const clock = new Clock();
    const running = await Running.start(vault, { clock });
    const reading = await Bench.reading(vault, { clock });
    const pay = reading.catalogue.get('task/pay.md');
    if (pay?.kind !== 'task') throw new Error('no task');
    expect(skipNow(reading.ports, pay)?.code).toBe(code);
    if (code !== 'settling') clock.move(HOUR);
    else clock.move(1000);
    const [result] = (await running.ask({ op: 'tick', matters: ['house'], force: false, mode: null })) as {
      skipped: { path: string; code: string }[];
    }[];
    expect(result?.skipped).toContainEqual(expect.objectContaining({ path: 'task/pay.md', code }));
    expect(running.daemon.status().schedules).toMatchObject([{ skipped: said }]);
  });

  test('not due', async () => {
    const vault = new TempVault(HOUSE);
    const running = await Running.start(vault);
    const tick = () => running.ask({ op: 'tick', matters: ['house'], force: false, mode: null });
    await tick();
    expect(await tick()).toMatchObject([
      {
        skipped: [
          { path: 'task/pay.md', code: 'not-due', reason: expect.stringMatching(/^not due: .*: every \d h$/) },
          { code: 'not-due' },
        ],
      },
    ]);
    expect(running.daemon.status().schedules).toMatchObject([{ skipped: 'nothing is due' }]);
  });

  test('rate guarded', async () => {
    const vault = new TempVault(HOUSE);
    const bench = await Bench.open(vault);
    for (let n = 1; n <= 7; n += 1) {
      const proposal = { class: 'context_edit', set: { owner: `Nr. ${n}` } };
      vault.write(`signal/${n}.md`, weak({ raw_quote: `${n}`, mutation_proposal: proposal }));
      await bench.tick();
    }
    const [result] = await bench.tick();
    expect(result).toMatchObject({ guarded: true });
    expect(result?.skipped).toContainEqual({
      path: 'task/pay.md',
      code: 'rate-guarded',
      reason: expect.stringMatching(/^rate guarded: 6 of 6 used by this task in a day; free at .*Z$/),
    });
  });

  test('quiet hours: the tick, the status, the line; what waited is weighed afterwards', async () => {
    const vault = new TempVault({ ...HOUSE, 'steward.md': settings({ quiet_hours: quietHoursAround(Date.now()) }) });
    const clock = new Clock();
    const running = await Running.start(vault, { clock });
    vault.write('signal/a.md', weak());
    await running.sync();
    clock.move(HOUR);
    await running.daemon.wake();
    const skipped = await running.heard('skipped');
    expect(skipped).toMatchObject({ name: 'steward-house', reason: 'quiet hours' });
    expect(running.daemon.status().schedules).toMatchObject([{ skipped: 'quiet hours' }]);
    vault.write('matter/house.md', matter({ summary: 'Touched' }));
    await running.sync();
    await running.daemon.wake();
    expect(running.count('skipped')).toBe(1);
    vault.write('steward.md', settings());
    await running.heard('settings');
    clock.move(DAY);
    await running.daemon.wake();
    await running.heard('proposed');
  });

  test('a quiet tick’s line says why nothing was judged', async () => {
    const clock = new Clock();
    const vault = new TempVault({ ...HOUSE, 'steward.md': settings({ default_schedule: 'every 30m' }) });
    const running = await Running.start(vault, { clock });
    clock.move(HOUR);
    await running.daemon.wake();
    expect(await running.heard('ticked')).toMatchObject({ events: 0, skipped: 'no signals' });
  });
});
