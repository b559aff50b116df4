import { expect, test } from 'vitest';
import { lookUpInProcess } from '../../src/evidence/researcher.ts';
import { LIMIT_MS, longestBlock } from '../support/own-time.ts';
import { TempVault } from '../support/temp-vault.ts';

const NEVER = new AbortController().signal;

/** Rows that take long to count. */
function slow() {
  const vault = new TempVault({ 'a.csv': `a,b\n${'1,2\n'.repeat(2_000_000)}` });
  const files = [{ path: 'a.csv', root: vault.root }];
  return { how: 'look' as const, request: 'count rows where a > 0 in a.csv', files };
}

test('the program keeps running meanwhile, and what takes too long is cut off and reported', async () => {
  const order = slow();
  let found: unknown;
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 10);
  const block = await longestBlock(async () => {
    found = await lookUpInProcess(order, NEVER, 0.3);
  });
  clearInterval(timer);
  expect(turns).toBeGreaterThan(1);
  expect(found).toMatchObject({ found: false, statements: ['The lookup took longer than 0.3 s.'] });
  expect(block).toBeLessThan(LIMIT_MS);
});

test('who asked may stop it', async () => {
  const stop = new AbortController();
  const reason = new Error('the roundtable ends');
  const found = lookUpInProcess(slow(), stop.signal);
  stop.abort(reason);
  await expect(found).rejects.toBe(reason);
  await expect(lookUpInProcess(slow(), AbortSignal.abort(reason))).rejects.toBe(reason);
});

test('a request that needs a model is null, and a search says that it is one', async () => {
  const vault = new TempVault({ 'a.md': 'The floor was raised.\n' });
  const files = [{ path: 'a.md', root: vault.root }];
  const request = 'when was the floor raised?';
  expect(await lookUpInProcess({ how: 'look', request, files }, NEVER)).toBeNull();
  expect(await lookUpInProcess({ how: 'search', request, files }, NEVER)).toMatchObject({
    found: true,
    extracts: [{ path: 'a.md', first: 1, last: 1, lines: ['The floor was raised.'] }],
  });
});
