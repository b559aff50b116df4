import { describe, expect, test } from 'vitest';
import { readEnvironment } from '../../src/daemon/environment.ts';
import type { Diagnostic } from '../../src/vault/errors.ts';
import { Clock, DAY, HOUR } from '../support/clock.ts';
import { matter, settings, signal, task, weak } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only } from '../support/workspace.ts';

async function running(files: Readonly<Record<string, string>>, clock = new Clock()) {
  const vault = new TempVault({ 'steward.md': settings(), 'matter/house.md': matter(), ...files });
  return { vault, clock, daemon: await Running.start(vault, { clock }) };
}

/** The troubles of one file: each must say what, where, and what to do. */
function troublesOf(daemon: Running, file: string): Diagnostic[] {
  const found = daemon.daemon.status().trouble.filter((one) => one.file === file);
  for (const one of found) {
    expect(one.message).toMatch(/\.$/);
    expect(one.hint.length).toBeGreaterThan(20);
  }
  return found;
}

const PLACED = { line: expect.any(Number), column: expect.any(Number), excerpt: expect.stringContaining('^') };

describe('a date that cannot be meant', () => {
  test.each([
    ['due', 'some day', 'date-invalid'],
    ['due', '2026-02-30', 'date-invalid'],
    ['due', '9999-12-31', 'date-far'],
    ['snoozed_until', 'next week', 'date-invalid'],
    ['next_check_after', 'soon', 'date-invalid'],
    ['next_check_after', '2026-13-01', 'date-invalid'],
    ['next_check_after', '9999-12-31', 'date-far'],
  ])('%s: %s in a task is said, with its place, and stops nothing', async (field, value, code) => {
    const { vault, daemon } = await running({ 'task/odd.md': task({ [field]: value }), 'task/pay.md': task() });
    expect(troublesOf(daemon, 'task/odd.md')).toMatchObject([{ code, ...PLACED }]);
    expect(daemon.schedules()).toEqual(['steward-house']);
    vault.write('signal/a.md', signal());
    await daemon.heard('acted');
  });

  test('due in the year 9999 is an ordinary task; due on no date is one without', async () => {
    const { daemon } = await running({
      'task/far.md': task({ due: '9999-12-31' }),
      'task/odd.md': task({ due: 'some day' }),
    });
    expect(daemon.daemon.status().schedules).toMatchObject([{ reason: 'default: every 30 min' }]);
  });

  test('in a matter too', async () => {
    const { daemon } = await running({ 'matter/house.md': matter({ next_check_after: 'whenever' }) });
    expect(troublesOf(daemon, 'matter/house.md')).toMatchObject([{ code: 'date-invalid', ...PLACED }]);
  });

  test('of what is done, or says steward: false, nobody hears', async () => {
    const { daemon } = await running({
      'task/done.md': task({ state: 'done', due: 'some day' }),
      'task/off.md': task({ steward: false, due: 'some day' }),
    });
    expect(daemon.daemon.status().trouble).toEqual([]);
  });
});

describe('a snooze', () => {
  test('without a date is looked at like an open task, and says so', async () => {
    const { daemon } = await running({ 'task/odd.md': task({ state: 'snoozed' }) });
    expect(troublesOf(daemon, 'task/odd.md')).toMatchObject([{ code: 'snooze-without-date', ...PLACED }]);
  });

  test('in the past, from the moment it is over, where the task is never looked at by itself', async () => {
    const until = new Date(Date.now() + HOUR).toISOString();
    const { daemon, clock } = await running({
      'task/odd.md': task({ state: 'snoozed', snoozed_until: until, surface_class: 'none' }),
    });
    expect(troublesOf(daemon, 'task/odd.md')).toEqual([]);
    clock.move(HOUR + 1000);
    expect(troublesOf(daemon, 'task/odd.md')).toMatchObject([{ code: 'snooze-over', ...PLACED }]);
  });

  test('over: its signals are weighed again', async () => {
    const vault = new TempVault({
      'steward.md': settings(),
      'matter/house.md': matter(),
      'task/pay.md': task({ state: 'snoozed', snoozed_until: '2020-01-01' }),
      'signal/a.md': weak(),
    });
    const bench = await Bench.open(vault);
    await bench.tick();
    expect(vault.fields(only(vault.events())).signals).toEqual(['[[a]]']);
  });
});

