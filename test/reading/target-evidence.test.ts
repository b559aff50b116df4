import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readByPhrases } from '../../src/reading/read-event.ts';
import type { TargetCandidate } from '../../src/reading/targets.ts';
import type { StreamEvent } from '../../src/steward/types.ts';
import { candidate, eventWith, HOUSE, sampleIndex } from '../support/events.ts';

const STRANGER = 'someone@elsewhere.example';
const PAY = 'task/Pay deposit invoice.md';

function meaningOf(parts: Partial<StreamEvent>, ...more: readonly TargetCandidate[]) {
  return readByPhrases(eventWith(parts), sampleIndex(...more)).meanings[0];
}

const invoice = (number: string, parts: Partial<TargetCandidate> = {}) =>
  candidate({ path: `task/Settle ${number}.md`, ...parts });

describe('a note is found by', () => {
  test.each<[string, Partial<StreamEvent>, string, readonly string[], readonly TargetCandidate[]]>([
    ['a link, which is also its name', { text: 'Completed: [[Pay deposit invoice]].' }, PAY, ['link', 'name'], []],
    [
      'a link by path',
      { text: 'task/foo.md was completed.' },
      'task/foo.md',
      ['link', 'name'],
      [candidate({ path: 'task/foo.md' })],
    ],
    ['no link, where that is in the history', { text: 'Completed.', quoted: '> [[Pay deposit invoice]]' }, PAY, [], []],
    [
      'no link, where the answered mail had it as its subject',
      { subject: 'Re: task/foo.md', text: 'It was completed.' },
      'task/foo.md',
      ['name'],
      [candidate({ path: 'task/foo.md' })],
    ],
    [
      'no link, where that may mean two notes',
      { text: 'Completed: [[Call]].' },
      'task/x/Call.md',
      ['name'],
      [candidate({ path: 'task/x/Call.md' }), candidate({ path: 'task/y/Call.md' })],
    ],
    [
      'a number of its own',
      { text: 'We thank you: INV-2041 and the whole account was paid.' },
      'task/Settle INV-2041.md',
      ['reference', 'keyword'],
      [invoice('INV-2041', { keywords: ['account'] })],
    ],
    [
      'its name',
      { text: 'The house insurance was renewed.' },
      'task/House insurance.md',
      ['name'],
      [candidate({ path: 'task/House insurance.md' })],
    ],
    [
      'its keyword',
      { text: 'The roof survey was completed.' },
      'task/Have it looked at.md',
      ['keyword'],
      [candidate({ path: 'task/Have it looked at.md', keywords: ['roof survey'] })],
    ],
    [
      'words in common only',
      { text: 'The thermostat of the boiler in your kitchen has been delivered.' },
      'task/Replace kitchen boiler thermostat.md',
      ['words'],
      [candidate({ path: 'task/Replace kitchen boiler thermostat.md' })],
    ],
    [
      'its matter’s name, and words that are not the matter’s',
      { text: 'House purchase: the deposit invoice has been paid.' },
      PAY,
      ['name', 'words'],
      [],
    ],
    [
      'words once, where its name has those of its matter',
      { text: 'The deed of sale house purchase has been completed.' },
      'task/House purchase papers.md',
      ['words'],
      [candidate({ path: 'task/House purchase papers.md', matterPath: HOUSE })],
    ],
  ])('%s', (_, event, path, evidence, more) => {
    const meaning = meaningOf({ from: STRANGER, ...event }, ...more);
    expect(meaning).toMatchObject({ target: path, targetEvidence: evidence });
  });

  test.each([
    ['its own sender', 'paul@roofer.example', 'paul@roofer.example'],
    ['its own sender’s domain', '@roofer.example', 'paul@roofer.example'],
  ])('%s', (_, sender, from) => {
    const roof = candidate({ path: 'task/Roof.md', senders: [sender] });
    expect(meaningOf({ from, text: 'The roof was finished.' }, roof)).toMatchObject({
      target: 'task/Roof.md',
      targetEvidence: ['sender', 'name'],
    });
  });

  test('its matter’s sender and its words', () => {
    expect(meaningOf({ text: 'The deposit invoice has been paid.' })).toMatchObject({
      target: PAY,
      targetEvidence: ['sender', 'words'],
    });
  });

  test('its sender alone', () => {
    expect(meaningOf({ text: 'Please send the papers.' })).toMatchObject({ target: HOUSE, targetEvidence: ['sender'] });
  });
});

test('law: no history that a mail carries is a link by which its note was found', () => {
  const piece = fc.constantFrom(
    '> ',
    '\n',
    '[[Pay deposit invoice]]',
    '[[House purchase|house]]',
    'task/Notary appointment.md',
  );
  fc.assert(
    fc.property(
      fc.array(fc.oneof(piece, fc.string())),
      fc.constantFrom('Completed.', 'The deposit was paid.'),
      (all, text) => {
        const meaning = meaningOf({ from: STRANGER, subject: `Re: ${all.join('')}`, text, quoted: all.join('') });
        expect(meaning?.targetEvidence ?? []).not.toContain('link');
      },
    ),
  );
});

describe('a number', () => {
  const TEXT = 'INV-2041 has been paid.';
  const evidenceWith = (...more: readonly TargetCandidate[]) =>
    meaningOf({ from: STRANGER, text: `Settle INV-2041: ${TEXT}` }, invoice('INV-2041'), ...more)?.targetEvidence;

  test('that another open note has as well is none', () => {
    expect(evidenceWith()).toContain('reference');
    const other = candidate({ path: 'matter/Supplier.md', keywords: ['inv-2041'] });
    expect(evidenceWith(other)).not.toContain('reference');
    expect(evidenceWith({ ...other, state: 'done' })).toContain('reference');
  });

  test('is looked for whole', () => {
    const text = 'Settle INV-2041-B: INV-2041-B has been paid.';
    expect(meaningOf({ from: STRANGER, text }, invoice('INV-2041'))?.targetEvidence ?? []).not.toContain('reference');
  });

  test('follows each change of its note', () => {
    const index = sampleIndex(invoice('INV-2041'));
    expect(index.byReference('inv-2041')).toBe('task/Settle INV-2041.md');
    index.add(invoice('INV-2041', { state: 'done' }));
    expect(index.byReference('inv-2041')).toBeNull();
    index.remove('task/Settle INV-2041.md');
    index.add(candidate({ path: 'task/Another.md', aliases: ['INV-2041'] }));
    expect(index.byReference('inv-2041')).toBe('task/Another.md');
    index.add(candidate({ path: 'task/Another.md' }));
    expect(index.byReference('inv-2041')).toBeNull();
  });
});
