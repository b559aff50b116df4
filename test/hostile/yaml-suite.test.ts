import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editFields, type FieldEdit, restoreFields } from '../../src/vault/edit.ts';
import { StewardError } from '../../src/vault/errors.ts';
import { readNote } from '../../src/vault/frontmatter.ts';
import { Layout } from '../../src/vault/layout.ts';
import { DEFAULT_MAPPING, readRecord } from '../../src/vault/record.ts';
import { lawRuns } from '../support/laws.ts';
import { bestTime, LIMIT_MS } from '../support/own-time.ts';
import { notesOf, suiteCases } from './suite.ts';

const RUNS = lawRuns();
const FILES = ['matter/x.md', 'task/x.md', 'signal/x.md', 'event/steward-action-x.md', 'instinct/x.md'];
const REVERSAL = 'event/steward-action-reversed-x.md';
const NO_STAT = { mtimeMs: 0, ctimeMs: 0, size: 0, ino: 0 };
const layout = new Layout();

const CHANGES: readonly FieldEdit[][] = [
  [{ op: 'set', field: 'state', value: 'done' }],
  [
    { op: 'set', field: 'a', value: 'b: c' },
    { op: 'delete', field: 'state' },
  ],
  [{ op: 'add', field: 'related_to', members: ['[[x]]'] }],
];

/** Reads a note as every kind of record: it must be one, or be bad and say why. */
function readAsAll(text: string): void {
  const bytes = Buffer.from(text);
  for (const file of [...FILES, REVERSAL]) {
    const record = readRecord(layout, DEFAULT_MAPPING, file, NO_STAT, bytes);
    if (record.kind !== 'bad') continue;
    expect(record.trouble).toMatchObject({ file, code: expect.any(String), hint: expect.stringMatching(/\.$/) });
    expect(record.trouble.message).toMatch(/\.$/);
  }
  expect(bytes.equals(Buffer.from(text))).toBe(true);
}

/** Each edit must be exact and reversible to the byte, or be refused. Returns how many were made. */
function editAll(text: string): number {
  return CHANGES.filter((edits) => {
    try {
      const edited = editFields('task/x.md', text, edits);
      expect(restoreFields('task/x.md', edited.text, edited.patch).text).toBe(text);
      return true;
    } catch (error) {
      if (error instanceof StewardError) return false;
      throw error;
    }
  }).length;
}

describe('the public YAML test suite as frontmatter', () => {
  const cases = suiteCases();

  test('is all there', () => {
    expect(cases).toHaveLength(402);
    expect(cases.filter(({ fails }) => fails)).toHaveLength(94);
  });

  test.each(cases.map((one) => [one.id, one] as const))('%s', (_, one) => {
    for (const text of notesOf(one)) {
      readAsAll(text);
      editAll(text);
      expect(bestTime(() => readNote('task/x.md', Buffer.from(text)))).toBeLessThan(LIMIT_MS);
    }
  });

  test('what a YAML reader must refuse is not read as fields, but for a few known cases', () => {
    const accepted = cases.filter(({ fails, yaml }) => {
      // Text after the end of the document belongs to the note's body, not to the frontmatter.
      if (!fails || /^(?:---|\.\.\.)/m.test(yaml)) return false;
      return readNote('task/x.md', Buffer.from(`---\n${yaml}\n---\n`)).ok;
    });
    expect(accepted.map(({ id }) => id)).toEqual(KNOWN_LENIENT);
  });
});

/** Cases that js-yaml reads although the suite says that they are not YAML. Their edits are checked all the same. */
const KNOWN_LENIENT: readonly string[] = ['4JVG', 'DK95-1', 'H7J7', 'S98Z', 'SU5Z', 'Y79Y-0'];

describe('generated mutations of it', () => {
  const cases = suiteCases();
  const shred = fc.constantFrom(
    ...[
      '\n',
      '\r\n',
      '\r',
      '\t',
      ' ',
      ':',
      ': ',
      '- ',
      '? ',
      '#',
      ' #',
      '"',
      "'",
      '[',
      ']',
      '{',
      '}',
      ',',
      '&a ',
      '*a',
      '!',
      '!!str ',
    ],
    ...[
      '|',
      '>',
      '|+',
      '>-2',
      '%',
      '@',
      '`',
      '~',
      '---',
      '...',
      '<<: ',
      '\\',
      '\0',
      '\u0085',
      '\u2028',
      '\uFEFF',
      '🏠',
      '\ud800',
      '__proto__: ',
    ],
  );
  const mutation = fc.record({ at: fc.nat(), cut: fc.nat({ max: 6 }), put: fc.array(shred, { maxLength: 3 }) });
  const mutated = fc
    .tuple(fc.constantFrom(...cases), fc.nat({ max: 2 }), fc.array(mutation, { minLength: 1, maxLength: 5 }))
    .map(([one, nth, all]) =>
      all.reduce((text, { at, cut, put }) => {
        const place = 4 + (at % Math.max(1, text.length - 8));
        return text.slice(0, place) + put.join('') + text.slice(place + cut);
      }, notesOf(one)[nth] ?? ''),
    );

  test('are read or refused, edited exactly or not at all, each in no time', () => {
    let edits = 0;
    fc.assert(
      fc.property(mutated, (text) => {
        readAsAll(text);
        edits += editAll(text.toWellFormed());
        expect(bestTime(() => readNote('task/x.md', Buffer.from(text)))).toBeLessThan(LIMIT_MS);
      }),
      { numRuns: RUNS },
    );
    expect(edits).toBeGreaterThan(RUNS / 2);
  });
});
