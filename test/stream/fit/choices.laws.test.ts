import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { StreamEvent } from '../../../src/steward/ports.ts';
import { readFindings } from '../../../src/stream/event-findings.ts';
import { type Choice, Choices, changeSaid, suggestionsIn } from '../../../src/stream/fit.ts';
import { hear, mailEffects, TaskBook } from '../../../src/stream/task-book.ts';
import { lawRuns } from '../../support/laws.ts';
import { LEARNT } from '../../support/learnt.ts';
import { indexOf, mails, RIVALS } from './rivals.ts';

const RUNS = { numRuns: lawRuns() };
const index = indexOf(RIVALS);
const book = new TaskBook(LEARNT);
const tasks = RIVALS.filter(({ kind }) => kind === 'task').map((task) => book.wordsOf(task, index));

/** Returns what makes the choices that a mail gives. */
function choicesIn(event: StreamEvent): () => Choices {
  const found = readFindings(event);
  const all = hear(event, found.read, LEARNT, new TaskBook(LEARNT).heard);
  const mailSays = mailEffects(
    all.map(({ features }) => features),
    LEARNT,
  );
  const suggestions = suggestionsIn(all, found);
  return () => new Choices(suggestions, (same) => changeSaid(same, all, { event, mailSays }));
}

it('what a task may be set to does not hang on which tasks were asked about before', () => {
  fc.assert(
    fc.property(mails, fc.shuffledSubarray(tasks, { minLength: 2 }), (event, asked) => {
      const make = choicesIn(event);
      const shared = make();
      const alone: (readonly Choice[])[] = asked.map((task) => make().for(task));
      expect(asked.map((task) => shared.for(task))).toEqual(alone);
    }),
    RUNS,
  );
});

it('tasks of other days, or about an end, have other choices in mails like these', () => {
  const differ = fc.sample(mails, { numRuns: 60, seed: 7 }).filter((event) => {
    const choices = choicesIn(event)();
    return new Set(tasks.map((task) => JSON.stringify(choices.for(task).map(({ set }) => set)))).size > 1;
  });
  expect(differ.length).toBeGreaterThan(5);
});
