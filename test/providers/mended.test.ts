import fc from 'fast-check';
import { expect, test } from 'vitest';
import { extraction, mended } from '../../src/providers/extractor.ts';

const SIGNAL = {
  ...{ note: 'c1', or_notes: [], note_confidence: 0.9, quote: 'has been paid', effect_confidence: 0.95 },
  ...{ changes: [{ field: 'state', op: 'set', value: 'done' }], reasoning: 'The bank says so.' },
};
const SOUND = { signals: [SIGNAL] };
const { changes: _, ...BARE } = SIGNAL;

test.each([
  ['as it was asked for', SOUND],
  ['the list alone', [SIGNAL]],
  ['one signal alone', SIGNAL],
  ['one signal in place of the list', { signals: SIGNAL }],
  ['the list as text', { signals: JSON.stringify([SIGNAL]) }],
  ['figures as text', { signals: [{ ...SIGNAL, note_confidence: '0.9', effect_confidence: '95 %' }] }],
  ['a name in capitals', { signals: [{ ...SIGNAL, note: ' C1 ', or_notes: '' }] }],
  ['a field left out', { signals: [{ ...SIGNAL, or_notes: undefined }] }],
  ['one change in place of the list', { signals: [{ ...SIGNAL, changes: SIGNAL.changes[0] }] }],
  ['a table of fields', { signals: [{ ...SIGNAL, changes: { state: 'done' } }] }],
  ['the change beside the quote', { signals: [{ ...BARE, field: 'state', value: 'done' }] }],
  ['a change without its operation', { signals: [{ ...SIGNAL, changes: [{ field: 'state', value: 'done' }] }] }],
  ['fields that nobody asked for', { thoughts: 'Hm.', signals: [{ ...SIGNAL, kind: 'task' }] }],
])('%s says the same', (_, said) => {
  expect(extraction.parse(said)).toEqual(SOUND);
});

test('nothing is nothing, however it is written', () => {
  for (const said of [{ signals: [] }, { signals: null }, { signals: '' }, []])
    expect(extraction.parse(said)).toEqual({ signals: [] });
});

test('a confidence that is not said is too little for anything but a proposal', () => {
  const { note_confidence: _one, effect_confidence: _other, ...said } = SIGNAL;
  expect(extraction.parse(said).signals[0]).toMatchObject({ note_confidence: 0.5, effect_confidence: 0.5 });
});

test.each([
  ['nothing at all', {}],
  ['a confidence in words', { signals: [{ ...SIGNAL, effect_confidence: 'high' }] }],
  ['a confidence beyond certainty', { signals: [{ ...SIGNAL, effect_confidence: '250 %' }] }],
  ['an operation of its own', { signals: [{ ...SIGNAL, changes: [{ field: 'state', op: 'run', value: 'x' }] }] }],
  ['a note that is no text', { signals: [{ ...SIGNAL, note: 1 }] }],
])('%s stays unusable', (_, said) => expect(extraction.safeParse(said).success).toBe(false));

test('whatever is said, it is mended once and for all, and nothing is made up', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (said) => {
      const once = mended(said);
      expect(mended(once)).toEqual(once);
    }),
  );
});
