import { describe, expect, test } from 'vitest';
import { ApiKey } from '../../src/daemon/api-key.ts';
import { oneShot } from '../../src/daemon/one-shot.ts';
import { readSettings } from '../../src/daemon/settings.ts';
import type { TickResult } from '../../src/daemon/ticker.ts';
import { UNKNOWN_SETTINGS } from '../../src/steward/settings.ts';
import { HOUSE, matter, settings, signal, task } from '../support/notes.ts';
import { ANNA, ownSignal } from '../support/own-signal.ts';
import { refused } from '../support/refused.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE } from '../support/workspace.ts';

const BROKEN = '---\nmode: [shadow\ndefault_schedule: every 1m\n---\n';

/** A running daemon, and how to change its settings and wait until they were read. */
async function running(text: string) {
  const vault = new TempVault({ ...HOUSE, 'steward.md': text });
  const daemon = await Running.start(vault, { env: LIVE });
  const change = async (next: string) => {
    const before = daemon.count('settings');
    vault.write('steward.md', next);
    await daemon.until(() => daemon.count('settings') > before);
    await daemon.sync();
  };
  return { vault, daemon, change };
}

describe('steward.md is read live', () => {
  test('mode: what was live is shadow from then on', async () => {
    const { vault, daemon, change } = await running(settings());
    expect(daemon.daemon.status().mode.effective).toBe('live');
    await change(settings({ mode: 'shadow' }));
    expect(daemon.daemon.status().mode).toEqual({ ceiling: 'live', vault: 'shadow', effective: 'shadow' });
    vault.write('signal/s1.md', signal());
    await daemon.heard('recorded');
    expect(vault.read('task/pay.md')).toBe(HOUSE['task/pay.md']);
    await change(settings({ mode: 'live_high_confidence_only' }));
    expect(daemon.daemon.status().mode.effective).toBe('live_high_confidence_only');
  });

  test('default_schedule: every matter that follows it is issued anew, the others are not', async () => {
    const { vault, daemon, change } = await running(settings());
    vault.write('matter/own.md', matter({ steward_schedule: 'every 3h' }));
    await daemon.heard('schedule-provisioned', (one) => one.name === 'steward-own');
    await change(settings({ default_schedule: 'every 2h' }));
    const cadences = daemon.daemon.status().schedules.map(({ name, cadence }) => [name, cadence]);
    expect(cadences).toEqual([
      ['steward-house', 'every 2 h'],
      ['steward-own', 'every 3 h'],
    ]);
  });

  test('settle_seconds', async () => {
    const { vault, daemon, change } = await running(settings({ settle_seconds: 3600 }));
    vault.write('task/pay.md', HOUSE['task/pay.md'], 1000);
    vault.write('signal/s1.md', signal());
    await daemon.sync();
    expect(daemon.count('acted')).toBe(0);
    await change(settings({ settle_seconds: 0 }));
    await daemon.ask({ op: 'tick', matters: [], force: true, mode: null });
    expect(vault.fields('task/pay.md').state).toBe('done');
  });

  test('folder names: what lies under the new ones is read, the old ones are let go', async () => {
    const { vault, daemon, change } = await running(settings());
    vault.write('affairs/boat.md', matter());
    await change(settings({ folder_matter: 'affairs' }));
    await daemon.until(() => daemon.schedules().includes('steward-boat'));
    await daemon.sync();
    expect(daemon.schedules()).toEqual(['steward-boat']);
    vault.write('affairs/car.md', matter());
    await daemon.heard('schedule-provisioned', (one) => one.name === 'steward-car');
  });

  test('field names', async () => {
    const { vault, daemon, change } = await running(settings());
    vault.write('task/other.md', '---\nvorgang: house\n---\n');
    await daemon.sync();
    const lookedAt = async () => {
      const [house] = (await daemon.ask({ op: 'tick', matters: ['house'], force: true, mode: null })) as TickResult[];
      return house?.skipped.map(({ path }) => path);
    };
    expect(await lookedAt()).toEqual(['task/pay.md', 'matter/house.md']);
    await change(settings({ field_mapping: ['vorgang = parent_matter'] }));
    await daemon.sync();
    expect(await lookedAt()).toContain('task/other.md');
  });

  test('fields taken out, with the two lines of --- left: the defaults hold', async () => {
    const { daemon, change } = await running(settings({ mode: 'shadow' }));
    await change('---\n---\n');
    expect(daemon.daemon.status()).toMatchObject({ mode: { vault: null }, trouble: [] });
  });
});

