import { CronTime } from 'cron';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextWall, plainCron } from '../../src/steward/schedule.ts';
import { lawRuns } from '../support/laws.ts';

const RUNS = lawRuns();
const MINUTE = 60_000;
const YEARS = 5 * 365 * 24 * 60;

/** Figures around the limits of every field, so that some are wrong. */
const figure = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 62 }));
const part = fc.oneof(
  fc.constant('*'),
  figure.map(String),
  fc.tuple(figure, figure).map(([from, to]) => `${from}-${to}`),
  fc.tuple(fc.constantFrom('*', '2', '0-30', '5'), figure).map(([range, step]) => `${range}/${step}`),
  fc.constantFrom('mon', '1-fri', '?', '-1', '1-', '', '**', '1*', '007', '1/'),
);
const usual = fc.oneof(fc.constant('*'), fc.constantFrom('*/5', '0', '1', '1-5', '0,6', '7', '2,4'));
const field = fc.oneof(
  { weight: 4, arbitrary: usual },
  { weight: 2, arbitrary: part },
  { weight: 1, arbitrary: listed() },
);
const expressions = fc.array(field, { minLength: 5, maxLength: 5 }).map((fields) => fields.join(' '));
/** Moments of the next years to the millisecond, some of them just at a minute: the package looks no further. */
const moments = fc
  .tuple(fc.integer({ min: 0, max: YEARS }), fc.constantFrom(0, 1, 999, 1_000, 59_000, 59_999))
  .map(([minutes, more]) => Math.floor(Date.UTC(2026, 0, 1) / MINUTE + minutes) * MINUTE + more);

function listed() {
  return fc.array(part, { minLength: 2, maxLength: 3 }).map((parts) => parts.join(','));
}

test('LAW: a cron expression that is read as plain fires when the package says', () => {
  let plain = 0;
  fc.assert(
    fc.property(expressions, moments, (expression, after) => {
      const read = plainCron(expression);
      if (read === null) return;
      plain += 1;
      expect(CronTime.validateCronExpression(expression)).toEqual({ valid: true });
      const time = new CronTime(expression, 'UTC');
      expect(new Date(nextWall(read, after))).toEqual(time.getNextDateFrom(new Date(after), 'UTC').toJSDate());
    }),
    { numRuns: RUNS },
  );
  expect(plain).toBeGreaterThan(RUNS / 20);
});

test.each(['*/20 7-20 * * *', '0 8 * * 1-5', '0 9 1 * *', '15 10 * 1,7 0', '5/10 * * * 7'])(
  '%s is plain',
  (expression) => {
    expect(plainCron(expression)).not.toBeNull();
  },
);

test.each(['0 8 31 2 *', '0 8 13 * 5', '@daily', '0 0 8 * * *', '0 8 * * mon'])(
  '%s is left to the package',
  (expression) => {
    expect(plainCron(expression)).toBeNull();
  },
);
