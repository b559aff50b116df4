// Over 5 s: each example weighs a mail against many tasks.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChangeFit, findFits } from '../../src/reading/learnt.ts';
import { readByPhrases, readByRules, readFindings } from '../../src/reading/read-event.ts';
import type { TargetIndex } from '../../src/reading/targets.ts';
import type { Meaning, StreamEvent } from '../../src/steward/types.ts';
import { eventWith } from '../support/events.ts';
import { lawRuns } from '../support/laws.ts';
import { LEARNT } from '../support/learnt.ts';
import { indexOf, mails, RIVALS } from './rivals.ts';

/** Below the gates' 0.85 nothing acts alone. */
const MOST_PROPOSED = 0.84;
const RUNS = { numRuns: lawRuns(80) };
/** The stored reader, and one that proposes all that fits at all. */
const READERS = [LEARNT, { ...LEARNT, least: 0 }];

const index = indexOf(RIVALS);
const fitsOf = (event: StreamEvent, notes: TargetIndex = index) =>
  findFits(event, readFindings(event), { index: notes, learnt: LEARNT });

/** What a reader has beyond the phrases. */
function learntOnly(event: StreamEvent, learnt = LEARNT): readonly Meaning[] {
  // A doubt of the trained reader makes no other meaning, nor that a change is asked about for it.
  const keyOf = ({ doubts: _, ambiguous: _asked, candidates: _offered, ...meaning }: Meaning) =>
    JSON.stringify(meaning);
  const known = readByPhrases(event, index).meanings.map(keyOf);
  return readByRules(event, { index, learnt }).meanings.filter((meaning) => !known.includes(keyOf(meaning)));
}

describe('what a mail may mean', () => {
  it('is found at all in mails like these', () => {
    const found = fc.sample(mails, { numRuns: 60, seed: 7 }).map((event) => fitsOf(event).length);
    expect(found.filter((count) => count > 0).length).toBeGreaterThan(20);
  });

  it('has likelihoods from 0 to 1, the likeliest first', () => {
    fc.assert(
      fc.property(mails, (event) => {
        const likely = fitsOf(event).map(({ likelihood }) => likelihood);
        for (const each of likely) expect(each >= 0 && each <= 1).toBe(true);
        expect(likely).toEqual(likely.toSorted((one, other) => other - one));
      }),
      RUNS,
    );
  });

  it('is about open tasks alone, sets their state or their day, and never the day that they have', () => {
    fc.assert(
      fc.property(mails, (event) => {
        for (const { task, set } of fitsOf(event)) {
          expect(task.kind).toBe('task');
          expect(index.isOpen(task.path)).toBe(true);
          const [[field, value] = ['', ''], ...more] = Object.entries(set);
          expect(more).toEqual([]);
          expect(field === 'due' || value === 'done' || value === 'archived').toBe(true);
          const own = task.due ?? task.scheduled ?? '';
          if (field === 'due' && own !== '') expect(own.startsWith(value) || value.startsWith(own)).toBe(false);
        }
      }),
      RUNS,
    );
  });

  it('is proposed and never acted upon, neither for its words nor for its note', () => {
    fc.assert(
      fc.property(mails, fc.constantFrom(...READERS), (event, learnt) => {
        for (const { effectConfidence, targetConfidence } of learntOnly(event, learnt)) {
          expect(effectConfidence).toBeLessThanOrEqual(MOST_PROPOSED);
          expect(targetConfidence).toBeLessThanOrEqual(MOST_PROPOSED);
        }
      }),
      RUNS,
    );
  });

  it('is quoted from the mail', () => {
    fc.assert(
      fc.property(mails, (event) => {
        const said = `${event.subject}\n${event.text}`.replace(/\s+/g, ' ');
        for (const { quote } of learntOnly(event)) expect(said).toContain(quote.replace(/…$/, '').trim());
      }),
      RUNS,
    );
  });

  it('does not depend on the order in which the notes were read', () => {
    fc.assert(
      fc.property(mails, fc.shuffledSubarray([...RIVALS], { minLength: RIVALS.length }), (event, shuffled) => {
        expect(summed(fitsOf(event, indexOf(shuffled)))).toEqual(summed(fitsOf(event)));
      }),
      RUNS,
    );
  });

  it.each([
    ['Polish', 'Rachunek za ubezpieczenie łodzi został zapłacony. Dziękujemy za wpłatę i życzymy miłego dnia.'],
    ['Czech', 'Platba za pojištění lodi byla přijata. Děkujeme a přejeme vám příjemný den, na shledanou.'],
    ['Finnish', 'Veneen vakuutuslasku on maksettu. Kiitos maksusta ja hyvää päivänjatkoa teille kaikille.'],
  ])('is nothing where it is written in %s', (_, text) => {
    const event = eventWith({
      subject: 'Pay the insurance of the boat',
      text: `${text}\n${text}`,
      from: 'a@tollmark.example',
    });
    expect(readFindings(event).notRead).not.toBeNull();
    expect(fitsOf(event)).toEqual([]);
    expect(learntOnly(event)).toEqual([]);
  });

  it('is nothing where it is said only of what is done or archived', () => {
    const finished = indexOf(RIVALS.map((note) => (note.kind === 'task' ? { ...note, state: 'done' } : note)));
    fc.assert(
      fc.property(mails, (event) => {
        expect(fitsOf(event, finished)).toEqual([]);
      }),
      { numRuns: lawRuns(20) },
    );
  });
});

/** What is compared of fits: those that are equally likely have no order. */
function summed(fits: readonly ChangeFit[]): readonly string[] {
  return fits
    .map(({ task, set, likelihood }) => `${likelihood.toFixed(9)} ${task.path} ${JSON.stringify(set)}`)
    .toSorted();
}
