import fc from 'fast-check';
import { expect, test } from 'vitest';
import { patchOf } from '../../src/undo/patch.ts';
import { planUndo } from '../../src/undo/plan.ts';
import { StewardError } from '../../src/vault/errors.ts';
import { editFields, type FieldEdit } from '../../src/vault/frontmatter/edit.ts';
import { readNote } from '../../src/vault/frontmatter/parse.ts';
import type { VaultPatch } from '../../src/vault/records/event.ts';

const RUNS = Number(process.env.LAW_RUNS ?? 400);
const FILE = 'task/pay.md';
const FIELDS = ['state', 'owner', 'due', 'summary', 'blocked_on', 'related_to'] as const;

// --- generators ------------------------------------------------------------------------------------------------------

const value = fc.constantFrom(
  'open',
  "'open'",
  '"open"',
  '2026-12-01',
  '42',
  'null',
  '~',
  '',
  '[a, b]',
  'a # why',
  '|\n  two\n  lines',
);
const line = fc.tuple(fc.constantFrom(...FIELDS, 'mine', 'Tags'), value).map(([key, text]) => ({ key, text }));
const note = fc
  .record({
    lines: fc.uniqueArray(line, { selector: ({ key }) => key, maxLength: 6 }),
    between: fc.constantFrom('', '\n', '# a comment\n'),
    eol: fc.constantFrom('\n', '\r\n'),
    body: fc.constantFrom('', 'body', 'body\n\n- [ ] x\n', '---\nno frontmatter\n'),
    bom: fc.constantFrom('', '\uFEFF'),
  })
  .map(({ lines, between, eol, body, bom }) => {
    const yaml = lines.map(({ key, text }) => `${key}: ${text}\n`).join(between);
    return bom + `---\n${yaml}---\n${body}`.replaceAll('\n', eol);
  });

const edit: fc.Arbitrary<FieldEdit> = fc.oneof(
  fc.record({
    op: fc.constant('set' as const),
    field: fc.constantFrom(...FIELDS),
    value: fc.constantFrom('done', 'a: b', '# no', 'yes', '2027-01-01', '', 'ü', 7, true, null),
  }),
  fc.record({
    op: fc.constantFrom('add' as const, 'remove' as const),
    field: fc.constantFrom('blocked_on', 'related_to'),
    members: fc.array(fc.constantFrom('a', '[[house]]', 'x, y'), { minLength: 1, maxLength: 2 }),
  }),
  fc.record({ op: fc.constant('delete' as const), field: fc.constantFrom(...FIELDS) }),
);
const edits = fc.uniqueArray(edit, { selector: ({ field }) => field, minLength: 1, maxLength: 3 });

/** The change as the steward makes it, or null where it is refused as not to be made exactly. */
function changed(text: string, list: readonly FieldEdit[]): { after: string; patch: VaultPatch } | null {
  try {
    const result = editFields(FILE, text, list);
    return result.changed ? { after: result.text, patch: patchOf(FILE, text, result.text, result.patch) } : null;
  } catch (error) {
    if (error instanceof StewardError) return null;
    throw error;
  }
}

// --- laws ------------------------------------------------------------------------------------------------------------

test('undo(change(note)) is the note, byte for byte, and undo(undo(change(note))) is change(note)', () => {
  let made = 0;
  fc.assert(
    fc.property(note, edits, (text, list) => {
      const change = changed(text, list);
      if (change === null) return;
      made += 1;
      const undone = planUndo(change.patch, change.after, false);
      expect(undone).toMatchObject({ kind: 'restore', text });
      if (undone.kind !== 'restore') return;
      expect(planUndo(undone.inverse, undone.text, false)).toMatchObject({ kind: 'restore', text: change.after });
    }),
    { numRuns: RUNS },
  );
  expect(made).toBeGreaterThan(RUNS / 3);
});

test('through JSON, as it stands in a note, the recipe is the same', () => {
  fc.assert(
    fc.property(note, edits, (text, list) => {
      const change = changed(text, list);
      if (change === null) return;
      const patch: VaultPatch = JSON.parse(JSON.stringify(change.patch));
      expect(planUndo(patch, change.after, false)).toMatchObject({ kind: 'restore', text });
    }),
    { numRuns: RUNS / 2 },
  );
});

test("a person's later change of another field, and of the text below, outlives the undo", () => {
  fc.assert(
    fc.property(note, edits, (text, list) => {
      const change = changed(text, list);
      const theirs = change && changed(`${change.after}typed since`, [{ op: 'set', field: 'mine', value: 'since' }]);
      if (change === null || theirs === null) return;
      const plan = attempt(() => planUndo(change.patch, theirs.after, false));
      if (plan?.kind !== 'restore') return; // refused whole is no loss
      expect(plan.text.endsWith('typed since')).toBe(true);
      const read = readNote(FILE, Buffer.from(plan.text));
      expect(read.ok && read.note.data.mine).toBe('since');
    }),
    { numRuns: RUNS },
  );
});

test('a field that a person changed since is never overwritten without force', () => {
  fc.assert(
    fc.property(note, edits, fc.constantFrom('theirs', 'also theirs'), (text, list, mine) => {
      const change = changed(text, list);
      const [field] = Object.keys(change?.patch.fields ?? {});
      if (change === null || field === undefined) return;
      const theirs = changed(change.after, [{ op: 'set', field, value: mine }]);
      if (theirs === null) return;
      const plan = planUndo(change.patch, theirs.after, false);
      expect(plan.kind).toBe('conflict');
      if (plan.kind === 'conflict')
        expect(plan.conflicts).toContainEqual(expect.objectContaining({ field, found: mine }));
    }),
    { numRuns: RUNS },
  );
});

function attempt<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof StewardError) return null;
    throw error;
  }
}
