// Over 5 s: it weighs many mails with the trained reader.
import { describe, expect, it } from 'vitest';
import { readByPhrases, readByRules } from '../../src/reading/read-event.ts';
import { TargetIndex } from '../../src/reading/targets.ts';
import type { Meaning } from '../../src/steward/types.ts';
import { candidate, eventWith, sampleIndex } from '../support/events.ts';
import { LEARNT } from '../support/learnt.ts';
import { surelyProposing } from './cases.ts';

/** Below the gates' 0.85 nothing acts alone. */
const MOST_PROPOSED = 0.84;
/** A reader that takes every fit for good: what is allowed to it is all that any training can reach. */
const CREDULOUS = { ...LEARNT, least: 0 };
const NAMES = ['deposit invoice', 'deed of sale', 'notary appointment', 'car insurance'];
const MAILS = surelyProposing().flatMap(({ text }) => NAMES.map((name) => ({ subject: `The ${name}`, text })));

const sureOf = (meanings: readonly Meaning[]) =>
  meanings
    .filter(({ effectConfidence }) => effectConfidence > MOST_PROPOSED)
    .map(({ target, quote, proposal, effectConfidence }) => ({ target, quote, proposal, effectConfidence }));

describe('what was learnt', () => {
  it('is never sure enough to be acted upon, whatever was learnt: only what the phrases say is', () => {
    const index = sampleIndex();
    for (const parts of MAILS) {
      const event = eventWith(parts);
      const byPhrases = sureOf(readByPhrases(event, index).meanings);
      for (const learnt of [LEARNT, CREDULOUS]) {
        for (const sure of sureOf(readByRules(event, { index, learnt }).meanings))
          expect(byPhrases).toContainEqual(sure);
      }
    }
  });

  it('is heard: a credulous reader proposes where the phrases find nothing', () => {
    const index = sampleIndex();
    const more = MAILS.filter((parts) => {
      const event = eventWith(parts);
      const { meanings } = readByRules(event, { index, learnt: CREDULOUS });
      return meanings.length > readByPhrases(event, index).meanings.length;
    });
    expect(more.length).toBeGreaterThan(10);
  });

  it('says which task it is where the phrases know the matter alone, and then nobody is asked about the matter', () => {
    const index = new TargetIndex();
    const bills = 'matter/Household bills.md';
    index.add(candidate({ path: bills, keywords: ['Brightwater'] }));
    for (const name of ['Pay the electricity bill for October', 'Send the meter reading', 'Change the tariff'])
      index.add(candidate({ path: `task/${name}.md`, matterPath: bills }));
    const event = eventWith({
      from: 'noreply@brightwater.example',
      subject: 'Payment received',
      text: 'We have taken £84.20 by direct debit for your October bill. Thank you for being with Brightwater Electricity.',
    });
    expect(readByPhrases(event, index).meanings.map(({ target, proposal }) => [target, proposal])).toEqual([
      [bills, null],
    ]);
    expect(readByRules(event, { index, learnt: LEARNT }).meanings).toMatchObject([
      { target: 'task/Pay the electricity bill for October.md', proposal: { set: { state: 'done' } } },
    ]);
  });

  it('has no say where the channel names the note', () => {
    const index = sampleIndex();
    for (const parts of MAILS.slice(0, 40)) {
      const event = eventWith({ ...parts, about: 'task/Notary appointment.md' });
      expect(readByRules(event, { index, learnt: CREDULOUS })).toEqual(readByPhrases(event, index));
    }
  });
});
