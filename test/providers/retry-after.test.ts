import { expect, test } from 'vitest';
import { secondsToWait } from '../../src/providers/provider.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const at = (time: string) => new Date(time).toUTCString();
const wait = (retryAfter: string | null, date: string | null = null) => secondsToWait({ retryAfter, date }, NOW);

test.each([
  ['17', 17],
  ['0', 0],
  ['1.5', 1.5],
  ['-3', 0],
  [null, null],
  [' ', null],
  ['soon', null],
  ['Infinity', null],
])('%j seconds: %j', (written, seconds) => expect(wait(written)).toBe(seconds));

test('a date is reckoned from the clock of the server, however wrong it or ours is', () => {
  for (const clock of ['2026-11-21T12:00:00Z', '2026-11-21T09:30:00Z', '2031-01-01T00:00:00Z']) {
    const until = new Date(Date.parse(clock) + 90_000).toUTCString();
    expect(wait(until, at(clock))).toBe(90);
  }
});

test('without a clock of its own, from ours', () => {
  expect(wait(at('2026-11-21T12:01:30Z'))).toBe(90);
  expect(wait(at('2026-11-21T12:01:30Z'), 'no date')).toBe(90);
});

test('a date that has passed asks for no wait', () => {
  expect(wait(at('2026-11-21T11:00:00Z'), at('2026-11-21T12:00:00Z'))).toBe(0);
});
