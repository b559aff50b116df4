import fs from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Schedules } from '../../../src/daemon/schedule.ts';
import { StateStore } from '../../../src/daemon/state.ts';
import { rules } from '../../../src/providers/substitutes.ts';
import type { Evaluator } from '../../../src/steward/types.ts';
import { Catalogue } from '../../../src/vault/index.ts';
import { Layout, ownPlaces } from '../../../src/vault/layout.ts';
import { DEFAULT_MAPPING, readRecord } from '../../../src/vault/record.ts';
import { Clock, DAY, HOUR, MINUTE, quietHoursAround, SECOND } from '../../support/clock.ts';
import { HOUSE, matter, settings, signal, task, weak } from '../../support/notes.ts';
import { Running } from '../../support/running.ts';
import { TempVault } from '../../support/temp-vault.ts';

const THREE = {
  'steward.md': settings(),
  'matter/house.md': matter(),
  'matter/boat.md': matter(),
  'matter/2026/trip.md': matter(),
  'task/pay.md': task(),
  'task/two.md': task(),
} as const;

describe('one schedule a matter', () => {
  test('on start, for every living matter, nested folders too', async () => {
    const vault = new TempVault({
      ...THREE,
      'matter/over.md': matter({ state: 'done' }),
      'matter/old.md': matter({ state: 'archived' }),
      'matter/asleep.md': matter({ state: 'snoozed' }),
      'matter/off.md': matter({ steward: false }),
    });
    const running = await Running.start(vault);
    expect(running.schedules()).toEqual(['steward-asleep', 'steward-boat', 'steward-house', 'steward-trip']);
  });

  test('provisioned the moment its file appears', async () => {
    const vault = new TempVault(THREE);
    const running = await Running.start(vault);
    const before = Date.now();
    vault.write('matter/car.md', matter());
    const heard = await running.heard('schedule-provisioned', (one) => one.name === 'steward-car');
    expect(heard).toMatchObject({ cadence: 'default: every 30 min', next: expect.any(Number) });
    expect(heard.next).toBeGreaterThan(before);
    expect(heard.next).toBeLessThanOrEqual(Date.now() + 30 * MINUTE);
  });

  test('in a folder that is made with it', async () => {
    const vault = new TempVault(THREE);
    const running = await Running.start(vault);
    vault.write('matter/2027/spring/garden.md', matter());
    await running.heard('schedule-provisioned', (one) => one.name === 'steward-garden');
  });

  test('removed when the matter is deleted', async () => {
    const vault = new TempVault(THREE);
    const running = await Running.start(vault);
    vault.remove('matter/boat.md');
    expect(await running.heard('schedule-removed')).toMatchObject({ name: 'steward-boat' });
    expect(running.schedules()).toEqual(['steward-house', 'steward-trip']);
  });

  test.each(['done', 'archived', 'completed', 'cancelled'])(
    'removed when it is %s, issued again when it is open',
    async (state) => {
      const vault = new TempVault(THREE);
      const running = await Running.start(vault);
      vault.write('matter/boat.md', matter({ state }));
      await running.heard('schedule-removed', (one) => one.name === 'steward-boat');
      vault.write('matter/boat.md', matter());
      await running.until(() => running.schedules().includes('steward-boat'));
    },
  );

  test('its own phase: matters of one period do not fire together, and keep their phase through a restart', async () => {
    const vault = new TempVault(THREE);
    const at = async () => {
      const running = await Running.start(vault);
      const phases = running.daemon.status().schedules.map(({ next }) => Date.parse(String(next)) % (30 * MINUTE));
      await running.stop();
      return phases;
    };
    const phases = await at();
    expect(new Set(phases).size).toBe(3);
    expect(await at()).toEqual(phases);
  });

  test('re-issued when its cadence changes', async () => {
    const vault = new TempVault(THREE);
    const running = await Running.start(vault);
    vault.write('matter/boat.md', matter({ steward_schedule: 'every 2h' }));
    await running.heard('schedule-provisioned', (one) => one.cadence === 'steward_schedule: every 2 h');
    vault.write('matter/boat.md', matter({ steward_schedule: '0 7 * * *' }));
    await running.heard('schedule-provisioned', (one) => one.cadence === 'steward_schedule: cron 0 7 * * *');
    vault.write('matter/boat.md', matter({ steward_schedule: 'whenever' }));
    await running.heard(
      'schedule-provisioned',
      (one) => one.name === 'steward-boat' && /^default, since/.test(one.cadence),
    );
    expect(running.daemon.status().trouble).toContainEqual(
      expect.objectContaining({ code: 'schedule-invalid', file: 'matter/boat.md' }),
    );
  });

  test('not lost while its note is half written', async () => {
    const vault = new TempVault(THREE);
    const running = await Running.start(vault);
    vault.write('matter/boat.md', '---\ntype: matter\nstate: do');
    await running.sync();
    expect(running.schedules()).toContain('steward-boat');
    vault.write('matter/boat.md', '');
    await running.sync();
    expect(running.schedules()).toContain('steward-boat');
    expect(running.count('schedule-removed')).toBe(0);
  });
});

