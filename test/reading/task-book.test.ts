import { expect, it } from 'vitest';
import { possibleChanges, TaskBook, type TrainedReader } from '../../src/reading/learnt.ts';
import { readFindings } from '../../src/reading/read-event.ts';
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
