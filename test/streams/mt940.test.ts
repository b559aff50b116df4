import { expect, test } from 'vitest';
import { MT940 } from '../../src/streams/kinds.ts';
import { linesOf } from './bank-said.ts';

test('the balance is exact, whatever the amounts', async () => {
  const bookings = Array.from({ length: 300 }, () => ':61:350302C0,1NMSCNONREF').join('\n');
  const text = `:20:X\n:60F:D350301EUR0,3\n${bookings}\n:62F:C350302EUR29,7\n-\n`;
  expect((await linesOf(MT940, text)).filter((line) => line.includes('refused'))).toEqual([]);
});
