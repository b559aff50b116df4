import { afterEach, describe, expect, test } from 'vitest';
import { Clock, DAY, HOUR, MINUTE } from '../../support/clock.ts';
import { matter, settings, signal, task, weak } from '../../support/notes.ts';
import { Running } from '../../support/running.ts';
import { TempVault } from '../../support/temp-vault.ts';

const HOUSE = 'steward-house';

/** A daemon on one matter, with a clock that is moved by hand. */
async function house(files: Readonly<Record<string, string>>, clock = Clock.atNoon()) {
  const vault = new TempVault({ 'steward.md': settings(), 'matter/house.md': matter(), ...files });
  const running = await Running.start(vault, { clock });
  return { vault, running, clock };
}

/** Lets time pass in steps, and tells at which of them the matter was ticked. */
async function pass(running: Running, clock: Clock, ms: number, step: number): Promise<number[]> {
  const ticked: number[] = [];
  for (let passed = 0; passed < ms; passed += step) {
    const before = running.count('ticked');
    clock.move(step);
    await running.daemon.wake();
    await running.daemon.idle();
    if (running.count('ticked') > before) ticked.push(clock.now());
  }
  return ticked;
}

function scheduled(running: Running) {
  const found = running.daemon.status().schedules.find(({ name }) => name === HOUSE);
  if (found === undefined) throw new Error('the house is not scheduled');
  return { ...found, next: Date.parse(String(found.next)) };
}

describe('a matter is ticked as often as its most urgent task asks for', () => {
  test('a high task every half hour, though the default is daily; the status names it', async () => {
    const { running, clock } = await house({
      'steward.md': settings({ default_schedule: 'every 1d' }),
      'task/deposit.md': task({ surface_class: 'high' }),
    });
    expect(scheduled(running)).toMatchObject({
      cadence: 'every 30 min',
      reason: 'high: every 30 min — deposit',
    });
    const ticked = await pass(running, clock, 90 * MINUTE, 5 * MINUTE);
    expect(ticked.length).toBeGreaterThanOrEqual(3);
    expect(ticked.length).toBeLessThanOrEqual(4); // the matter's own daily tick may fall among them
  });

  test('a period in steward_schedule is the slowest rhythm: a high task hurries it', async () => {
    const { running } = await house({
      'matter/house.md': matter({ steward_schedule: 'every 1d' }),
      'task/deposit.md': task({ surface_class: 'high' }),
    });
    expect(scheduled(running).reason).toBe('high: every 30 min — deposit');
  });

  test('a cron expression is kept: it says when, and nothing hurries it', async () => {
    const { running, clock } = await house({
      'matter/house.md': matter({ steward_schedule: '0 7 * * *' }),
      'task/deposit.md': task({ surface_class: 'high' }),
    });
    expect(scheduled(running).reason).toBe('steward_schedule: cron 0 7 * * *');
    const ticked = await pass(running, clock, 2 * DAY, HOUR);
    expect(ticked).toHaveLength(2);
    expect(ticked.every((at) => new Date(at).getHours() === 7)).toBe(true);
  });

  test('re-issued when a task becomes urgent, and when it is done', async () => {
    const { vault, running, clock } = await house({
      'steward.md': settings({ default_schedule: 'every 4h' }),
      'task/deposit.md': task(),
    });
    expect(scheduled(running).reason).toBe('default: every 4 h');
    const due = new Date(clock.now() + 20 * HOUR).toISOString();
    vault.write('task/deposit.md', task({ due }));
    await running.sync();
    expect(scheduled(running)).toMatchObject({ reason: 'due within 24 h: every 1 h — deposit', cadence: 'every 1 h' });
    vault.write('task/deposit.md', task({ due, state: 'done' }));
    await running.sync();
    expect(scheduled(running).reason).toBe('default: every 4 h');
    vault.write('task/other.md', task({ surface_class: 'high' }));
    await running.sync();
    expect(scheduled(running).reason).toBe('high: every 30 min — other');
    expect(running.happenings).toContainEqual(
      expect.objectContaining({ what: 'schedule-provisioned', cadence: 'high: every 30 min — other' }),
    );
  });

  test('a snooze ends at its very moment', async () => {
    const clock = new Clock();
    const until = Math.ceil((clock.now() + 100 * MINUTE) / 1000) * 1000;
    const { running } = await house(
      {
        'steward.md': settings({ default_schedule: 'every 4h' }),
        'matter/house.md': matter({ next_check_after: '2099-01-01' }),
        'task/deposit.md': task({ state: 'snoozed', snoozed_until: new Date(until).toISOString() }),
      },
      clock,
    );
    const looked = await pass(running, clock, 3 * HOUR, MINUTE);
    expect(looked.some((at) => at >= until && at < until + 2 * MINUTE)).toBe(true);
  });

  test('a task that says steward: false presses nothing', async () => {
    const { running } = await house({
      'steward.md': settings({ default_schedule: 'every 2h' }),
      'task/deposit.md': task({ surface_class: 'high', steward: false }),
    });
    expect(scheduled(running).reason).toBe('default: every 2 h');
  });
});

