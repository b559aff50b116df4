import { describe, expect, test } from 'vitest';
import { readSettings } from '../../../src/daemon/settings.ts';
import { StateStore } from '../../../src/daemon/state.ts';
import { UNKNOWN_SETTINGS } from '../../../src/steward/settings.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { Bench } from '../../support/workspace.ts';

describe('state of a newer version', () => {
  const NEWER = {
    '.steward/state/format.json': '{"format":9}',
    '.steward/state/cursors.json': '{"matter/house.md":["another","shape"]}',
    '.steward/state/suspects.json': 'not even JSON',
  };

  test('is refused before anything is written or moved aside', () => {
    const vault = new TempVault(NEWER);
    const state = new StateStore(vault.places.state);
    expect(() => state.load()).toThrow(/newer version of vault-steward wrote what Steward remembers/);
    expect(state.troubles[0]).toMatchObject({ code: 'state-newer', file: '.steward/state' });
    expect(vault.names('.steward/state')).toEqual(['cursors.json', 'format.json', 'suspects.json']);
    for (const [file, text] of Object.entries(NEWER)) expect(vault.read(file)).toBe(text);
  });

  test('ends a command with its reason', async () => {
    await expect(Bench.open(new TempVault(NEWER))).rejects.toMatchObject({
      trouble: { code: 'state-newer' },
      exit: 75,
    });
  });
});

describe('settings', () => {
  function read(frontmatter: string) {
    const vault = new TempVault({ 'steward.md': `---\n${frontmatter}\n---\n` });
    return readSettings(vault.root, { ...UNKNOWN_SETTINGS, settle_seconds: 7 });
  }

  test.each(['mode: live', 'format: 1\nmode: live'])('of our version are read: %o', (frontmatter) => {
    expect(read(frontmatter)).toMatchObject({ settings: { mode: 'live' }, troubles: [] });
  });

  test('of a newer version are not read: the last ones hold', () => {
    const { settings, troubles } = read('format: 2\nmode: live\nsettle_seconds: 3');
    expect([settings.mode, settings.settle_seconds]).toEqual([UNKNOWN_SETTINGS.mode, 7]);
    expect(troubles).toMatchObject([{ code: 'settings-newer', file: 'steward.md' }]);
  });

  test('with a version that is no number say so', () => {
    expect(read('format: newest\nmode: live').troubles).toMatchObject([{ code: 'settings-invalid' }]);
  });
});

test('a note of a newer version is named, counts as no record, and stays byte-identical', async () => {
  const text = '---\ntype: signal-action\ntimestamp: 2026-11-20T10:00:00Z\nundo: true\nsteward_format: 2\n---\n';
  const vault = new TempVault({ 'event/signal-action-2026-11-20T10-00-00Z-pay.md': text });
  const bench = await Bench.open(vault);
  expect(bench.status().trouble).toContainEqual(expect.objectContaining({ code: 'note-newer' }));
  bench.close();
  expect(vault.read('event/signal-action-2026-11-20T10-00-00Z-pay.md')).toBe(text);
});
