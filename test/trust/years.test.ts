import { beforeAll, describe, expect, test } from 'vitest';
import { PEOPLE, SEED } from './years/assumed.ts';
import { type Life, liveYears } from './years/life.ts';
import { summaryOf } from './years/months.ts';

// `npm run trust` lives through all of both people's years. Here it is the first half year of the private person.
const HALF_A_YEAR = 182;
const [PRIVATE] = PEOPLE;
if (PRIVATE === undefined) throw new Error('nobody lives');

describe(`half a year of the private person, seed ${SEED}`, () => {
  let life: Life;

  beforeAll(async () => {
    life = await liveYears(SEED, PRIVATE, { until: HALF_A_YEAR });
  });

  test('nothing is changed without asking before the first licence is signed, and afterwards it is', () => {
    const signed = life.licences.find(({ what }) => what === 'signed')?.day ?? Number.NaN;
    const acts = life.happened.filter(({ what }) => what === 'acted').map(({ day }) => day);

    expect(acts.length).toBeGreaterThan(5);
    expect(Math.min(...acts)).toBeGreaterThan(signed);
  });

  test('what is left to ask under licences of everybody is less', async () => {
    const licensed = await liveYears(SEED, PRIVATE, { until: HALF_A_YEAR, signsAll: true });
    expect(summaryOf(licensed).all.byOutsiders).toBe(0);
    expect(summaryOf(licensed).asked.first).toBeLessThan(summaryOf(life).asked.first);
  });

  test('a licence is offered in the first weeks', () => {
    expect(summaryOf(life).daysToFirstOffer).toBeLessThan(21);
  });

  test('nothing is changed on the word of strangers, look-alikes, forgers, or of anybody whom no server vouches for', () => {
    expect(summaryOf(life).all.byOutsiders).toBe(0);
  });

  test('only what the person does teaches', () => {
    const answers = life.happened.filter(({ what }) =>
      ['confirmed', 'dismissed', 'reversed', 'by hand', 'contradicted'].includes(what),
    );
    expect(life.lessons).toBeGreaterThan(0);
    // An answer teaches about its sender and the channel.
    expect(life.lessons).toBeLessThanOrEqual(2 * answers.length);
  });
});

test('the same seed gives the same years, another one others', async () => {
  const [one, again, other] = [
    await liveYears(2, PRIVATE, { until: 30 }),
    await liveYears(2, PRIVATE, { until: 30 }),
    await liveYears(3, PRIVATE, { until: 30 }),
  ];

  expect(one.happened.length).toBeGreaterThan(30);
  expect([again.happened, again.licences]).toEqual([one.happened, one.licences]);
  expect(other.happened).not.toEqual(one.happened);
});
