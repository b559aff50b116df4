import { describe, expect, test } from 'vitest';
import { FORMATS, isNewer, newerFormat, upgraded, versionOf } from '../../src/vault/formats.ts';

describe('the table of formats', () => {
  test.each(Object.entries(FORMATS))(
    '%s: each migration leads one version on, newest first, to ours',
    (kind, format) => {
      const steps = format.migrations.map(({ to }) => to);
      expect(steps).toEqual(steps.toSorted((one, other) => other - one));
      // The cache has no way from one version to the next: it is read again.
      if (kind !== 'cache') expect(steps).toHaveLength(format.version - 1);
    },
  );

  test('a value without a version is of version 1, and one that is no number says none', () => {
    expect(versionOf('settings', {})).toBe(1);
    expect(versionOf('settings', { format: 3 })).toBe(3);
    expect(['2', 0, 1.5, true].map((format) => versionOf('settings', { format }))).toEqual([null, null, null, null]);
  });

  test('only what is beyond our version is newer, and says so with a way on', () => {
    const { version } = FORMATS.journal;
    expect([version, version + 1].map((one) => isNewer('journal', { schemaVersion: one }))).toEqual([false, true]);
    expect(newerFormat('state', { format: 9 }, '.steward/state', 'what is remembered')).toMatchObject({
      code: 'state-newer',
      message: `A newer version of vault-steward wrote what is remembered (format 9; this version reads up to 2).`,
      hint: 'Start the newer version. This one leaves it exactly as it is.',
    });
  });
});

describe('migrations', () => {
  test('journal 2: only the version changes', () => {
    const entry = { schemaVersion: 1, id: 'a', steps: [] };
    expect(upgraded('journal', entry)).toEqual({ ...entry, schemaVersion: 2 });
    expect(upgraded('journal', { ...entry, schemaVersion: 2 })).toEqual({ ...entry, schemaVersion: 2 });
  });

  test('state 2: what was found at each note leaves the pace, and is joined to what is there', () => {
    const state = {
      perception: { since: 1, notes: { 'a.md': 'old' }, touched: { 'b.md': 2 } },
      perceived: { 'c.md': 'new' },
      touched: {},
      cursors: { 'a.md': 3 },
    };
    expect(upgraded('state', state)).toEqual({
      perception: { since: 1 },
      perceived: { 'c.md': 'new', 'a.md': 'old' },
      touched: { 'b.md': 2 },
      cursors: { 'a.md': 3 },
    });
  });

  test('state 2: once more changes nothing', () => {
    const state = { perception: { since: 1 }, perceived: { 'a.md': 'x' }, touched: {} };
    expect(upgraded('state', state)).toBe(state);
  });
});
