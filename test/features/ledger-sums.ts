import { expect } from 'vitest';
import { composeLedger, type ReceivedEvents } from '../../src/features/ledger.ts';
import { mailText } from '../streams/mailboxes.ts';

/** Returns a mail of a kind: what its sender says, and whether that can be read. */
export function textOf(kind: string, id: string, name: string): string {
  const paid = { id, subject: `[[${name}]] your payment`, text: `Hello Robin, [[${name}]] has been paid (${id}).` };
  switch (kind) {
    case 'paid':
      return mailText(paid);
    case 'stranger':
      return mailText({ ...paid, from: 'Pat <pat@elsewhere.example>' });
    case 'news':
      return mailText({ id, subject: 'Offers', text: `Offers of the week ${id}` }).replace(
        'To:',
        'List-Unsubscribe: <mailto:x@shop.example>\nTo:',
      );
    case 'encrypted':
      return mailText({ id, text: '-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----' });
    case 'broken':
      return `no mail at all ${id}`;
    default:
      return mailText({ id, subject: `Lunch ${id}` });
  }
}

/** Expects each received event in exactly one pile. */
export function demandSum(received: ReceivedEvents, expected: number): void {
  const ledger = composeLedger(received, { since: null, most: null });
  const { done, asked, waiting, setAside, notRead } = ledger.piles;
  expect(done + asked + waiting + setAside + notRead).toBe(ledger.received);
  expect(ledger.received, JSON.stringify(ledger, null, 1)).toBe(expected);
  const single = ledger.items.filter(({ count }) => count === 1).map(({ path }) => path);
  expect(new Set(single).size).toBe(single.length);
  expect(ledger.items.every(({ reason }) => reason !== '')).toBe(true);
  expect(ledger.reasons.reduce((sum, { count }) => sum + count, 0)).toBe(expected);
}
