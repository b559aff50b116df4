import { expect, it } from 'vitest';
import { readFindings } from '../../../src/stream/event-findings.ts';
import { fitsIn } from '../../../src/stream/learnt-meanings.ts';
import { LEARNT } from '../../support/learnt.ts';
import { bestTime } from '../../support/own-time.ts';
import { candidate, eventWith } from '../events.ts';
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
    const weigh = () => fitsIn(EVENT, found, { index, learnt: LEARNT });
    expect(weigh().length).toBeGreaterThan(0);
    return bestTime(() => {
      for (let nth = 0; nth < TIMES; nth += 1) weigh();
    });
  });
  expect((many ?? 0) / (few ?? 1)).toBeLessThan(5);
});
