import { expect, test } from 'vitest';
import { sweepEvery } from '../../../src/daemon/runtime/sweep-pace.ts';
import { MINUTE, SECOND } from '../../support/clock.ts';

test.each<[string, boolean, number, boolean, number]>([
  ['a small vault', true, 12, false, MINUTE],
  ['10 000 files', true, 10_000, false, MINUTE],
  ['25 000 files', true, 25_000, false, 2.5 * MINUTE],
  ['a million files', true, 1_000_000, false, 30 * MINUTE],
  ['a million files on a network disk, or with a watcher in trouble', false, 1_000_000, false, MINUTE],
  ['a vault that is away', true, 1_000_000, true, 2 * SECOND],
])('%s', (_, isSure, files, isAway, expected) => {
  expect(sweepEvery({ isSure, files }, isAway)).toBe(expected);
});