describe('a rename', () => {
  test('keeps the history', async () => {
    const vault = new TempVault({ ...THREE, 'matter/boat.md': matter({ surface_class: 'normal' }) });
    const running = await Running.start(vault);
    await running.ask({ op: 'tick', matters: ['boat'], force: true, mode: null });
    const before = running.daemon.status().schedules.find(({ name }) => name === 'steward-boat')?.last;
    expect(before).toEqual(expect.any(String));
    vault.rename('matter/boat.md', 'matter/ship.md');
    await running.until(
      () => !running.schedules().includes('steward-boat') && running.schedules().includes('steward-ship'),
    );
    const after = running.daemon.status().schedules.find(({ name }) => name === 'steward-ship')?.last;
    expect(after).toBe(before);
    await running.saved('cursors', { 'matter/ship.md': expect.anything() });
  });

  test('into another folder keeps schedule and history', async () => {
    const vault = new TempVault(THREE);
    const running = await Running.start(vault);
    await running.ask({ op: 'tick', matters: ['boat'], force: true, mode: null });
    vault.rename('matter/boat.md', 'matter/2026/boat.md');
    await running.until(() => running.daemon.status().schedules.some((one) => one.matter === 'matter/2026/boat.md'));
    await running.sync();
    const [boat] = running.daemon.status().schedules;
    expect(boat).toMatchObject({ name: 'steward-boat', matter: 'matter/2026/boat.md', last: expect.any(String) });
  });
});

describe('two matters with one slug', () => {
  test('neither is scheduled, both are named, until one is renamed', async () => {
    const vault = new TempVault(THREE);
    const running = await Running.start(vault);
    vault.write('matter/2026/boat.md', matter());
    await running.heard('schedule-removed', (one) => one.name === 'steward-boat');
    const troubles = running.daemon.status().trouble.filter(({ code }) => code === 'slug-twice');
    expect(troubles.map(({ file }) => file)).toEqual(['matter/2026/boat.md', 'matter/boat.md']);
    expect(running.schedules()).toEqual(['steward-house', 'steward-trip']);
    vault.rename('matter/2026/boat.md', 'matter/2026/canoe.md');
    await running.until(() => running.schedules().length === 4);
    expect(running.daemon.status().trouble.filter(({ code }) => code === 'slug-twice')).toEqual([]);
  });

  test('also from the start, and in other letters', async () => {
    const vault = new TempVault({ ...THREE, 'matter/2026/BOAT.md': matter() });
    const running = await Running.start(vault);
    expect(running.schedules()).toEqual(['steward-house', 'steward-trip']);
    vault.remove('matter/2026/BOAT.md');
    await running.heard('schedule-provisioned', (one) => one.name === 'steward-boat');
  });
});

