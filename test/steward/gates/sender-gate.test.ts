import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { closingGate, readingGate, senderGate, type Witness } from '../../../src/steward/gates-sender-gate.ts';
import {
  AUTHENTICATION_RESULTS,
  SENDER_STANDINGS,
  TARGET_EVIDENCE,
  type TargetEvidence,
} from '../../../src/vault/status-words.ts';
import { lawRuns } from '../../support/laws.ts';

const ANNA = 'mail:anna@notary.example';

/** A signal of a sender that the note names, for whom her server vouches, and whose mail leads to it in two ways. */
function witness(parts: Partial<Witness> = {}): Witness {
  return {
    ...{
      source: ANNA,
      sender: 'anna@notary.example',
      known: 'named',
      right: 0,
      owed: 0,
      reading: 0.95,
      vouched: 'pass',
      server: 'mx.notary.example',
      writer: 'own',
    },
    ...{ evidence: ['sender', 'name'], near: true, targetConfidence: 0.9, endsMatter: false, doubt: null },
    ...parts,
  };
}

const STRANGER = { source: 'mail:eve@evil.example', sender: 'eve@evil.example', known: 'unknown' } as const;

describe('a decision acts alone', () => {
  test('by a sender that the note names, for whom the channel vouches', () => {
    expect(senderGate([witness()])).toEqual({
      ...{ name: 'sender', held: true, figure: 0, threshold: 5 },
      sentence: 'sender: this note or its matter names anna@notary.example, and mx.notary.example vouches for it.',
    });
  });

  test('by one that has earned it on this matter', () => {
    expect(senderGate([witness({ known: 'earned', right: 5, server: null })])).toMatchObject({
      ...{ held: true, figure: 5 },
      sentence: 'sender: anna@notary.example was right 5 times on this matter, and its channel vouches for it.',
    });
  });

  test('by a trusted signal source', () => {
    const trusted = witness({ source: 'bank', writer: 'trusted', server: null, evidence: ['link'] });
    expect(senderGate([trusted])).toMatchObject({
      held: true,
      sentence: 'sender: the settings trust signals from bank.',
    });
  });
});

describe('at most a proposal comes of it', () => {
  test.each<[string, Partial<Witness>, RegExp]>([
    ['from nobody', { source: 'calendar:unverified:nobody', known: 'unknown' }, /^sender: it names no sender, so/],
    [
      'from a stranger',
      { known: 'unknown', right: 4 },
      /neither this note nor its matter names .*, and it has \d of 5 right outcomes here/,
    ],
    ['from a forged sender', { vouched: 'fail' }, /mx\.notary\.example says that it is not from anna@notary\.example/],
    [
      'where it is from a file',
      { source: 'transcript', vouched: 'none', server: null },
      /nobody beside the file vouches/,
    ],
    ['where nobody vouches', { vouched: 'none', server: null }, /no trusted server vouches for anna@notary/],
    ['from a note that somebody else wrote', { known: 'unknown', writer: 'unknown' }, /somebody else wrote the signal/],
    [
      'where the mail is in doubt',
      { doubt: 'x-spam-flag marks it as spam.' },
      /^sender: x-spam-flag marks it as spam\.$/,
    ],
    ['where only the sender leads there', { evidence: ['sender'] }, /is known, but only its sender leads to this note/],
    ['where only words do', { evidence: ['words'] }, /only words in common lead to this note/],
    ['where nothing does', { evidence: [] }, /but nothing that can be checked leads to this note/],
    [
      'where the target is not sure',
      { targetConfidence: 0.8499 },
      /only 0\.8499 sure that .* means this note, 0\.85 needed/,
    ],
    [
      'where it was wrong and owes right ones',
      { owed: 7 },
      /an action of anna@notary\.example was taken back; 7 more right outcomes needed/,
    ],
    ['where the finding stands elsewhere', { near: false }, /stands in another passage/],
  ])('%s', (_, parts, why) => {
    const gate = senderGate([witness(parts)]);
    expect(gate).toMatchObject({ name: 'sender', held: false, threshold: 5 });
    expect(gate.sentence).toMatch(why);
  });

  test('of no signal at all', () => {
    expect(senderGate([])).toMatchObject({ held: false, sentence: 'sender: no signal stands behind the decision.' });
  });

  test('where a stranger with better figures speaks, both reasons are named', () => {
    const { sentence } = senderGate([witness({ ...STRANGER, vouched: 'none', server: null, right: 2 })]);
    expect(sentence).toMatch(/it has 2 of 5 right outcomes here; no trusted server vouches for eve@evil/);
  });
});

