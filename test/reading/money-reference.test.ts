import { describe, expect, test } from 'vitest';
import { findCodes, listReferences } from '../../src/reading/money.ts';

const toldBy = (...names: readonly string[]) => [...listReferences(names)];

describe('a note is told from others by', () => {
  test.each([
    ['Pay INV-2041', 'inv-2041'],
    ['Invoice 2026-114', '2026-114'],
    ['policy 4711', '4711'],
    ['Order AB12/77', 'ab12/77'],
    ['Case INV-2031', 'inv-2031'],
    ['pay-inv-2041-deposit', 'inv-2041'],
    ['case-2231', '2231'],
    ['Flat B1204', 'b1204'],
  ])('%s: %s', (name, reference) => {
    expect(toldBy(name)).toContain(reference);
  });

  test.each([
    'Taxes 2026',
    'taxes-2026',
    'Accounts 2025/26',
    'Q3-2026 report',
    'FY-2026',
    'Call on 2026-12-01',
    'Backup 20261201',
    'Meeting on the 13th',
    'Deposit of 5000 EUR',
    'Deposit of €5000',
    'Transfer 1200.50',
    'Rent 450 EUR',
    'Route of 1200km',
    'Flat 14 b',
    'Alder Lane',
    'no. 12',
  ])('nothing in: %s', (name) => {
    expect(toldBy(name)).toEqual([]);
  });
});

test('a mail has the codes as they are written, never a part of one, and no sums', () => {
  const codes = findCodes('Re: inv-2041. We got 5000 EUR and € 1200.50 for INV-2041-B, policy 4711.');
  expect([...codes]).toEqual(['inv-2041', 'inv-2041-b', '4711']);
});