describe('a vault that cannot be read is not an empty vault', () => {
  const lost: readonly (readonly [string, (vault: TempVault) => () => void])[] = [
    ['the root renamed away', (vault) => moved(vault, '')],
    ['the matter folder renamed away', (vault) => moved(vault, 'matter')],
    ['the task folder renamed away', (vault) => moved(vault, 'task')],
    ['the matter folder emptied', emptied],
  ];
  test.each(lost)('%s: schedules stay, and work goes on after its return', async (_, take) => {
    const vault = new TempVault(THREE);
    const running = await Running.start(vault);
    const giveBack = take(vault);
    await running.heard('away');
    expect(running.schedules()).toHaveLength(3);
    expect(running.daemon.status()).toMatchObject({ vault: { state: 'away', reason: expect.any(String) } });
    giveBack();
    await running.heard('back');
    expect(running.count('schedule-removed')).toBe(0);
    expect(running.schedules()).toHaveLength(3);
    vault.write('signal/s1.md', signal());
    await running.heard('acted');
    expect(vault.fields('task/pay.md').state).toBe('done');
  });

  test('nothing is written into the empty place where it was', async () => {
    const vault = new TempVault(THREE);
    const running = await Running.start(vault);
    const giveBack = moved(vault, '');
    await running.heard('away');
    fs.mkdirSync(vault.root);
    await running.sync();
    await running.stop();
    expect(fs.readdirSync(vault.root)).toEqual([]);
    fs.rmdirSync(vault.root);
    giveBack();
  });

  test('a command is refused meanwhile, to be tried again', async () => {
    const vault = new TempVault(THREE);
    const running = await Running.start(vault);
    const giveBack = moved(vault, 'matter');
    await running.heard('away');
    await expect(running.ask({ op: 'tick', matters: [], force: true, mode: null })).rejects.toThrow(
      /vault-away.*75|75.*vault-away/s,
    );
    giveBack();
  });

  test('the last matter of all deleted is a decision', async () => {
    const vault = new TempVault(HOUSE);
    const running = await Running.start(vault);
    vault.remove('matter/house.md');
    await running.heard('schedule-removed');
    expect(running.schedules()).toEqual([]);
  });

  test('all matters deleted one after the other are decisions, but for the last few at once', async () => {
    const vault = new TempVault(THREE);
    const running = await Running.start(vault);
    for (const file of ['matter/house.md', 'matter/boat.md']) {
      vault.remove(file);
      await running.sync();
    }
    expect(running.schedules()).toEqual(['steward-trip']);
    expect(running.count('away')).toBe(0);
  });

  function moved(vault: TempVault, folder: string): () => void {
    const [here, there] = [vault.at(folder), `${vault.home}/elsewhere`];
    fs.renameSync(here, there);
    return () => fs.renameSync(there, here);
  }

  function emptied(vault: TempVault): () => void {
    const texts = ['house.md', 'boat.md', '2026/trip.md'].map(
      (name) => [`matter/${name}`, vault.read(`matter/${name}`)] as const,
    );
    for (const [file] of texts) vault.remove(file);
    return () => {
      for (const [file, text] of texts) vault.write(file, text);
    };
  }
});

describe('the pace', () => {
  test('a tick still running makes the next one skip, and they never pile up', async () => {
    const gate = Promise.withResolvers<void>();
    let asked = 0;
    const evaluator: Evaluator = {
      ...rules,
      evaluate: async (question, abort) => {
        asked += 1;
        await gate.promise;
        return rules.evaluate(question, abort);
      },
    };
    const vault = new TempVault({
      ...HOUSE,
      'steward.md': settings({ default_schedule: 'every 1h' }),
      'signal/a.md': weak(),
    });
    const clock = new Clock();
    const running = await Running.start(vault, { evaluator, clock });
    for (let hours = 0; hours < 2; hours += 1) {
      clock.move(HOUR);
      await running.daemon.wake();
      await running.until(() => asked > 0);
    }
    const skipped = await running.heard('skipped');
    expect(skipped).toMatchObject({ name: 'steward-house', reason: 'the last check is still running' });
    expect(running.daemon.status().schedules).toMatchObject([{ state: 'running', skipped: skipped.reason }]);
    gate.resolve();
    await running.heard('ticked');
    await running.heard('proposed');
    expect(asked).toBe(1);
  });

  test('a machine that slept while the daemon was down catches up once', async () => {
    const vault = new TempVault(THREE);
    const clock = Clock.atNoon();
    const first = await Running.start(vault, { clock });
    await first.ask({ op: 'tick', matters: ['boat'], force: true, mode: null });
    await first.stop();
    clock.move(9 * HOUR);
    const running = await Running.start(vault, { clock });
    await running.heard('ticked', (one) => one.name === 'steward-boat');
    await running.sync();
    expect(running.happenings.filter((one) => one.what === 'ticked' && one.name === 'steward-boat')).toHaveLength(1);
    const next = Date.parse(String(running.daemon.status().schedules[0]?.next));
    expect(next).toBeGreaterThan(clock.now());
  });
});

