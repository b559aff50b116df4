import fs from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readByRules } from '../../src/reading/read-event.ts';
import { candidate, eventWith } from '../support/events.ts';
import { LEARNT } from '../support/learnt.ts';
import { indexOf } from './rivals.ts';

const CASES = z
  .array(z.strictObject({ about: z.string().nullable(), answer: z.string(), question: z.string() }))
  .parse(load(fs.readFileSync(new URL('cases/carried-answers.yaml', import.meta.url), 'utf8')));

const SENDER = 'otto@kiln-hire.example';
const ROBIN = 'robin@home.example';
const TASKS = ['Collect the kiln', 'Order the clay', 'Zaun streichen', 'Vertrag unterschreiben'];
const index = indexOf([
  candidate({ path: 'matter/Yard.md', senders: [SENDER] }),
  ...TASKS.map((name) => candidate({ path: `task/${name}.md`, matterPath: 'matter/Yard.md' })),
]);
const read = (parts: Parameters<typeof eventWith>[0]) =>
  readByRules(eventWith(parts), { index, learnt: LEARNT }).meanings;

describe('a short answer to a quoted question', () => {
  it.each(CASES)('asks about $about: $answer', ({ about, answer, question }) => {
    const quoted = `On Monday Robin wrote:\n> Hi Otto,\n> ${question}\n> Robin`;
    const meanings = read({ from: SENDER, to: [ROBIN], subject: 'Re: Yard', text: answer, quoted });
    const asked = meanings.filter(({ proposal }) => proposal !== null);
    expect(asked.map(({ target, ambiguous }) => ({ target, ambiguous }))).toEqual(
      about === null ? [] : [{ target: `task/${about}.md`, ambiguous: true }],
    );
  });
});

it.each([
  ['The clay has been ordered.', 'See you on Monday.'],
  ['The clay has been ordered.', 'Have you ordered the clay?'],
  ['Zaun ist gestrichen.', 'Bis Montag!'],
])('news in a few words is news, whatever it answers: %s', (text, said) => {
  const quoted = `On Monday Robin wrote:\n> ${said}`;
  const told = read({ from: SENDER, to: [ROBIN], subject: 'Re: Yard', text, quoted });
  expect(told.map((one) => [one.proposal?.set, one.ambiguous])).toEqual([[{ state: 'done' }, false]]);
});

it('leaves the user’s own answers to the reading of their own mails', () => {
  const quoted = 'On Monday Otto wrote:\n> Could you order the clay?';
  const text = "It's done. I'll collect the kiln by 27 November.";
  const own = { sourceType: 'sent', from: ROBIN, to: [SENDER], subject: 'Re: Yard', text, quoted };
  expect(read(own).map(({ target, proposal }) => [target, proposal?.set])).toContainEqual([
    'task/Collect the kiln.md',
    { due: '2026-11-27' },
  ]);
});

describe('a mail that the user forwards to themselves', () => {
  const forward = (words: string, head = `From: Otto <${SENDER}>\nDate: Fri, 20 Nov 2026\nSubject: Clay`) =>
    `---------- Forwarded message ---------\n${head}\n\n${words}`;
  const targets = (parts: Parameters<typeof eventWith>[0]) =>
    read({ from: ROBIN, to: [ROBIN], subject: 'Fwd: Clay', text: 'FYI', ...parts }).map(({ target }) => target);

  it('is read as its sender wrote it', () => {
    expect(targets({ quoted: forward('The clay has been ordered.') })).toEqual(['task/Order the clay.md']);
  });

  it('is not read if somebody else forwards it, or if the user says more about it', () => {
    const quoted = forward('The clay has been ordered.');
    expect(targets({ quoted, from: 'eve@kiln-hire.example' })).toEqual([]);
    const text = 'I wonder whether this is still right, since Eve told me quite another story at the market.';
    expect(targets({ quoted, text })).toEqual([]);
  });

  it('is not read if it is the user’s own, or has no head', () => {
    const own = `From: ${ROBIN}\nDate: Fri, 20 Nov 2026\nSubject: Clay`;
    expect(targets({ quoted: forward('The clay has been ordered.', own) })).toEqual([]);
    expect(targets({ quoted: '> The clay has been ordered.' })).toEqual([]);
  });
});
