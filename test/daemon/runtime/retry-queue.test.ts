import { expect, test } from 'vitest';
import { RetryQueue } from '../../../src/daemon/queue.ts';
import { StewardError } from '../../../src/vault/errors.ts';
import { ownPlaces } from '../../../src/vault/layout.ts';
import { TempVault } from '../../support/temp-vault.ts';

const REFUSED = new StewardError({ code: 'refused', file: 'a.md', message: 'The disk refuses it.', hint: 'Wait.' });

function queue() {
  const faults = new Map();
  const said: string[] = [];
  const retries = new RetryQueue({
    vault: { away: null, places: ownPlaces(new TempVault({ '.steward/lock': '' }).root) },
    problems: { faults },
    context: { emit: ({ trouble }) => void said.push(trouble.message) },
  });
  return { retries, faults, said };
}

test('work in steps lets others have their turn after each slice, and is waited for to its end', async () => {
  const { retries } = queue();
  const done: string[] = [];
  let steps = 0;
  retries.addSteps('long', '.', function* () {
    for (; !done.includes('order'); steps += 1) yield; // would never end if it kept the queue
    done.push('long');
  });
  retries.add('order', '.', async () => void done.push('order'));
  await retries.idle();
  expect(done).toEqual(['order', 'long']);
  expect(steps).toBeGreaterThan(0);
});

test('work in steps that fails begins anew, is told once, and no more once it is done', async () => {
  const { retries, faults, said } = queue();
  const begun: number[] = [];
  retries.addSteps('long', '.', function* () {
    begun.push(begun.length);
    yield;
    if (begun.length < 3) throw REFUSED;
  });
  for (const isOver of [false, false, true]) {
    await retries.idle();
    expect(faults.has('long')).toBe(!isOver);
    retries.retry();
  }
  await retries.idle();
  expect([begun, said]).toEqual([[0, 1, 2], [REFUSED.trouble.message]]);
});