describe('quiet', () => {
  test('a matter backs off to 4 h; any signal ends it at once, also through a restart', async () => {
    const { vault, running, clock } = await house({ 'task/deposit.md': task() });
    await pass(running, clock, 26 * HOUR, 30 * MINUTE);
    expect(scheduled(running)).toMatchObject({ cadence: 'every 4 h', skipped: 'no signals' });
    expect(scheduled(running).reason).toMatch(/^quiet for \d+ ticks: every 4 h$/);
    await running.stop();
    const again = await Running.start(vault, { clock });
    expect(scheduled(again).reason).toMatch(/^quiet for \d+ ticks: every 4 h$/);
    vault.write('signal/a.md', weak({ target_path: 'task/deposit.md' }));
    await again.sync();
    expect(scheduled(again).reason).toBe('default: every 30 min');
    expect(scheduled(again).next).toBeLessThanOrEqual(clock.now() + 30 * MINUTE);
    expect(scheduled(again).next).toBeGreaterThan(clock.now());
    await pass(again, clock, HOUR, 10 * MINUTE);
    expect(again.count('proposed')).toBe(1);
  });

  test('a strong signal that was routed at once ends it too', async () => {
    const { vault, running, clock } = await house({ 'task/deposit.md': task(), 'task/other.md': task() });
    await pass(running, clock, 5 * HOUR, 30 * MINUTE);
    expect(scheduled(running).reason).toContain('quiet');
    vault.write('signal/a.md', signal({ target_path: 'task/deposit.md' }));
    await running.heard('acted');
    expect(scheduled(running).reason).toBe('default: every 30 min');
  });

  test('the streaks are kept: a task’s in its cursor, a matter’s with its schedule', async () => {
    const { vault, running, clock } = await house({ 'task/deposit.md': task({ surface_class: 'high' }) });
    await pass(running, clock, 95 * MINUTE, 5 * MINUTE);
    await running.stop();
    // Three or four looks, as the phase of the matter falls into the time.
    expect(vault.state('cursors')).toMatchObject({
      'task/deposit.md': { streak: expect.toSatisfy((n) => n === 3 || n === 4) },
    });
    expect(vault.state('schedules')).toMatchObject({ [HOUSE]: { skipped: 'no signals' } });
    const again = await Running.start(vault, { clock });
    expect(scheduled(again)).toMatchObject({
      cadence: 'every 1 h',
      reason: expect.stringContaining('quiet for'),
    });
  });
});

describe('the changes of the year', () => {
  const zone = process.env.TZ;
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  test.each([
    ['Europe/Berlin', Date.UTC(2026, 9, 24, 22), Date.UTC(2026, 9, 25, 0, 30)],
    ['Europe/Berlin', Date.UTC(2026, 2, 28, 23), Date.UTC(2026, 2, 29, 1)],
    ['America/New_York', Date.UTC(2026, 10, 1, 4), Date.UTC(2026, 10, 1, 7, 30)],
    ['America/New_York', Date.UTC(2026, 2, 8, 5), Date.UTC(2026, 2, 8, 7)],
  ])('in %s a tick at half past two comes once that night', async (zoneName, evening, expected) => {
    process.env.TZ = zoneName;
    const clock = new Clock();
    clock.move(evening - Date.now());
    const { running } = await house({ 'matter/house.md': matter({ steward_schedule: '30 2 * * *' }) }, clock);
    const ticked = await pass(running, clock, 8 * HOUR, 10 * MINUTE);
    expect(ticked).toHaveLength(1);
    expect(ticked[0]).toBeGreaterThanOrEqual(expected);
    expect(ticked[0]).toBeLessThan(expected + 11 * MINUTE);
  });
});