describe('settings that are gone', () => {
  const LOST: readonly (readonly [string, (vault: TempVault) => void])[] = [
    ['deleted', (vault) => vault.remove('steward.md')],
    ['overwritten with a text', (vault) => vault.write('steward.md', 'Shopping list\n')],
    ['with an empty line above', (vault) => vault.write('steward.md', `\n${settings({ mode: 'shadow' })}`)],
  ];

  test.each(LOST)('%s: the last ones hold, it is said, and a start is in shadow without a model', async (_, lose) => {
    const { vault, daemon } = await running(settings({ mode: 'shadow', default_schedule: 'every 2h' }));
    lose(vault);
    await daemon.sync();
    const held = { mode: { vault: 'shadow', effective: 'shadow' }, schedules: [{ cadence: 'every 2 h' }] };
    expect(daemon.daemon.status()).toMatchObject(held);
    expect(daemon.daemon.status().trouble).toMatchObject([{ file: 'steward.md' }]);
    await daemon.stop();
    const again = await Running.start(vault, { env: LIVE });
    expect(again.daemon.status()).toMatchObject({ mode: { effective: 'shadow' }, evaluator: 'rules' });
    expect(again.daemon.status().trouble).toMatchObject([{ file: 'steward.md' }]);
    await again.stop();
    vault.write('steward.md', settings({ mode: 'live' }));
    const mended = await Running.start(vault, { env: LIVE });
    expect(mended.daemon.status()).toMatchObject({ mode: { effective: 'live' }, trouble: [] });
  });

  test('a vault that never had any begins with the defaults', async () => {
    const vault = new TempVault(HOUSE);
    vault.remove('steward.md');
    const daemon = await Running.start(vault, { env: LIVE });
    expect(daemon.daemon.status()).toMatchObject({ mode: { vault: null, effective: 'live' }, trouble: [] });
  });
});

describe('a steward.md that cannot be read', () => {
  test('keeps the last good values and says so, with the place', async () => {
    const { daemon, change } = await running(settings({ mode: 'shadow', default_schedule: 'every 2h' }));
    const held = { mode: { vault: 'shadow' }, schedules: [{ cadence: 'every 2 h' }] };
    expect(daemon.daemon.status()).toMatchObject(held);
    await change(BROKEN);
    expect(daemon.daemon.status()).toMatchObject(held);
    const [trouble] = daemon.daemon.status().trouble.filter(({ file }) => file === 'steward.md');
    expect(trouble).toMatchObject({ line: expect.any(Number), column: expect.any(Number) });
    expect(trouble?.hint).toContain('last good');
    await change(settings());
    expect(daemon.daemon.status().trouble).toEqual([]);
    expect(daemon.daemon.status().mode.vault).toBeNull();
  });

  test.each([
    ['mode', 'sometimes'],
    ['default_schedule', 'now and then'],
    ['settle_seconds', -4],
    ['confidence_threshold', 7],
    ['evaluator', 'oracle'],
    ['quiet_hours', 'at night'],
    ['folder_task', '../out'],
    ['folder_task', 'matter'],
  ])('one bad value, %s: %s, keeps its own last good one; the others are taken', (key, value) => {
    const good = { mode: 'shadow', settle_seconds: 7, confidence_threshold: 0.7, default_schedule: 'every 2h' };
    const vault = new TempVault({ 'steward.md': settings(good) });
    const before = readSettings(vault.root, UNKNOWN_SETTINGS).settings;
    expect(before).toMatchObject(good);
    vault.write('steward.md', settings({ ...good, high_confidence_threshold: 0.95, [key]: value }));
    const read = readSettings(vault.root, before);
    expect(read.settings).toEqual({ ...before, high_confidence_threshold: 0.95 });
    expect(read.troubles).toMatchObject([{ code: 'settings-invalid', file: 'steward.md', line: expect.any(Number) }]);
  });

  test('from the start: no last good value is known, so nothing is touched', async () => {
    const named = { 'matter/house.md': matter({ senders: [ANNA] }), 'signal/s1.md': ownSignal('signal/s1.md') };
    const vault = new TempVault({ ...HOUSE, ...named, 'steward.md': BROKEN, 'task/two.md': task() });
    const daemon = await Running.start(vault);
    await daemon.ask({ op: 'tick', matters: [], force: true, mode: null });
    expect(daemon.count('recorded')).toBe(1);
    expect(vault.read('task/pay.md')).toBe(HOUSE['task/pay.md']);
    expect(daemon.daemon.status().mode.effective).toBe('shadow');
  });
});

