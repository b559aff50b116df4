import { describe, expect } from 'vitest';
import { readForms } from '../../src/reading/read-event.ts';
import { parseForms } from '../../src/streams/mail-forms.ts';
import { parseDocument } from '../../src/streams/mail-html.ts';
import { compareAcrossChannels } from '../../src/streams/state.ts';
import { bytesOf, changes, eventOf, proposed, type Sample, tasks } from '../streams/read-forms.ts';
import { eventWith } from '../support/events.ts';
import { ownTime } from '../support/own-time.ts';
import { attack } from './attack.ts';

// What a mail says in forms: labelled lines, crossed-out days, hidden data for programs, a calendar.

const SENDER = 'a sender';
const json = (text: string) => `<script type="application/ld+json">${text}</script>`;
const ORDER = { '@type': 'Order', orderNumber: 'KB-20417', orderStatus: 'OrderDelivered' };
const DESK = tasks('Standing desk KB-20417');

const formsOf = (html: string) => parseForms(html, parseDocument(html));

/** Returns how long something takes at its best, in ms. */
function timeOf(work: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let nth = 0; nth < 3; nth += 1) {
    const started = ownTime();
    work();
    best = Math.min(best, ownTime() - started);
  }
  return best;
}

describe('hidden data', () => {
  attack(
    {
      attacker: SENDER,
      means: 'an order that was delivered, told to programs alone',
      loss: 'a task is done of which the reader of the mail saw nothing',
      defence: 'the text must name the same thing',
    },
    async () => {
      const sample = { html: `${json(JSON.stringify(ORDER))}<p>Our winter sale has begun.</p>` };
      expect(await changes(sample, DESK)).toEqual([]);
    },
  );

  for (const [means, html] of [
    ['in a part that nobody sees', '<p>Our winter sale.</p><div style="display:none">KB-20417</div>'],
    ['in white on white', '<p>Our winter sale.</p><p style="color:#fff;background:#fff">KB-20417</p>'],
    ['in letters of no size', '<p>Our winter sale.</p><p style="font-size:0">KB-20417</p>'],
  ] as const) {
    attack(
      {
        attacker: SENDER,
        means: `hidden data with the number ${means}`,
        loss: 'a task is done of which the reader of the mail saw nothing',
        defence: 'what counts as text is what a reader sees',
      },
      async () => {
        expect(await changes({ html: json(JSON.stringify(ORDER)) + html }, DESK)).toEqual([]);
      },
    );
  }

  attack(
    {
      attacker: SENDER,
      means: 'hidden data, and the number in the plain text beside the HTML alone',
      loss: 'a task is done of which the reader of the HTML saw nothing',
      defence: 'what stands in the plain text alone names nothing',
    },
    async () => {
      const sample = {
        text: 'Our winter sale has begun, see the new lamps and desks.\nKB-20417',
        html: `${json(JSON.stringify(ORDER))}<p>Our winter sale has begun, see the new lamps and desks.</p>`,
      };
      expect(await changes(sample, DESK)).toEqual([]);
    },
  );

  attack(
    {
      attacker: SENDER,
      means: 'hidden data that is right in all, with a sender that may act',
      loss: 'something is done alone that nobody read',
      defence: 'what only a form says is never sure enough',
    },
    async () => {
      const sample = { html: `${json(JSON.stringify(ORDER))}<p>Standing desk KB-20417</p>` };
      const all = await proposed(sample, DESK);
      expect(all).toHaveLength(1);
      for (const { confidence } of all) expect(confidence).toBeLessThanOrEqual(0.84);
    },
  );

  for (const [means, text] of [
    [
      'keys of every object (__proto__, constructor)',
      '{"@type":"Order","__proto__":{"orderStatus":"OrderDelivered"},"constructor":{"prototype":{"orderNumber":"KB-20417"}}}',
    ],
    [
      'a status that is a key of every object',
      '{"@type":"Order","orderNumber":"KB-20417","orderStatus":["__proto__","constructor","toString"]}',
    ],
    [
      'values of other types',
      '{"@type":["Order",{},[]],"orderNumber":{"a":[null,true]},"orderStatus":42,"merchant":[[["x"]]]}',
    ],
    ['half of it', '{"@type":"Order","orderNumber":"KB-20417","orderStatus":"OrderDeliv'],
    ['lists nested without end', '['.repeat(30_000)],
    ['objects nested without end', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
  ] as const) {
    attack(
      {
        attacker: SENDER,
        means: `hidden data with ${means}`,
        loss: 'the mail cannot be read, or the program is changed',
        defence: 'fields are read one by one, into a map, to a depth',
      },
      async () => {
        const sample = { html: `${json(text)}<p>Standing desk KB-20417</p>` };
        expect(await changes(sample, DESK)).toEqual([]);
        expect(Object.prototype).not.toHaveProperty('orderStatus');
        expect({}).not.toHaveProperty('orderNumber');
      },
    );
  }

  attack(
    {
      attacker: SENDER,
      means: 'a day that no calendar has, and one in a thousand years',
      loss: 'a task is due on a day that is none',
      defence: 'a day is looked up, and must be of this century',
    },
    () => {
      for (const day of ['2026-02-31', '9026-12-01', '2026-13-01', '20261201', '2026-12-01\n---'])
        expect(formsOf(json(JSON.stringify({ '@type': 'Invoice', paymentDueDate: day })))?.things[0]?.day ?? null).toBe(
          day.startsWith('2026-12-01') ? '2026-12-01' : null,
        );
    },
  );

  for (const [means, html] of [
    ['1 MB of data', json(JSON.stringify({ ...ORDER, x: 'y'.repeat(1_000_000) }))],
    ['100 000 values', json(JSON.stringify({ '@graph': Array.from({ length: 9000 }, () => ({ a: 1 })) })).repeat(10)],
    [
      '20 000 microdata names on one thing',
      `<div itemscope itemtype="Order">${'<b itemprop="name">x</b>'.repeat(20_000)}</div>`,
    ],
    [
      '20 000 different names',
      `<div itemscope itemtype="Order">${Array.from({ length: 20_000 }, (_, nth) => `<b itemprop="n${nth}">x</b>`).join('')}</div>`,
    ],
    ['things nested 10 000 deep', '<div itemscope itemprop="name" itemtype="Order">'.repeat(10_000)],
    ['texts within texts', '<b itemprop="name">x'.repeat(20_000)],
    ['20 000 crossed-out texts', '<s>1 December 2026</s>'.repeat(20_000)],
  ] as const) {
    attack(
      {
        attacker: SENDER,
        means: `${means} in the HTML`,
        loss: 'the daemon is busy for long, or its notes are filled',
        defence: 'bounds on size, depth and number',
      },
      () => {
        let found: ReturnType<typeof parseForms> = null;
        expect(
          timeOf(() => {
            found = formsOf(html);
          }),
        ).toBeLessThan(1500);
        expect(JSON.stringify(found).length).toBeLessThan(40_000);
      },
    );
  }
});

describe('labelled lines', () => {
  for (const [means, text] of [
    ['10 000 labels without a value', 'Order status:\n'.repeat(10_000)],
    ['a label of 16 000 letters', `${'order status '.repeat(1200)}: Delivered`],
    ['a line of blanks and stars', `Order status:${' *'.repeat(8000)}`],
    ['a value of 16 000 words', `Order status: ${'delivered '.repeat(1600)}`],
    ['a table head of 16 000 words', 'invoice due date '.repeat(900)],
    ['4000 rows of a table', `Invoice number Due date\n${'TRN-88123 3 December 2026\n'.repeat(600)}`],
    ['lines of nothing but colons', ':::::::::::\n'.repeat(1300)],
  ] as const) {
    attack(
      {
        attacker: SENDER,
        means: `${means} in the text`,
        loss: 'the daemon is busy for long',
        defence: 'lines, labels and values have bounds',
      },
      () => {
        expect(timeOf(() => readForms(eventWith({ text }), { at: null, language: 'en', order: null }))).toBeLessThan(
          400,
        );
      },
    );
  }

  attack(
    {
      attacker: SENDER,
      means: 'the labelled lines of another mail, quoted or forwarded',
      loss: 'what somebody else was told is taken for news',
      defence: 'only the own words of a mail are read',
    },
    async () => {
      const lines = 'Standing desk KB-20417\nOrder status: Delivered';
      const quoted = lines.replace(/^/gm, '> ');
      expect(await changes({ text: `See below.\n\n${quoted}` }, DESK)).toEqual([]);
      expect(await changes({ text: `See below.\n\n-----Original Message-----\n${lines}` }, DESK)).toEqual([]);
    },
  );
});

describe('a calendar in a mail', () => {
  const calendar = (...lines: readonly string[]) =>
    [
      ...['BEGIN:VCALENDAR', 'METHOD:REQUEST', 'BEGIN:VEVENT', 'UID:appt-77@sample-shop.example'],
      ...['DTSTART:20261203T090000Z', 'SUMMARY:Dental check-up', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''],
    ].join('\n');
  const sent = (from: string, ...lines: readonly string[]): Sample => ({
    from,
    text: 'See attached.',
    ics: calendar(...lines),
  });

  attack(
    {
      attacker: SENDER,
      means: "an update with the UID and the organiser of another's appointment, and the highest number",
      loss: 'no later version of the true appointment is ever read',
      defence: 'what a mail brings has its sender in its name, and outdates nothing in a calendar',
    },
    async () => {
      const mine = 'ORGANIZER:mailto:mail@sample-shop.example';
      const forged = (await eventOf(sent('Thief <thief@far.example>', 'SEQUENCE:9999999999', mine))).within?.[0];
      const next = (await eventOf(sent('Desk <mail@sample-shop.example>', 'SEQUENCE:1', mine))).within?.[0];
      if (forged === undefined || next === undefined) throw new Error('no appointment');
      expect(forged.identity.key).not.toBe(next.identity.key);
      const read = [{ version: forged.identity.version, path: 'stream/a.eml#1', gave: true }];
      const { inCalendar: key = '' } = next.identity;
      const inFile = { key, version: next.identity.version, otherwise: 'newer' as const };
      expect(compareAcrossChannels(inFile, [], read).kind).toBe('new');
    },
  );

  attack(
    {
      attacker: SENDER,
      means: 'a calendar larger than any invitation, a hundred parts of one, a thousand appointments',
      loss: 'one mail fills the notes',
      defence: 'four parts of 256 KB, and twenty appointments',
    },
    async () => {
      const large = await eventOf({ text: 'x', ics: calendar(`DESCRIPTION:${'x'.repeat(300_000)}`) });
      expect(large.within).toBe(undefined);
      const entry = (nth: number) => calendar().split('\n').slice(2, -2).join('\n').replace('appt-77', `a-${nth}`);
      const many = `BEGIN:VCALENDAR\n${Array.from({ length: 1000 }, (_, nth) => entry(nth)).join('\n')}\nEND:VCALENDAR\n`;
      expect((await eventOf({ text: 'x', ics: many })).within).toHaveLength(20);
    },
  );

  attack(
    {
      attacker: SENDER,
      means: 'a calendar that is none, or ends in the middle',
      loss: 'the mail that carries it cannot be read',
      defence: 'what cannot be read of it is passed over',
    },
    async () => {
      for (const ics of ['', 'BEGIN:VCALENDAR', 'BEGIN:VEVENT\nDTSTART:x', '\u0001\u0002', calendar().slice(0, 80)]) {
        const { event } = await eventOf({ text: 'Your dental check-up was cancelled.', ics: ics === '' ? ' ' : ics });
        expect(event.text).toBe('Your dental check-up was cancelled.');
      }
      expect(bytesOf({ text: 'x', ics: ' ' }).length).toBeGreaterThan(0);
    },
  );

  attack(
    {
      attacker: SENDER,
      means: 'an invitation in the name of an organiser whom the vault trusts',
      loss: 'it is believed as that organiser is',
      defence: 'nobody vouches for an organiser',
    },
    async () => {
      const { within } = await eventOf(sent('Thief <thief@far.example>', 'ORGANIZER:mailto:anna@notary.example'));
      expect(within?.[0]?.event.authentication).toMatchObject({ result: 'none', server: null });
    },
  );
});
