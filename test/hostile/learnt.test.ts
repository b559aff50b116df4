import { describe, expect } from 'vitest';
import { readByRules } from '../../src/reading/read-event.ts';
import type { TargetCandidate } from '../../src/reading/targets.ts';
import { parseMail } from '../../src/streams/mail.ts';
import { indexOf, RIVALS } from '../reading/rivals.ts';
import { candidate } from '../support/events.ts';
import { LEARNT } from '../support/learnt.ts';
import { bestTime } from '../support/own-time.ts';
import { attack } from './attack.ts';

/** How much more than an ordinary mail of the length that is read it may cost. */
const MOST = 12;
/** How much more a mail may cost with a hundred times the notes that have its words: only the search sees them all. */
const MOST_FOR_NOTES = 25;
const LONG_ENOUGH_MS = 60;
const SAID = 'We have received your payment for the insurance of the van, thank you.';
const PROSE = 'The garden is lovely at this time of the year. We had tea on the lawn, and talked about the old days.\n';

const mailOf = (text: string, { name = 'Tollmark', subject = 'Your insurance' } = {}) =>
  `From: "${name}" <service@tollmark.example>\nTo: sam@home.example\nSubject: ${subject}\nDate: Fri, 20 Nov 2026 08:15:30 +0000\nContent-Type: text/plain; charset=utf-8\n\n${text}\n`;
const many = (count: number, of: (nth: number) => string) =>
  Array.from({ length: count }, (_, nth) => of(nth)).join('');

/** How long it takes to read a mail among some notes, in ms of this thread's own time. Parsing it is not counted. */
async function timeOf(mail: string, notes: readonly TargetCandidate[] = RIVALS): Promise<number> {
  const parsed = await parseMail('stream/mail/one.eml', Buffer.from(mail), { sourceType: 'mail', trustedServers: [] });
  if (!parsed.ok) throw new Error(parsed.trouble.message);
  const index = indexOf(notes);
  const read = () => readByRules(parsed.event, { index, learnt: LEARNT });
  // What an index puts together with the first mail is no cost of a mail.
  read();
  return shareOf(read);
}

/** How long a call takes: many in a row, since the time of a thread is counted in steps of some milliseconds. */
function shareOf(call: () => void): number {
  const once = Math.max(0.1, bestTime(call, 1));
  const times = Math.ceil(LONG_ENOUGH_MS / once);
  return (
    bestTime(() => {
      for (let nth = 0; nth < times; nth += 1) call();
    }, 2) / times
  );
}

const LARGE: readonly (readonly [string, () => string])[] = [
  ['a megabyte of sentences that each say it', () => mailOf(many(14_000, () => `${SAID} `))],
  ['one sentence of a megabyte', () => mailOf(`The insurance ${'and the dentist '.repeat(62_000)} has been paid.`)],
  [
    'a sentence of a hundred thousand words, no two alike',
    () => mailOf(`${SAID} ${many(100_000, (nth) => `w${nth}x `)}`),
  ],
  ['one word of a megabyte', () => mailOf(`The ${'insurance'.repeat(110_000)} has been paid.`)],
  ['twenty thousand links', () => mailOf(`${SAID} ${many(20_000, (nth) => `[[note ${nth}]] `)}`)],
  ['a sender whose name is a word of 300 kB', () => mailOf(SAID, { name: 'gym'.repeat(100_000) })],
  ['a sender whose name has 50 000 words', () => mailOf(SAID, { name: many(50_000, (nth) => `van${nth} `) })],
  ['a subject of 300 kB', () => mailOf(SAID, { subject: 'insurance'.repeat(33_000) })],
];

describe('what was learnt is asked', () => {
  for (const [what, mail] of LARGE) {
    attack(
      {
        attacker: 'a sender',
        means: `a mail of ${what}`,
        loss: 'a daemon that weighs one mail for minutes',
        defence: 'what is read of a mail, and what is looked for in a word, is bounded',
      },
      async () => {
        const ordinary = await timeOf(mailOf(`${SAID}\n${PROSE.repeat(160)}`));
        expect((await timeOf(mail())) / ordinary).toBeLessThan(MOST);
      },
    );
  }

  for (const [what, matterOf] of [
    ['in as many matters', (nth: number) => `matter/m${nth}.md`],
    ['in no matter', () => null],
  ] as const) {
    attack(
      {
        attacker: 'a sync peer',
        means: `ten thousand tasks that all name what the mail names, ${what}`,
        loss: 'a daemon whose mails each cost the whole vault',
        defence: 'a mail is weighed against few notes; a thing that very many name leads to none',
      },
      async () => {
        const tasks = (count: number) =>
          Array.from({ length: count }, (_, nth) =>
            candidate({ path: `task/Pay insurance ${nth}.md`, matterPath: matterOf(nth), due: null, scheduled: null }),
          );
        const few = await timeOf(mailOf(SAID), [...RIVALS, ...tasks(100)]);
        expect((await timeOf(mailOf(SAID), [...RIVALS, ...tasks(10_000)])) / few).toBeLessThan(MOST_FOR_NOTES);
      },
    );
  }
});