describe('a reading', () => {
  test('in doubt is never acted upon alone, whoever sent it', () => {
    expect(readingGate([witness({ reading: 0.8499 })])).toMatchObject({ held: false, figure: 0.8499, threshold: 0.85 });
    expect(readingGate([witness({ reading: 0.85 })])).toMatchObject({ name: 'reading', held: true });
  });

  test('of a stranger makes nobody else’s sure', () => {
    const doubtful = witness({ reading: 0.7 });
    expect(readingGate([doubtful, witness({ ...STRANGER, reading: 1 })]).held).toBe(false);
    expect(readingGate([doubtful, witness({ reading: 0.9 })]).held).toBe(true);
  });
});

describe('of several signals', () => {
  test('one that may act is enough, and is the one that is named', () => {
    const gate = senderGate([witness({ ...STRANGER, right: 4 }), witness()]);
    expect(gate.held).toBe(true);
    expect(gate.sentence).toContain('names anna@notary.example');
  });

  test('the parts of two do not make one: known here and vouched for there', () => {
    const claimed = witness({ vouched: 'none', server: null });
    const stranger = witness(STRANGER);
    expect(senderGate([claimed, stranger]).held).toBe(false);
    expect(senderGate([witness({ evidence: ['name'] }), witness({ ...STRANGER, evidence: ['link'] })]).held).toBe(
      false,
    );
  });

  test('every one must be sure of its target, and near it', () => {
    expect(senderGate([witness(), witness({ ...STRANGER, targetConfidence: 0.7 })]).held).toBe(false);
    expect(senderGate([witness(), witness({ ...STRANGER, near: false })]).held).toBe(false);
    expect(senderGate([witness({ targetConfidence: 0.85 })]).held).toBe(true);
  });
});

const evidence = fc.subarray<TargetEvidence>([...TARGET_EVIDENCE]);
const anyWitness: fc.Arbitrary<Witness> = fc.record({
  source: fc.constantFrom(ANNA, 'mail:eve@evil.example', 'other'),
  sender: fc.constantFrom('anna@notary.example', 'eve@evil.example', 'other'),
  known: fc.constantFrom(...SENDER_STANDINGS),
  right: fc.nat({ max: 20 }),
  owed: fc.constantFrom(0, 0, 0, 1, 20),
  reading: fc.constantFrom(0.95, 0.85, 0.8, 0),
  vouched: fc.constantFrom(...AUTHENTICATION_RESULTS),
  server: fc.constantFrom('mx.notary.example', null),
  writer: fc.constantFrom('own', 'trusted', 'unknown'),
  evidence,
  near: fc.boolean(),
  targetConfidence: fc.oneof(fc.constantFrom(0.85, 0.8499, 1), fc.double({ min: 0, max: 1, noNaN: true })),
  endsMatter: fc.boolean(),
  doubt: fc.constantFrom(null, null, null, 'x-spam-flag marks it as spam or phishing.'),
});
const witnesses = fc.array(anyWitness, { maxLength: 6 });
/** Mostly such as may act, so that the laws are about gates that hold, too. */
const mostlyGood = fc.array(fc.oneof(fc.constant(witness()), fc.constant(witness(STRANGER)), anyWitness), {
  maxLength: 5,
});

const isLicensed = ({ known, vouched, owed, doubt, evidence: found }: Witness) =>
  owed === 0 &&
  doubt === null &&
  known !== 'unknown' &&
  vouched === 'pass' &&
  (found.length > 1 || found[0] === 'link' || found[0] === 'reference');

