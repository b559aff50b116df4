import { describe, expect, test } from 'vitest';
import { readByPhrases, readByRules } from '../../src/reading/read-event.ts';
import { isBeside, type TargetCandidate, TargetIndex } from '../../src/reading/targets.ts';
import type { StreamEvent } from '../../src/steward/types.ts';
import { candidate, eventWith } from '../support/events.ts';
import { LEARNT } from '../support/learnt.ts';

const LANE = candidate({ path: 'matter/14 Alder Lane.md', senders: ['anna@notary.example'] });
const under = (path: string, parts: Partial<TargetCandidate> = {}) =>
  candidate({ path, matterPath: LANE.path, ...parts });
const SURVEY = under('task/Arrange survey.md', { aliases: ['survey'] });
const INVOICE = under('task/Pay INV-2041.md');
const BILL = under('task/Pay survey invoice.md');

function indexOf(...notes: readonly TargetCandidate[]): TargetIndex {
  const index = new TargetIndex();
  for (const note of notes) index.add(note);
  return index;
}

/** Says whether a note stands beside the sentence. */
function beside(note: TargetCandidate, sentence: string, event: Partial<StreamEvent>): boolean {
  const clue = { sentence, verbs: ['pay', 'paid', 'complete'], otherVerbs: [], class: 'state_change' } as const;
  return isBeside(note, eventWith(event), clue, indexOf(LANE, SURVEY, INVOICE, BILL));
}

describe('a note stands beside a finding', () => {
  test.each<[string, TargetCandidate, string, Partial<StreamEvent>]>([
    ['in its sentence, by name', SURVEY, 'The survey is paid.', {}],
    ['in its sentence, by number', INVOICE, 'We confirm that INV-2041 is paid.', {}],
    ['in its sentence, by a link', INVOICE, 'Paid: [[Pay INV-2041]].', {}],
    ['in its sentence, by all of the words that the mail has', BILL, 'The survey invoice was paid.', {}],
    [
      'in the sentence before, to which it goes back',
      INVOICE,
      'It has been paid.',
      { text: 'We write about INV-2041. It has been paid.' },
    ],
    [
      'in the sentence before, whose word it takes up',
      INVOICE,
      'The invoice was paid.',
      { text: 'We write about invoice INV-2041. The invoice was paid.' },
    ],
    [
      'in the subject, where it names nothing',
      INVOICE,
      'Your payment has been received today.',
      { subject: 'INV-2041', text: 'Dear Sam,\nyour payment has been received today.' },
    ],
    ['in the subject, of which it speaks', INVOICE, 'The invoice has been paid.', { subject: 'Invoice INV-2041' }],
    ['in the subject of the mail that is answered', SURVEY, 'It is complete.', { subject: 'Re: Survey' }],
    ['in the subject, in another language', SURVEY, 'Ihre Zahlung ist gestern eingegangen.', { subject: 'Survey' }],
  ])('%s', (_, note, sentence, event) => {
    expect(beside(note, sentence, { text: sentence, ...event })).toBe(true);
  });
});

describe('a note stands elsewhere', () => {
  test.each<[string, TargetCandidate, string, Partial<StreamEvent>]>([
    [
      'in the next sentence',
      SURVEY,
      'Invoice 114 is paid.',
      { text: 'Invoice 114 is paid. As to the survey, we are waiting.' },
    ],
    [
      'in the next sentence, and one word of it here',
      BILL,
      'Invoice 114 is paid.',
      { text: 'Invoice 114 is paid. As to the survey, we are waiting.' },
    ],
    [
      'in the sentence before, about another thing',
      SURVEY,
      'Invoice 114 is paid.',
      { text: 'As to the survey, we are waiting. Invoice 114 is paid.' },
    ],
    [
      'in the sentence before, which speaks of two things',
      SURVEY,
      'It is paid.',
      { text: 'We have the survey and the invoice. It is paid.' },
    ],
    [
      'in the sentence before, while this one names another thing',
      SURVEY,
      'Invoice 114 is paid.',
      { text: 'We have the survey. Invoice 114 is paid.' },
    ],
    ['in another paragraph', SURVEY, 'It is paid.', { text: 'We have the survey.\n\nIt is paid.' }],
    ['two sentences before', SURVEY, 'It is paid.', { text: 'We have the survey. The keys follow. It is paid.' }],
    ['in the subject, about another thing', SURVEY, 'Invoice 114 is paid.', { subject: 'Survey' }],
    ['in the subject, of two things', SURVEY, 'The invoice is paid.', { subject: 'Survey and invoice' }],
    ['in the subject, of two things in a row', SURVEY, 'The invoice is paid.', { subject: 'Survey, invoice' }],
    [
      'in the subject, while the paragraph is about another thing',
      SURVEY,
      'It is paid.',
      { subject: 'Survey', text: 'Invoice 114 came. It is paid.' },
    ],
    [
      'before one of two like sentences',
      SURVEY,
      'It is paid.',
      { text: 'The survey came. It is paid. Invoice 114 came. It is paid.' },
    ],
    ['nowhere, but for its matter', SURVEY, 'The invoice for 14 Alder Lane is paid.', {}],
    ['in the history', SURVEY, 'It is paid.', { text: 'It is paid.', quoted: '> The survey?' }],
  ])('%s', (_, note, sentence, event) => {
    expect(beside(note, sentence, { text: sentence, ...event })).toBe(false);
  });
});

