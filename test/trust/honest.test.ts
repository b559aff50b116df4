import fs from 'node:fs';
import { expect, test } from 'vitest';
import { TempVault } from '../support/temp-vault.ts';
import { HONEST_MAILS } from './corpus/corpus.ts';
import { LANGUAGES } from './corpus/days.ts';
import { earnedBy } from './earned.ts';
import { honestRun, honestTable } from './honest.ts';
import { TRUST_PAGE } from './years/chart.ts';

const LEVELS = [0, 5, 10, 20];
/** The machine may be busy: hundreds of notes are written for each level. */
const PATIENCE_MS = 240_000;

test('there are honest mails enough, in each language', () => {
  expect(HONEST_MAILS.length).toBeGreaterThanOrEqual(60);
  expect(LANGUAGES.filter((language) => !HONEST_MAILS.some((mail) => mail.language === language))).toEqual([]);
  expect(new Set(HONEST_MAILS.map(({ id }) => id)).size).toBe(HONEST_MAILS.length);
});

test(
  'nothing untrue is done on the word of an honest sender, however often it was right before, and docs/trust.md says what is',
  async () => {
    const runs = [];
    for (const earned of await earnedBy(LEVELS, new TempVault().home)) runs.push(await honestRun(earned));
    expect(fs.readFileSync(TRUST_PAGE, 'utf8')).toContain(honestTable(runs).trim());
    const wrong = runs.flatMap(({ outcomes, results }) =>
      [...results].filter(([, result]) => result === 'acted wrongly').map(([{ id }]) => `${id} after ${outcomes}`),
    );
    expect(wrong).toEqual([]);
  },
  PATIENCE_MS,
);
