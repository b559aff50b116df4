import { expect, it } from 'vitest';
import {
  possibleChanges,
  probabilities,
  sentenceEffects,
  sentenceFeatures,
  TaskBook,
  type TrainedReader,
  tellingSpan,
} from '../../src/reading/learnt.ts';
import { readFindings } from '../../src/reading/read-event.ts';
import { rankTargets } from '../../src/reading/targets.ts';
import { candidate, eventWith } from '../support/events.ts';
import { LEARNT } from '../support/learnt.ts';
import { indexOf } from './rivals.ts';

const MAILS = ['insurance', 'dentist', 'insurance'].map((what) =>
  eventWith({
    subject: `Your ${what}`,
    text: `Hello,\nwe have received your payment for the ${what} of the van, thank you.\nKind regards`,
    from: 'service@tollmark.example',
  }),
);

function notes() {
  return indexOf([
    candidate({ path: 'matter/Van.md', senders: ['service@tollmark.example'] }),
    candidate({ path: 'task/Pay insurance of the van.md', matterPath: 'matter/Van.md' }),
    candidate({ path: 'task/Pay dentist.md', matterPath: 'matter/Van.md' }),
  ]);
}

/** A reader that counts how often it is asked for the kinds of deed. */
function counting(): { readonly reader: TrainedReader; readonly asked: () => number } {
  let asked = 0;
  const reader = {
    ...LEARNT,
    get topics() {
      asked += 1;
      return LEARNT.topics;
    },
  };
  return { reader, asked: () => asked };
}

it('the words of a task are worked out once for all mails', () => {
  const [index, { reader, asked }] = [notes(), counting()];
  const book = new TaskBook(reader);
  for (const mail of MAILS) possibleChanges(mail, index, readFindings(mail), LEARNT, book);
  expect(asked()).toBe(2); // as many as there are tasks
});

it('what is remembered of tasks changes nothing, also when a note is another', () => {
  const index = notes();
  const book = new TaskBook(LEARNT);
  const demandSame = () => {
    for (const mail of MAILS) {
      const found = readFindings(mail);
      const changes = possibleChanges(mail, index, found, LEARNT, book);
      expect(changes.length).toBeGreaterThan(0);
      expect(changes).toEqual(possibleChanges(mail, index, found, LEARNT));
    }
  };
  demandSame();
  index.add(candidate({ path: 'matter/Van.md', senders: [], aliases: ['Dentist of the van'] }));
  demandSame();
  index.remove('task/Pay dentist.md');
  demandSame();
});

it('a sentence is heard as if it were the first, with what the rules find in it', () => {
  const mails = [...MAILS, eventWith({ subject: 'Thanks', text: 'Kind regards\nThe boiler was not paid for.' })];
  const reader = { ...LEARNT };
  for (const mail of mails) sentenceEffects(mail, [], reader);
  for (const mail of mails)
    for (const read of [readFindings(mail).read, []])
      expect(sentenceEffects(mail, read, reader)).toEqual(sentenceEffects(mail, read, { ...LEARNT }));
});

const LONG = 'donaudampfschifffahrtsgesellschaftskapitän'.repeat(5);

it.each([
  'Thank you, the payment of €84.20 on 03.12.2026 has reached us and the invoice is settled now.',
  'Σας ευχαριστούμε ΠΟΛΥΣ e\u0301tat re\u0301gle\u0301 par anna@example.org, voir https://pay.example/1?x=2 merci beaucoup.',
  `Your order ${LONG} ${LONG} ${LONG} was delivered to the door today by our driver.`,
  'Paid.',
])('the words that tell of a change are those of the likeliest window: %s', (view) => {
  const { effects } = LEARNT;
  const { start, end, change } = tellingSpan(view, effects);
  const [done, cancelled, moved] = probabilities(effects, sentenceFeatures(view.slice(start, end)));
  expect(change).toBe(Math.min(1, (done ?? 0) + (cancelled ?? 0) + (moved ?? 0)));
});

it('each feature counts with its weight for each class, however many features share one', () => {
  const model = { classes: ['a', 'b'], bias: [0.1, -0.2], scale: 0.05, weights: Int8Array.of(1, -2, 3, 40, 5, -6) };
  const [a, b] = [0.1 + ((1 + 3 + 1) * 0.05) / Math.sqrt(3), -0.2 + ((40 - 6 + 40) * 0.05) / Math.sqrt(3)];
  const [first, second] = probabilities(model, [0, 2, 3]);
  expect((second ?? 0) / (first ?? 1)).toBeCloseTo(Math.exp(b - a), 6);
});

it('the ranking of a whole event follows the notes', () => {
  const [index, event] = [notes(), eventWith({ subject: 'Dentist', text: 'Hello', from: 'somebody@else.example' })];
  const paths = () => rankTargets(index, event, null).map(({ candidate: { path } }) => path);
  expect(paths()).toContain('task/Pay dentist.md');
  expect(rankTargets(index, event, null)).toBe(rankTargets(index, event, null));
  index.remove('task/Pay dentist.md');
  expect(paths()).not.toContain('task/Pay dentist.md');
  index.add(candidate({ path: 'task/Dentist of the van.md' }));
  expect(paths()).toContain('task/Dentist of the van.md');
});
