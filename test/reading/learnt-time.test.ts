import { expect, it } from 'vitest';
import { findFits } from '../../src/reading/learnt.ts';
import { readByRules, readFindings } from '../../src/reading/read-event.ts';
import { candidate, eventWith } from '../support/events.ts';
import { LEARNT } from '../support/learnt.ts';
import { bestTime } from '../support/own-time.ts';
import { indexOf, RIVALS } from './rivals.ts';

const VERBS = ['Pay', 'Renew', 'Book', 'Sign', 'Return'];
const WHATS = [
  'insurance',
  'dentist',
  'electricity',
  'sofa',
  'ferry',
  'garden',
  'passport',
  'school trip',
  'piano',
  'roof',
];
const EVENT = eventWith({
  subject: 'Your insurance',
  text: 'Hello,\nwe have received your payment for the insurance of the van, thank you.\nKind regards',
  from: 'service@tollmark.example',
});
const TIMES = 20;

/** A vault of five tasks a matter, as different as those of a person are. */
function vaultOf(tasks: number) {
  const matters = Array.from({ length: tasks / 5 }, (_, nth) =>
    candidate({ path: `matter/Affair ${nth}.md`, senders: [`office@affair${nth}.example`] }),
  );
  const own = Array.from({ length: tasks }, (_, nth) =>
    candidate({
      path: `task/${VERBS[nth % 5]} ${WHATS[Math.floor(nth / 5) % 10]} ${nth.toString(36)}q.md`,
      matterPath: `matter/Affair ${Math.floor(nth / 5)}.md`,
      ...{ due: null, scheduled: null },
    }),
  );
  return indexOf([...RIVALS, ...matters, ...own]);
}

it('a mail is weighed against a few notes, however many there are', () => {
  const found = readFindings(EVENT);
  const [few, many] = [100, 10_000].map((tasks) => {
    const index = vaultOf(tasks);
    const weigh = () => findFits(EVENT, found, { index, learnt: LEARNT });
    expect(weigh().length).toBeGreaterThan(0);
    return bestTime(() => {
      for (let nth = 0; nth < TIMES; nth += 1) weigh();
    });
  });
  expect((many ?? 0) / (few ?? 1)).toBeLessThan(5);
});

it('a mail is read in good time, and finds its task, in a matter with 300 open tasks', () => {
  const from = 'office@hotel.example';
  const things = Array.from({ length: 30 }, (_, nth) => `${WHATS[nth % 10]} of house ${nth + 100}`);
  const names = VERBS.flatMap((verb) => things.map((thing) => `${verb} the ${thing}`));
  const tasks = ['January', 'July'].flatMap((month) => names.map((name) => `task/${name} in ${month}.md`));
  const index = indexOf([
    candidate({ path: 'matter/Hotel.md', senders: [from] }),
    ...tasks.map((path) => candidate({ path, matterPath: 'matter/Hotel.md' })),
  ]);
  expect(index.openTasksOf('matter/Hotel.md')).toHaveLength(300);
  const event = eventWith({ from, subject: 'News', text: 'The roof of house 129 in July has been booked.' });
  const read = () => readByRules(event, { index, learnt: LEARNT });
  expect(read().meanings[0]?.target).toBe('task/Book the roof of house 129 in July.md');
  expect(bestTime(read)).toBeLessThan(1000);
});
