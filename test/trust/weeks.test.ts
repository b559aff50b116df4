import { afterAll, expect, test } from 'vitest';
import { CONSULTANT } from './weeks/consultant.ts';
import { PRIVATE } from './weeks/private-person.ts';
import { shareOf, weeksTable } from './weeks/table.ts';
import { type LivedWeeks, liveWeeks } from './weeks/weeks.ts';

const REAL_SHARE = 0.8;
const MEANT_SHARE = 0.7;
const lives: LivedWeeks[] = [];

afterAll(() => console.log(weeksTable(lives)));

test.each([CONSULTANT, PRIVATE])('four weeks of a $name: what waits is true, short and answerable', async (story) => {
  const life = await liveWeeks(story);
  lives.push(life);
  expect(life.wrong, JSON.stringify(life.wrong)).toEqual([]);
  expect(shareOf(life.decisions, ({ isReal }) => isReal)).toBeGreaterThanOrEqual(REAL_SHARE);
  expect(shareOf(life.decisions, ({ isMeant }) => isMeant)).toBeGreaterThanOrEqual(MEANT_SHARE);
  expect(Math.max(...life.minutesVisible)).toBeLessThanOrEqual(1);
  expect(Math.max(...life.minutesEvaluated)).toBeLessThanOrEqual(1);
  expect(life.answers.filter(({ gestures }) => gestures > 1)).toEqual([]);
  expect(life.answers.length).toBeGreaterThan(10);
});