describe('a clock that jumps', () => {
  test('set back by a day: nothing is ticked twice, and a signal is still acted upon', async () => {
    const { vault, running, clock } = await house({
      'task/deposit.md': task({ surface_class: 'high' }),
      'task/other.md': task(),
    });
    const first = await pass(running, clock, 3 * HOUR, 10 * MINUTE);
    expect(first.length).toBeGreaterThan(2);
    clock.move(-DAY);
    vault.write('signal/a.md', signal({ target_path: 'task/other.md' }), DAY + HOUR);
    await running.heard('acted');
    const second = await pass(running, clock, DAY - HOUR, 30 * MINUTE);
    expect(second).toEqual([]);
    const third = await pass(running, clock, 3 * HOUR, 10 * MINUTE);
    expect(third.length).toBeGreaterThan(0);
    expect(Math.min(...third)).toBeGreaterThan(Math.max(...first));
  });

  test('set back by a day, `status` says so until the clock has come by again, also after a restart', async () => {
    const { vault, running, clock } = await house({ 'task/deposit.md': task({ surface_class: 'high' }) });
    const said = () => running.daemon.status().trouble.filter(({ code }) => code === 'clock-set-back');
    await pass(running, clock, HOUR, 10 * MINUTE);
    expect(said()).toEqual([]);
    clock.move(-DAY);
    expect(said()).toMatchObject([{ message: expect.stringMatching(/was set back; schedules wait until then\.$/) }]);
    await running.stop();
    const again = await Running.start(vault, { clock });
    expect(again.daemon.status().trouble).toMatchObject([{ code: 'clock-set-back' }]);
    await pass(again, clock, DAY, 6 * HOUR);
    expect(again.daemon.status().trouble).toEqual([]);
  });

  test('forward by a year: one catch-up for each matter', async () => {
    const { running, clock } = await house({ 'task/deposit.md': task({ surface_class: 'high' }) });
    await pass(running, clock, HOUR, 10 * MINUTE);
    const before = running.count('ticked');
    clock.move(365 * DAY);
    for (let looks = 0; looks < 5; looks += 1) {
      await running.daemon.wake();
      await running.daemon.idle();
    }
    expect(running.count('ticked')).toBe(before + 1);
    expect(scheduled(running).next).toBeGreaterThan(clock.now());
  });

  test('back again from a year ahead: nothing waits for a year', async () => {
    const { running, clock } = await house({ 'task/deposit.md': task({ surface_class: 'high' }) });
    clock.move(365 * DAY);
    await running.daemon.wake();
    await running.daemon.idle();
    clock.move(-365 * DAY);
    expect(await pass(running, clock, 2 * HOUR, 10 * MINUTE)).not.toEqual([]);
  });
});

describe('surface_class: none', () => {
  const SILENT = { 'matter/house.md': matter({ surface_class: 'none' }) };
  const quiet = { ...SILENT, 'task/pay.md': task({ surface_class: 'none', due: '2020-01-01' }) };

  test('a matter is never ticked by itself, at a start neither; the status says why', async () => {
    const { vault, running, clock } = await house(quiet);
    expect(running.daemon.status().schedules).toMatchObject([
      { next: null, reason: 'none: only on request or for a signal' },
    ]);
    expect(await pass(running, clock, 2 * DAY, HOUR)).toEqual([]);
    await running.stop();
    const again = await Running.start(vault, { clock });
    expect(await pass(again, clock, DAY, HOUR)).toEqual([]);
  });

  test('a signal is weighed at the next firing, and then it is quiet again', async () => {
    const { vault, running, clock } = await house(quiet);
    await pass(running, clock, HOUR, HOUR);
    vault.write('signal/a.md', weak());
    await running.sync();
    const ticked = await pass(running, clock, DAY, 10 * MINUTE);
    expect(running.count('recorded') + running.count('proposed')).toBe(1);
    expect(ticked.length).toBeLessThanOrEqual(2); // the one that weighs it, and one that finds nothing more
    expect(running.daemon.status().schedules).toMatchObject([{ next: null }]);
  });

  test('who asks is answered: a note that is not due is skipped, and forced it is looked at', async () => {
    const { running } = await house(quiet);
    const ask = (force: boolean) => running.ask({ op: 'tick', matters: ['house'], force, mode: null });
    expect(await ask(false)).toMatchObject([{ targets: 0 }]);
    expect(await ask(true)).toMatchObject([{ targets: 2 }]);
  });

  test('a task of class none hurries no matter, and its matter goes on by itself', async () => {
    const { running } = await house({ 'task/pay.md': task({ surface_class: 'none', due: '2020-01-01' }) });
    expect(scheduled(running).reason).toBe('default: every 30 min');
  });
});