describe('a signal from the future', () => {
  test('is used as of now, said once, and shown until its moment has come', async () => {
    const { vault, daemon, clock } = await running({ 'task/pay.md': task() });
    const ahead = new Date(Date.now() + DAY).toISOString();
    vault.write('signal/a.md', weak({ origin_at: ahead, created: ahead, effect_confidence: 0.7 }));
    await daemon.heard('trouble', ({ trouble }) => trouble.code === 'signal-from-future');
    expect(troublesOf(daemon, 'signal/a.md')).toMatchObject([{ code: 'signal-from-future', ...PLACED }]);
    await daemon.ask({ op: 'tick', matters: [], force: true, mode: null });
    expect(vault.fields(only(vault.events()))).toMatchObject({ signals: ['[[a]]'], confidence: 0.7 });
    vault.write('signal/a.md', vault.read('signal/a.md').replace('A signal.', 'A signal, still.'));
    await daemon.sync();
    expect(daemon.count('trouble')).toBe(1);
    clock.move(2 * DAY);
    expect(troublesOf(daemon, 'signal/a.md')).toEqual([]);
  });

  test('a strong one is acted upon', async () => {
    const { vault, daemon } = await running({ 'task/pay.md': task() });
    vault.write('signal/a.md', signal({ origin_at: '9999-12-31T00:00:00Z' }));
    await daemon.heard('acted');
  });
});

describe('a schedule that cannot be meant', () => {
  test.each([
    ['0 0 31 2 *', 'never fires'],
    ['every 1s', 'fires more often than every 10 s'],
    ['* * * * * *', 'fires more often than every 10 s'],
    ['every 9999d', 'is longer than a year'],
    ['0 7 * *', 'is neither an interval nor a cron expression'],
    ['0 25 * * *', ''],
  ])('%s in a matter: the default holds, and the place is shown', async (written, reason) => {
    const { daemon } = await running({ 'matter/house.md': matter({ steward_schedule: written }) });
    expect(troublesOf(daemon, 'matter/house.md')).toMatchObject([
      { code: 'schedule-invalid', message: expect.stringContaining(reason), ...PLACED },
    ]);
    expect(daemon.daemon.status().schedules).toMatchObject([
      { cadence: 'every 30 min', reason: expect.stringContaining('cannot be read'), next: expect.any(String) },
    ]);
  });

  test.each(['0 0 31 2 *', 'every 1s'])('%s as the default: the last good one holds', async (written) => {
    const { daemon } = await running({ 'steward.md': settings({ default_schedule: written }) });
    expect(troublesOf(daemon, 'steward.md')).toMatchObject([{ code: 'settings-invalid', ...PLACED }]);
    expect(daemon.daemon.status().schedules).toMatchObject([{ cadence: 'every 30 min' }]);
  });
});

describe('a threshold that cannot be meant', () => {
  test.each([-0.1, 1.5, 'high', true])('discretion_threshold: %s: the note is left alone', async (value) => {
    const { vault, daemon } = await running({
      'task/odd.md': task({ discretion_threshold: value }),
      'task/pay.md': task(),
    });
    expect(troublesOf(daemon, 'task/odd.md')).toMatchObject([
      { message: expect.stringContaining('0 to 1'), ...PLACED },
    ]);
    const before = vault.read('task/odd.md');
    vault.write('signal/odd.md', signal({ target_path: 'task/odd.md' }));
    vault.write('signal/a.md', signal());
    await daemon.heard('acted');
    await daemon.sync();
    expect(vault.read('task/odd.md')).toBe(before);
  });

  test.each([-1, 7, 'high', Number.NaN])(
    'confidence_threshold: %s in the settings: said, and nothing is bolder',
    async (value) => {
      const { vault, daemon } = await running({
        'steward.md': settings({ confidence_threshold: value }),
        'task/pay.md': task(),
      });
      expect(troublesOf(daemon, 'steward.md')).toMatchObject([{ code: 'settings-invalid', ...PLACED }]);
      vault.write('signal/a.md', signal());
      await daemon.heard('recorded');
      expect(vault.fields('task/pay.md').state).toBe('open');
    },
  );

  test.each(['-1', '1.01', 'high', 'NaN', 'Infinity', '0,6'])('STEWARD_CONFIDENCE_THRESHOLD=%s is exit 78', (value) => {
    for (const name of ['STEWARD_CONFIDENCE_THRESHOLD', 'STEWARD_HIGH_CONFIDENCE_THRESHOLD']) {
      expect(() => readEnvironment({ [name]: value })).toThrow(
        expect.objectContaining({ exit: 78, trouble: expect.objectContaining({ code: 'settings-threshold' }) }),
      );
    }
  });

  test.each([-1, 'ten', [1]])('budget_usd_per_day: %j is said, with its place', async (value) => {
    const { daemon } = await running({ 'steward.md': settings({ budget_usd_per_day: value }) });
    expect(troublesOf(daemon, 'steward.md')).toMatchObject([{ code: 'settings-invalid', ...PLACED }]);
  });
});