test.each([
  'Invoice 114 is paid. As to the survey, we are waiting.',
  'As to the survey, we are waiting. Invoice 114 is paid.',
  'As to the survey, we are waiting.\n\nThe deposit has been paid.',
])('a mail about two things is not near for the other one: %s', (text) => {
  const index = indexOf(LANE, SURVEY, under('task/Return keys.md'), BILL);
  const { meanings } = readByPhrases(eventWith({ subject: 'Your survey', text }), index);
  expect(meanings.length).toBeGreaterThan(0);
  const ofSurvey = meanings.filter(({ target }) => target === SURVEY.path || target === BILL.path);
  expect(ofSurvey.filter(({ targetNear }) => targetNear)).toEqual([]);
});

describe('a sender belongs to a note alone', () => {
  const own = (note: TargetCandidate, from: string, ...others: readonly TargetCandidate[]) => {
    const clue = { sentence: 'Received.', verbs: [], otherVerbs: [], class: 'state_change' } as const;
    return isBeside(note, eventWith({ from, text: 'Received.' }), clue, indexOf(note, ...others));
  };
  const ANNA = 'anna@notary.example';

  test('where no other note lists it', () => {
    const roof = candidate({ path: 'task/Roof.md', senders: ['@roofer.example'] });
    expect(own(roof, 'paul@roofer.example', LANE)).toBe(true);
    expect(own(roof, 'paul@roofer.example', { ...LANE, senders: ['paul@roofer.example'] })).toBe(false);
    expect(own(roof, 'paul@elsewhere.example', LANE)).toBe(false);
  });

  test('where its matter lists it, and it is the only open task', () => {
    expect(own(SURVEY, ANNA, LANE)).toBe(true);
    expect(own(SURVEY, ANNA, LANE, { ...INVOICE, state: 'done' })).toBe(true);
    expect(own(SURVEY, ANNA, LANE, INVOICE)).toBe(false);
    expect(own({ ...SURVEY, state: 'done' }, ANNA, LANE, INVOICE)).toBe(false);
  });

  test('not where a finished affair lists it too', () => {
    const former = candidate({ path: 'matter/Former house.md', senders: [ANNA], state: 'done' });
    expect(own(SURVEY, ANNA, LANE, former)).toBe(false);
  });

  test('of a matter, where only the matter and its tasks list it', () => {
    expect(own(LANE, ANNA, { ...SURVEY, senders: [ANNA] }, INVOICE)).toBe(true);
    expect(own(LANE, ANNA, candidate({ path: 'task/Elsewhere.md', senders: ['@notary.example'] }))).toBe(false);
  });

  test('never where the sender is not known', () => {
    const clue = { sentence: 'Received.', verbs: [], otherVerbs: [], class: null } as const;
    expect(isBeside(SURVEY, eventWith({ from: null, text: 'Received.' }), clue, indexOf(LANE, SURVEY))).toBe(false);
  });
});

describe('news whose own sentence names another thing', () => {
  const matter = 'matter/Regatta.md';
  const sender = 'tom@rowers.example';
  const notes = ['Repair the blue boat', 'Paint the landing stage', 'Order the club jackets'].map((name) =>
    candidate({ path: `task/${name}.md`, matterPath: matter }),
  );
  const index = indexOf(candidate({ path: matter, senders: [sender] }), ...notes);
  const proposedBy = (subject: string, text: string) =>
    readByRules(eventWith({ from: sender, subject, text }), { index, learnt: LEARNT })
      .meanings.filter(({ proposal }) => proposal !== null)
      .map(({ target }) => target);

  test.each([
    ['Blue boat', 'Hi, I paid the roofer for the gutter on Monday. The blue boat still needs its repair.'],
    ['Landing stage', 'We paid the carter yesterday. The landing stage still needs paint.'],
  ])('is not asked about the task of the subject: %s', (subject, text) => {
    expect(proposedBy(subject, text)).toEqual([]);
  });

  test.each([
    ['Blue boat', 'The blue boat has been repaired.', 'task/Repair the blue boat.md'],
    ['Club', 'We ordered the club jackets on Monday.', 'task/Order the club jackets.md'],
  ])('is proposed if it names the task: %s', (subject, text, target) => {
    expect(proposedBy(subject, text)).toEqual([target]);
  });
});
