import path from 'node:path';
import fc from 'fast-check';
import { type TargetCandidate, TargetIndex } from '../../src/reading/targets.ts';
import type { StreamEvent } from '../../src/steward/types.ts';
import { loadSentences, loadTaskNames } from '../../train/sentences.ts';
import { candidate, eventWith } from '../support/events.ts';

const DATA = path.join(import.meta.dirname, '../../train/data');
const MATTERS = {
  car: 'matter/Grey van.md',
  boat: 'matter/Boat on the lake.md',
  mira: 'matter/Mira.md',
  jonas: 'matter/Jonas.md',
} as const;
/** The day that mails may repeat: a task has it. */
export const DUE = '2026-12-04';

/** Notes that are easily taken for each other: two insurances, two children, and what is done already. */
export const RIVALS: readonly TargetCandidate[] = [
  candidate({ path: MATTERS.car, senders: ['service@tollmark.example'], keywords: ['TM-4471'] }),
  candidate({ path: MATTERS.boat, senders: ['@tollmark.example'], aliases: ['the dinghy'] }),
  candidate({ path: MATTERS.mira, senders: ['office@lindenkita.example'] }),
  candidate({ path: MATTERS.jonas, senders: ['office@lindenkita.example', 'praxis@zahnhaus.example'] }),
  task('Pay the insurance of the van', MATTERS.car),
  task('Renew the insurance of the van', MATTERS.car, { due: DUE }),
  task('Pay the insurance of the boat', MATTERS.boat),
  task('Bootsversicherung kündigen', MATTERS.boat),
  task('Dentist for Mira', MATTERS.mira, { due: `${DUE}T10:00` }),
  task('Dentist for Jonas', MATTERS.jonas, { due: '2026-12-11' }),
  task('Sign the form for the trip of Mira', MATTERS.mira),
  task('Anmeldung von Jonas abgeben', MATTERS.jonas, { scheduled: DUE }),
  task('Pay the electricity bill', null),
  task('Deliver the sofa', null, { state: 'done' }),
  task('Book the ferry', MATTERS.boat, { state: 'archived' }),
];

const SENTENCES = loadSentences(DATA);
const NAMES = [...RIVALS.map(({ name }) => name), ...loadTaskNames(DATA).map(({ text }) => text)];
const DAYS = ['4 December 2026', '04.12.2026', 'le 11 décembre 2026', '2026-12-04 10:00', 'next Thursday', ''];
const SENDERS = [
  ...['service@tollmark.example', 'claims@tollmark.example', 'office@lindenkita.example', 'praxis@zahnhaus.example'],
  ...['nobody@elsewhere.example', ''],
];

const sentence = fc.integer({ min: 0, max: SENTENCES.length - 1 }).map((nth) => SENTENCES[nth]?.text ?? '');
const name = fc.constantFrom(...NAMES);
const line = fc.oneof(
  { weight: 4, arbitrary: sentence },
  { weight: 2, arbitrary: fc.tuple(name, sentence).map(([what, said]) => `${what}: ${said}`) },
  fc.tuple(fc.constantFrom(...RIVALS), sentence).map(([note, said]) => `[[${note.name}]]: ${said}`),
  fc.tuple(sentence, fc.constantFrom(...DAYS)).map(([said, day]) => `${said.replace(/[.!]$/, '')} ${day}.`),
);

/** Mails put together from sentences that are learnt from and names of notes: the likeliest to be taken for something. */
export const mails: fc.Arbitrary<StreamEvent> = fc
  .record({
    subject: fc.oneof(name, sentence),
    lines: fc.array(line, { minLength: 1, maxLength: 5 }),
    from: fc.constantFrom(...SENDERS),
  })
  .map(({ subject, lines, from }) => eventWith({ subject, text: lines.join('\n'), from: from === '' ? null : from }));

/** Returns an index of some notes, added in this order. */
export function indexOf(notes: readonly TargetCandidate[]): TargetIndex {
  const index = new TargetIndex();
  for (const note of notes) index.add(note);
  return index;
}

function task(own: string, matterPath: string | null, more: Partial<TargetCandidate> = {}): TargetCandidate {
  return candidate({ path: `task/${own}.md`, matterPath, due: null, scheduled: null, ...more });
}