describe('a steward.md that the disk refuses', () => {
  test('while the daemon runs: the last good settings hold, it is said, and read again', async () => {
    const { vault, daemon } = await running(settings({ mode: 'shadow' }));
    const mode = () => daemon.daemon.status().mode.vault;
    const disk = refused('steward.md', 'EIO');
    vault.write('steward.md', settings({ mode: 'live' }));
    await daemon.heard('trouble', ({ trouble }) => trouble.file === 'steward.md');
    expect(mode()).toBe('shadow');
    expect(daemon.daemon.status().trouble).toMatchObject([{ code: 'disk-error', file: 'steward.md' }]);
    disk.again();
    await daemon.daemon.wake();
    await daemon.daemon.idle();
    expect(mode()).toBe('live');
    expect(daemon.daemon.status().trouble).toEqual([]);
  });

  test('at a start, or for a command that writes: nothing is judged by other settings (75)', async () => {
    const vault = new TempVault({ ...HOUSE, 'signal/s1.md': signal() });
    const disk = refused('steward.md', 'EMFILE');
    await expect(Running.start(vault)).rejects.toMatchObject({
      exit: 75,
      trouble: { code: 'too-many-open', file: 'steward.md' },
    });
    const parts = { root: vault.root, env: LIVE, now: Date.now, emit: () => {} };
    await expect(oneShot(parts, async () => {})).rejects.toMatchObject({
      exit: 75,
      trouble: { code: 'too-many-open' },
    });
    expect((await Bench.reading(vault)).settings.mode).toBe('shadow');
    disk.again();
    const daemon = await Running.start(vault);
    await daemon.heard('acted');
  });
});

test.each([
  ['wait', 'no model: there is no key'],
  ['rules', 'rules'],
])('an evaluator that is not there is said; meanwhile: %s', async (fallback, judge) => {
  const vault = new TempVault({
    'steward.md': `---\nmode: live\nevaluator: anthropic\nevaluator_fallback: ${fallback}\n---\n`,
  });
  const running = await Running.start(vault);
  const { trouble, evaluator } = running.daemon.status();
  expect(evaluator).toBe(judge);
  expect(trouble).toMatchObject([{ code: 'evaluator-missing', file: 'steward.md' }]);
});

test('settings that cannot be read at the start send nothing to a model', async () => {
  const vault = new TempVault({ 'steward.md': '---\nevaluator: rulez\n---\n' });
  const env = { ...LIVE, provider: { key: new ApiKey('sk-made-up'), baseUrl: 'http://127.0.0.1:9' } };
  const running = await Running.start(vault, { env });
  expect(running.daemon.status().evaluator).toBe('rules');
  vault.write('steward.md', '---\nevaluator: auto\n---\n');
  await running.heard('settings');
  expect(running.daemon.status().evaluator).toBe('claude-sonnet-5-5');
});