describe('laws', () => {
  test('the gate holds exactly where one may act, and all are sure and near', () => {
    let held = 0;
    fc.assert(
      fc.property(fc.oneof(witnesses, mostlyGood), (all) => {
        const isSure = all.every(({ near, targetConfidence }) => near && targetConfidence >= 0.85);
        const expected = all.some(isLicensed) && isSure;
        held += expected ? 1 : 0;
        expect(senderGate(all).held).toBe(expected);
      }),
      { numRuns: lawRuns() },
    );
    expect(held).toBeGreaterThan(lawRuns() / 40);
  });

  test.each<[string, Partial<Witness>]>([
    ['who is unknown', { known: 'unknown' }],
    ['who is not vouched for', { vouched: 'none' }],
    ['who is denied', { vouched: 'fail' }],
    ['whom nothing but a guess leads there', { evidence: ['words'] }],
    ['whose mail is in doubt', { doubt: 'x-spam-flag marks it as spam or phishing.' }],
  ])('nobody %s ever opens it, however many they are', (_, parts) => {
    fc.assert(
      fc.property(mostlyGood, (all) => !senderGate(all.map((one) => ({ ...one, ...parts }))).held),
      { numRuns: lawRuns() },
    );
  });

  test('a further signal never opens a gate that was closed for an unsure target or a far finding', () => {
    const doubt = fc.constantFrom<Partial<Witness>>({ targetConfidence: 0.5 }, { near: false });
    fc.assert(
      fc.property(mostlyGood, doubt, mostlyGood, (some, parts, more) => {
        const doubtful = [...some, witness(parts)];
        return !senderGate(doubtful).held && !senderGate([...doubtful, ...more]).held;
      }),
      { numRuns: lawRuns() },
    );
  });

  test('the order of the signals makes no difference, and a sentence always says why', () => {
    fc.assert(
      fc.property(mostlyGood, (all) => {
        const gate = senderGate(all);
        expect(senderGate(all.toReversed()).held).toBe(gate.held);
        expect(gate.sentence).toMatch(/^sender: .+\.$/);
      }),
    );
  });
});

describe('closing a matter', () => {
  const ends = (parts: Partial<Witness> = {}) => witness({ endsMatter: true, right: 10, ...parts });
  const closing = (openTasks: number, ...all: Witness[]) => closingGate({ openTasks, witnesses: all });

  test('by itself: no open task, the affair is said to have ended, by a source right ten times on it', () => {
    expect(closing(0, ends())).toMatchObject({ name: 'closing', held: true, figure: 10, threshold: 10 });
  });

  test('or by a trusted signal source', () => {
    expect(closing(0, ends({ writer: 'trusted', right: 0, evidence: ['link'] }))).toMatchObject({ held: true });
  });

  test.each<[string, number, Witness[], RegExp]>([
    ['one open task', 1, [ends()], /the matter has 1 open task\./],
    ['two open tasks, whoever says it', 2, [ends({ writer: 'trusted' })], /the matter has 2 open tasks\./],
    ['a payment', 0, [ends({ endsMatter: false })], /says that the whole affair has ended/],
    [
      'a source that was right nine times',
      0,
      [ends({ right: 9 })],
      /right 9 times on this matter; closing it needs 10/,
    ],
    ['no signal', 0, [], /says that the whole affair has ended/],
    ['an end that nobody vouches for', 0, [ends({ vouched: 'none' }), witness({ right: 30 })], /nobody known/],
    ['an end that a stranger tells', 0, [ends(STRANGER), witness({ right: 30 })], /nobody known and vouched for/],
    ['an end that only words lead here', 0, [ends({ evidence: ['words'] }), witness({ right: 30 })], /nobody known/],
    ['the end of one, the tenfold right of another', 0, [ends({ right: 9 }), witness({ right: 30 })], /right 9 times/],
  ])('not for %s', (_, openTasks, all, why) => {
    const gate = closing(openTasks, ...all);
    expect(gate.held).toBe(false);
    expect(gate.sentence).toMatch(why);
  });

  test('never with an open task, whoever speaks', () => {
    fc.assert(fc.property(witnesses, fc.integer({ min: 1, max: 9 }), (all, open) => !closing(open, ...all).held));
  });
});
