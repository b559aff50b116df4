import fs from 'node:fs';
import { expect, test } from 'vitest';
import { HONEST_MAILS } from './corpus/corpus.ts';
import { LANGUAGES } from './corpus/days.ts';
import { household } from './corpus/household.ts';
import { type Household, honestRun, honestTable } from './honest.ts';
import { bestInstincts, licences } from './licensed.ts';
import { TRUST_PAGE } from './years/chart.ts';

const HOUSEHOLDS: readonly Household[] = [
  { senders: 'without a licence', files: household() },
  { senders: 'with a licence', files: { ...household(), ...licences() } },
  { senders: 'with a licence, right 60 times before', files: { ...household(), ...licences(), ...bestInstincts() } },
];
/** The machine may be busy. */
const PATIENCE_MS = 240_000;

test('there are honest mails enough, in each language', () => {
  expect(HONEST_MAILS.length).toBeGreaterThanOrEqual(60);
  expect(LANGUAGES.filter((language) => !HONEST_MAILS.some((mail) => mail.language === language))).toEqual([]);
  expect(new Set(HONEST_MAILS.map(({ id }) => id)).size).toBe(HONEST_MAILS.length);
});

test(
  'nothing untrue is done on the word of an honest sender, whatever its licence allows, and docs/dev/trust.md says what is',
  async () => {
    const runs = [];
    for (const one of HOUSEHOLDS) runs.push(await honestRun(one));
    expect(fs.readFileSync(TRUST_PAGE, 'utf8')).toContain(honestTable(runs).trim());
    const wrong = runs.flatMap(({ senders, results }) =>
      [...results].filter(([, result]) => result === 'acted wrongly').map(([{ id }]) => `${id} ${senders}`),
    );
    expect(wrong).toEqual([]);
  },
  PATIENCE_MS,
);