test('a matter that was never ticked is due when it was said to be, also where the program starts only then', async () => {
  const vault = new TempVault({ 'steward.md': settings(), 'matter/boat.md': matter() });
  const clock = new Clock();
  const first = await Running.start(vault, { clock });
  const due = Date.parse(String(first.daemon.status().schedules[0]?.next));
  await first.stop();
  clock.move(due - clock.now() - 2 * SECOND);
  const early = await Running.start(vault, { clock });
  expect(Date.parse(String(early.daemon.status().schedules[0]?.next))).toBe(due);
  expect(early.count('ticked')).toBe(0);
  await early.stop();
  clock.move(5 * SECOND);
  const late = await Running.start(vault, { clock });
  await late.heard('ticked', ({ name }) => name === 'steward-boat');
});

test('a firing that was skipped is not made up for by a start', async () => {
  const clock = Clock.atNoon(); // so that the next firing is always as far away
  const vault = new TempVault({ 'steward.md': settings(), 'matter/boat.md': matter() });
  const first = await Running.start(vault, { clock });
  clock.move(31 * MINUTE);
  await first.daemon.wake();
  await first.heard('ticked');
  vault.write('steward.md', settings({ quiet_hours: quietHoursAround(clock.now()) }));
  await first.heard('settings');
  clock.move(31 * MINUTE);
  await first.daemon.wake();
  await first.heard('skipped');
  const due = Date.parse(String(first.daemon.status().schedules[0]?.next));
  await first.stop();
  clock.move((due - clock.now()) / 2);
  const next = await Running.start(vault, { clock });
  await next.sync();
  expect(next.count('skipped')).toBe(0);
});

