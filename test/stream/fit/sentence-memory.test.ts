import { expect, it } from 'vitest';
import { passagesOf } from '../../../src/stream/cues.ts';
import { readFindings } from '../../../src/stream/event-findings.ts';
import { possibleChanges } from '../../../src/stream/fit.ts';
import { SentenceMemory } from '../../../src/stream/language.ts';
import { rulesExtractor } from '../../../src/stream/rules-extractor.ts';
import { TaskBook } from '../../../src/stream/task-book.ts';
import type { TrainedReader } from '../../../src/stream/trained/trained-reader.ts';
import { LEARNT } from '../../support/learnt.ts';
import { candidate, eventWith } from '../events.ts';
import { indexOf } from './rivals.ts';

const SIGNED =
  '\n\nKind regards\n\nTollmark Insurance, 12 Harbour Street\n\nOur office is open all day.\n\nSee you there.';
const MAILS = [
  { subject: 'Your insurance', text: 'We have received your payment for the insurance.', at: '2026-10-01' },
  { subject: 'Your dentist', text: 'Your visit has moved: it is now due on 3 March.', at: '2026-10-02' },
  { subject: 'Your dentist', text: 'Your visit has moved: it is now due on 3 March.', at: '2027-05-02' },
  {
    subject: 'Your insurance',
    text: 'The insurance has been cancelled.\nThe insurance has been cancelled.',
    at: '2027-05-03',
  },
].map(({ at, text, subject }) =>
  eventWith({
    subject,
    text: `Hello,\n\n${text}${SIGNED}`,
    from: 'desk@tollmark.example',
    originAt: `${at}T08:00:00Z`,
  }),
);
const NOTES = indexOf([
  candidate({ path: 'matter/Van.md', senders: ['desk@tollmark.example'] }),
  candidate({ path: 'task/Pay insurance.md', matterPath: 'matter/Van.md' }),
  candidate({ path: 'task/Visit dentist.md', matterPath: 'matter/Van.md' }),
]);

/** A reader that counts how many sentences it is asked about. */
function counting(): { readonly reader: TrainedReader; readonly heard: () => number } {
  let heard = 0;
  const reader = {
    ...LEARNT,
    get effects() {
      heard += 1;
      return LEARNT.effects;
    },
  };
  return { reader, heard: () => heard };
}

it('a sentence that comes again is listened to once', () => {
  const { reader, heard } = counting();
  const book = new TaskBook(LEARNT);
  const [mail = eventWith({})] = MAILS;
  possibleChanges(mail, NOTES, readFindings(mail), reader, book);
  const first = heard();
  possibleChanges(mail, NOTES, readFindings(mail), reader, book);
  // What the rules found hangs on the mail, so that sentence alone is listened to again.
  expect(heard() - first).toBeLessThan(first / 2);
});

it('a sentence in which nothing was found is not searched for phrases again', () => {
  const silence = new SentenceMemory<true>();
  const [mail = eventWith({})] = MAILS;
  readFindings(mail, silence);
  const views = passagesOf(mail).map(({ view }) => view);
  const silent = views.filter((view) => silence.get(view) === true).map((view) => view.trim());
  expect(silent).toContain('Kind regards');
  expect(silent).not.toContain('We have received your payment for the insurance.');
});

it('what is remembered of sentences changes nothing, on whatever day they are written', async () => {
  const { signal } = new AbortController();
  const remembering = rulesExtractor({ index: NOTES, learnt: LEARNT, book: new TaskBook(LEARNT) });
  const forgetful = rulesExtractor({ index: NOTES, learnt: LEARNT });
  const question = (event: (typeof MAILS)[number]) => ({ event, candidates: [] }) as never;
  for (const event of [...MAILS, ...MAILS.toReversed()])
    expect(await remembering.extract(question(event), signal)).toEqual(
      await forgetful.extract(question(event), signal),
    );
});

it('few sentences are remembered, and no long ones', () => {
  const memory = new SentenceMemory<number>();
  for (let nth = 0; nth < 2_000; nth += 1) memory.put(`Sentence ${nth}.`, nth);
  const kept = Array.from({ length: 2_000 }, (_, nth) => memory.get(`Sentence ${nth}.`)).filter((n) => n !== undefined);
  expect(kept.length).toBeLessThanOrEqual(500);
  expect(kept).toContain(1_999);
  const long = 'word '.repeat(100);
  expect([memory.put(long, 1), memory.get(long)]).toEqual([1, undefined]);
});
