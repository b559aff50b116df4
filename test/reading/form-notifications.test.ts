import { describe, expect, test } from 'vitest';
import { admitted } from '../../src/streams/extract.ts';
import { changes, eventOf, NOW, type Sample, tasks } from '../streams/read-forms.ts';

const LISTED = 'List-Unsubscribe: <mailto:leave@sample-shop.example>';
const ORDER = 'Order number: KB-20417\nStanding desk\nOrder status: Delivered\n';

async function admission(sample: Sample): Promise<string> {
  const read = admitted((await eventOf(sample)).event, new Date(NOW));
  return read.ok ? 'read' : read.reason;
}

describe('a mail that a machine sent', () => {
  test.each<readonly [string, Sample, string]>([
    ['an order in labelled lines', { headers: [LISTED], text: ORDER }, 'read'],
    ['a status alone', { headers: [LISTED], text: 'Delivery status: Delivered' }, 'read'],
    ['what is left to pay', { headers: ['List-Id: <bills.sample-shop.example>'], text: 'Amount due: £0.00' }, 'read'],
    [
      'an order in hidden data',
      {
        headers: [LISTED],
        html: '<script type="application/ld+json">{"@type":"Order","orderNumber":"KB-20417","orderStatus":"OrderDelivered"}</script><p>KB-20417</p>',
      },
      'read',
    ],
    ['made by a program', { headers: ['Auto-Submitted: auto-generated'], text: ORDER }, 'read'],
    [
      'Precedence: bulk, as offices write it',
      { headers: ['Precedence: bulk'], text: 'Aktenzeichen: 12-88-4471\nStatus: genehmigt' },
      'read',
    ],
    [
      'a newsletter',
      { headers: [LISTED], text: 'Our winter sale has begun. Everything delivered by Friday!' },
      'bulk mail: List-Unsubscribe',
    ],
    [
      'a newsletter with dates',
      {
        headers: [LISTED],
        text: 'What: Winter fair\nWhen: 5 December 2026\nWhere: Market square\nDeadline: 1 December 2026',
      },
      'bulk mail: List-Unsubscribe',
    ],
    [
      'a newsletter with events for programs',
      {
        headers: [LISTED],
        html: '<script type="application/ld+json">{"@type":"Event","name":"Winter fair","startDate":"2026-12-05"}</script><p>Winter fair</p>',
      },
      'bulk mail: List-Unsubscribe',
    ],
    ['a mailing list', { headers: ['Precedence: list', LISTED], text: ORDER }, 'bulk mail: Precedence: list'],
    [
      'an automatic reply',
      { headers: ['Auto-Submitted: auto-replied', LISTED], text: `I am away.\n${ORDER}` },
      'bulk mail: Auto-Submitted: auto-replied',
    ],
    [
      'an automatic reply of another kind',
      { headers: ['X-Autoreply: yes', LISTED], text: ORDER },
      'bulk mail: X-Autoreply',
    ],
    [
      'a list, but for the number of nothing',
      { headers: [LISTED], text: 'Reference: see below' },
      'bulk mail: List-Unsubscribe',
    ],
  ])('%s', async (_, sample, expected) => {
    expect(await admission(sample)).toBe(expected);
  });

  test('proposes, and does nothing alone', async () => {
    const sample = { headers: [LISTED], text: `Your standing desk has been delivered.\n\n${ORDER}` };
    expect(await changes(sample, tasks('Standing desk'))).toEqual(['Standing desk: done']);
    const read = admitted((await eventOf(sample)).event, new Date(NOW));
    expect(read.ok && read.event.doubts).toEqual(['A machine sent it, perhaps to many (List-Unsubscribe).']);
  });
});