describe('with a clock of its own', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  function scheduled(fields: Readonly<Record<string, unknown>>): {
    fired: number[];
    schedules: Schedules;
    state: StateStore;
    put: (file: string, text: string) => void;
    rewrite: (fields: Readonly<Record<string, unknown>>) => void;
  } {
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 12, 0, 0), toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const vault = new TempVault();
    const catalogue = new Catalogue();
    const stat = { mtimeMs: 1, ctimeMs: 1, size: 1, ino: 1 };
    const put = (file: string, text: string) =>
      catalogue.put(readRecord(new Layout(), DEFAULT_MAPPING, file, stat, Buffer.from(text)));
    const rewrite = (now: Readonly<Record<string, unknown>>) => put('matter/house.md', matter(now));
    rewrite(fields);
    const state = new StateStore(ownPlaces(vault.root).state);
    const fired: number[] = [];
    const schedules = new Schedules({
      catalogue,
      state,
      now: () => Date.now(),
      defaultSchedule: 'every 30m',
      listener: { due: () => fired.push(Date.now()), provisioned: () => {}, removed: () => {} },
    });
    schedules.followAll();
    schedules.start();
    return { fired, schedules, state, put, rewrite };
  }

  test('every 30 minutes, at one phase', () => {
    const { fired, schedules } = scheduled({});
    vi.advanceTimersByTime(2 * HOUR);
    schedules.pause();
    expect(fired).toHaveLength(4);
    expect(new Set(fired.map((at) => Math.floor((at % (30 * MINUTE)) / SECOND))).size).toBe(1);
  });

  test('while a tick runs, what it looks at does not fire again; what falls due later does', () => {
    const { fired, schedules, put, rewrite } = scheduled({ steward_schedule: 'every 1h' });
    const at = Math.ceil(Number(schedules.list()[0]?.next) / SECOND) * SECOND;
    const checkedAt = (moment: number) =>
      put(
        'task/pay.md',
        task({ state: 'snoozed', snoozed_until: new Date(moment).toISOString(), parent_matter: '[[house]]' }),
      );
    const followed = () => {
      rewrite({ steward_schedule: 'every 1h' });
      schedules.followAll();
      return schedules.list()[0]?.next;
    };
    vi.advanceTimersByTime(at - Date.now());
    expect(fired).toEqual([at]);
    const own = schedules.get('steward-house')?.next;
    schedules.mark('steward-house', true);
    checkedAt(at + 10 * SECOND);
    expect(followed()).toBe(own);
    checkedAt(at + 5 * MINUTE);
    expect(followed()).toBe(at + 5 * MINUTE);
    checkedAt(at + 10 * SECOND);
    schedules.mark('steward-house', false);
    expect(followed()).toBe(at + 10 * SECOND);
    schedules.pause();
  });

  test('what is due within a second fires at its end, no later, and a full minute on the minute', () => {
    const { fired, schedules } = scheduled({ steward_schedule: 'every 7m' });
    const next = Number(schedules.list()[0]?.next);
    expect(next % SECOND).not.toBe(0);
    vi.advanceTimersByTime(7 * MINUTE + SECOND);
    expect(fired).toEqual([Math.ceil(next / SECOND) * SECOND]);
    schedules.pause();
    const cron = scheduled({ steward_schedule: '*/10 * * * *' });
    vi.advanceTimersByTime(10 * MINUTE);
    expect(cron.fired.map((at) => at % MINUTE)).toEqual([0]);
    cron.schedules.pause();
  });

  test('with two thousand matters what is due within two seconds fires together', () => {
    const { fired, schedules, put } = scheduled({});
    for (let nth = 1; nth < 2_000; nth += 1) put(`matter/m${nth}.md`, matter({ steward_schedule: 'every 7m' }));
    schedules.followAll();
    vi.advanceTimersByTime(MINUTE); // the timer was set when there were few
    fired.length = 0;
    vi.advanceTimersByTime(7 * MINUTE);
    schedules.pause();
    expect(fired.length).toBeGreaterThan(1_990);
    expect(new Set(fired.map((at) => at % (2 * SECOND)))).toEqual(new Set([0]));
  });

  test('a matter whose cadence changes fires by the new one alone', () => {
    const { fired, schedules, rewrite } = scheduled({});
    rewrite({ steward_schedule: '0 * * * *' });
    schedules.followAll();
    const next = schedules.list().map((one) => one.next);
    vi.advanceTimersByTime(HOUR);
    schedules.pause();
    expect(fired).toEqual(next);
  });

  test('a sleep of a night is one tick, within half a minute of waking', () => {
    const { fired, schedules } = scheduled({});
    vi.advanceTimersByTime(HOUR);
    const before = fired.length;
    vi.setSystemTime(Date.now() + 8 * HOUR);
    const woke = Date.now();
    vi.advanceTimersByTime(30 * SECOND);
    expect(fired).toHaveLength(before + 1);
    expect(Number(fired.at(-1)) - woke).toBeLessThanOrEqual(30 * SECOND);
    vi.advanceTimersByTime(29 * MINUTE);
    schedules.pause();
    expect(fired.length).toBeLessThanOrEqual(before + 2);
  });

  test('a clock set back ticks no moment twice', () => {
    const { fired, schedules } = scheduled({ steward_schedule: '0 * * * *' });
    vi.advanceTimersByTime(90 * MINUTE);
    expect(fired).toHaveLength(1);
    vi.setSystemTime(Date.now() - HOUR);
    vi.advanceTimersByTime(50 * MINUTE);
    schedules.pause();
    expect(fired).toHaveLength(1);
  });

  test('nothing fires while it is paused; afterwards once', () => {
    const { fired, schedules } = scheduled({});
    schedules.pause();
    vi.advanceTimersByTime(DAY);
    expect(fired).toEqual([]);
    schedules.start();
    vi.advanceTimersByTime(SECOND);
    expect(fired).toHaveLength(1);
    schedules.pause();
  });
});
