import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSettings, SETTING_KEYS } from '../../../src/daemon/settings.ts';
import { UNKNOWN_SETTINGS } from '../../../src/steward/settings.ts';
import { HOUSE, settings } from '../../support/notes.ts';
import { Running } from '../../support/running.ts';
import { TempVault } from '../../support/temp-vault.ts';

const PROJECT = path.resolve(import.meta.dirname, '../../..');

function read(text: string) {
  return readSettings(new TempVault({ 'steward.md': text }).root, UNKNOWN_SETTINGS);
}

/** What is said of each key, where all of them stand in one `steward.md`. */
function saidOf(keys: readonly string[]): string[] {
  return read(settings(Object.fromEntries(keys.map((key) => [key, null])))).troubles.map(({ message }) => message);
}

/** Each way to leave out, double, replace or swap one letter of a word. */
function typos(word: string): string[] {
  const at = [...word].map((_, nth) => [word.slice(0, nth), word.charAt(nth), word.slice(nth + 1)] as const);
  const made = at.flatMap(([before, letter, after]) => [
    before + after,
    before + letter + letter + after,
    `${before}j${after}`,
    before + after.slice(0, 1) + letter + after.slice(1),
  ]);
  return [...new Set(made)].filter((typo) => typo !== word);
}

describe('a key of steward.md that is no setting', () => {
  test.each(SETTING_KEYS)('%s is one', (key) => {
    expect(saidOf([key])).toEqual([]);
  });

  test.each(SETTING_KEYS)('%s is named for each of its typos', (key) => {
    const wrong = typos(key);
    for (let nth = 0; nth < wrong.length; nth += 20) {
      const some = wrong.slice(nth, nth + 20);
      expect(saidOf(some)).toEqual(some.map((typo) => `Unknown setting "${typo}". Did you mean "${key}"?`));
    }
  });

  test.each([
    ['Mode', 'mode'],
    ['confidence-threshold', 'confidence_threshold'],
    ['confidnce_treshhold', 'confidence_threshold'],
    ['quiet hours', 'quiet_hours'],
    ['folder_tasks', 'folder_task'],
  ])('%s: did you mean %s?', (written, meant) => {
    expect(saidOf([written])).toEqual([`Unknown setting "${written}". Did you mean "${meant}"?`]);
  });

  test.each(['budget', 'id', 'confdnc_treshhold', 'constructor', 'ключ', 'x'.repeat(60)])(
    '%s: nothing is near, and the page of all settings is',
    (key) => {
      const [trouble, ...more] = read(settings({ [key]: 1 })).troubles;
      expect(more).toEqual([]);
      expect(trouble?.message).toBe(`Unknown setting "${key}".`);
      expect(trouble?.hint).toContain('docs/settings.md');
    },
  );

  test('people have these keys in any note', () => {
    expect(saidOf(['tags', 'aliases', 'cssclasses', 'publish', 'created', 'modified', 'Tags'])).toEqual([]);
  });

  test.each(['template', 'vault-example'])('nor is anything said of the steward.md in %s', (folder) => {
    expect(read(fs.readFileSync(path.join(PROJECT, folder, 'steward.md'), 'utf8')).troubles).toEqual([]);
  });

  test('is shown with its place, and changes no setting', () => {
    const sound = settings({ mode: 'shadow', protected_fields: ['iban'] });
    const odd = sound.replace('mode:', '# mode: live\nconfidence_treshold: 0.1\n"protected_field": []\nmode:');
    const line = odd.split('\n').findIndex((one) => one.startsWith('confidence_treshold')) + 1;
    const { settings: held, troubles } = read(odd);
    expect(held).toEqual(read(sound).settings);
    expect(troubles).toMatchObject([
      {
        code: 'settings-unknown',
        file: 'steward.md',
        line,
        column: 1,
        message: 'Unknown setting "confidence_treshold". Did you mean "confidence_threshold"?',
        excerpt: 'confidence_treshold: 0.1\n^',
      },
      { line: line + 1, column: 1, message: 'Unknown setting "protected_field". Did you mean "protected_fields"?' },
    ]);
  });

  test('a frontmatter full of other things names the first of them, and no long name in full', () => {
    const keys = Array.from({ length: 100 }, (_, nth) => [`${'k'.repeat(50)}${nth}`, nth]);
    expect(read(settings(Object.fromEntries(keys))).troubles).toHaveLength(20);
    const [trouble] = read(settings({ ['k'.repeat(900)]: 1 })).troubles;
    expect(trouble?.message).toBe(`Unknown setting "${'k'.repeat(60)}…".`);
  });
});

test('a running daemon says it with the edit, holds no value back for it, and forgets it when it is mended', async () => {
  const vault = new TempVault({ ...HOUSE, 'steward.md': settings() });
  const daemon = await Running.start(vault);
  vault.write('steward.md', settings({ settle_second: 3, mode: 'shadow' }));
  await daemon.heard('settings', ({ troubles }) => troubles === 0);
  expect(daemon.daemon.status()).toMatchObject({ mode: { vault: 'shadow' }, trouble: [{ code: 'settings-unknown' }] });
  vault.write('steward.md', settings({ settle_seconds: 3 }));
  await daemon.until(() => daemon.daemon.status().trouble.length === 0);
});
