import fs from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { SEED } from './years/assumed.ts';
import { OUTSIDERS } from './years/cast.ts';
import { chartIn, TRUST_PAGE } from './years/chart.ts';
import { type Happening, liveYears } from './years/life.ts';
import { aloneShare, askedPerHundred, byMonth, type Figures, figuresOf, precision, turnedOf } from './years/months.ts';
import { pageOf, together } from './years/report.ts';

/** The years take a minute or two with the real program, and longer on a busy machine. */
const LONG = 20 * 60_000;
/** What the senders themselves said wrongly cannot be told from what they said rightly before a person has seen it. */
const MOST_WRONG = 0.0125;
const MOST_MISREAD = 0.001;
/** At most so many wrong acts of a source that has turned bad, over all the time that is left. */
const MOST_OF_TURNED = 3;
/** So often must a person find a source right before it acts again. */
const RIGHT_AGAIN = 20;

describe(`three years of 5 000 mails, seed ${SEED}`, () => {
  let happened: readonly Happening[] = [];
  let all: Figures;
  let years: readonly Figures[] = [];

  beforeAll(async () => {
    happened = await liveYears(SEED);
    all = figuresOf(happened);
    years = [0, 1, 2].map((nth) => together(byMonth(happened).slice(12 * nth, 12 * nth + 12)));
  }, LONG);

  test('nothing is done on the word of strangers, look-alikes, forgers, or of anybody whom no server vouches for', () => {
    const tried = happened.filter(({ what, sender }) => what === 'news' && OUTSIDERS.includes(sender.kind));

    expect(tried.length).toBeGreaterThan(100);
    expect(all.byOutsiders).toBe(0);
  });

  test('few acts are wrong, and hardly any because the program misread', () => {
    expect(all.acts).toBeGreaterThan(1_000);
    expect(all.wrong / all.acts).toBeLessThan(MOST_WRONG);
    expect(all.misread / all.acts).toBeLessThan(MOST_MISREAD);
  });

  test('a source that turns bad loses its licence with its third reversal at the latest, until it is right again', () => {
    const turned = turnedOf(happened);

    expect(turned).toHaveLength(3);
    for (const { before, wrong, earnedAgain } of turned) {
      expect(before).toBeGreaterThan(10);
      expect(wrong).toBeGreaterThan(0);
      expect(wrong).toBeLessThanOrEqual(MOST_OF_TURNED);
      expect(earnedAgain ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(RIGHT_AGAIN);
    }
  });

  test('from year to year more is done alone and less is asked', () => {
    const alone = years.map(aloneShare);
    const asked = years.map(askedPerHundred);

    expect(alone).toEqual(alone.toSorted((one, other) => one - other));
    expect(alone.at(-1)).toBeGreaterThan(0.55);
    expect(asked).toEqual(asked.toSorted((one, other) => other - one));
    expect(asked.at(-1)).toBeLessThan((asked[0] ?? 0) * 0.6);
  });

  test('no year is less right than the rules promise, and the last is no worse than the one before it', () => {
    const [, second, third] = years.map((year) => precision(year) ?? 1);

    for (const year of years) expect(year.wrong / year.acts).toBeLessThan(MOST_WRONG);
    expect(third).toBeGreaterThan((second ?? 1) - 0.005);
  });

  test('docs/trust.md shows these years', () => {
    expect(chartIn(fs.readFileSync(TRUST_PAGE, 'utf8'))).toBe(pageOf(happened));
  });
});

test(
  'the same seed gives the same years, another one others',
  async () => {
    const [one, again, other] = [await liveYears(2, 60), await liveYears(2, 60), await liveYears(3, 60)];

    expect(one.length).toBeGreaterThan(60);
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
  },
  LONG,
);
