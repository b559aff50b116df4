import { describe, expect, test } from 'vitest';
import { makePatch, makeRecipe, patchedFields, UNDO_WINDOW_MS } from '../../src/undo/recipe.ts';
import { planUndo, type UndoPlan } from '../../src/undo/undo.ts';
import { editFields, type FieldEdit } from '../../src/vault/edit.ts';
import { sha256 } from '../../src/vault/note-text.ts';

const NOTE = "---\nstate: 'open' # not yet\nowner: Robin\n\ndue: 2026-12-01\n---\nbody\n";
const DONE: FieldEdit = { op: 'set', field: 'state', value: 'done' };

function edited(text: string, edits: readonly FieldEdit[]) {
  const result = editFields('task/pay.md', text, edits);
  return { after: result.text, patch: makePatch('task/pay.md', text, result.text, result.patch) };
}

function restored(plan: UndoPlan): string {
  if (plan.kind !== 'restore') throw new Error(JSON.stringify(plan));
  return plan.text;
}

describe('the recipe', () => {
  test('holds the hashes of the whole notes, the exact former bytes, and its end', () => {
    const { after, patch } = edited(NOTE, [DONE, { op: 'set', field: 'summary', value: 'x' }]);
    expect(patch).toEqual({
      target: 'task/pay.md',
      before_sha256: sha256(NOTE),
      after_sha256: sha256(after),
      fields: {
        state: { before: 'open', after: 'done', before_source: "state: 'open' # not yet\n" },
        summary: { before: null, after: 'x', before_source: null },
      },
    });
    const now = Date.UTC(2026, 10, 21, 20, 19, 54);
    expect(makeRecipe(patch, now)).toEqual({
      expires_at: '2026-11-28T20:19:54Z',
      vault_patch: patch,
      plane_revert: null,
    });
    expect(UNDO_WINDOW_MS).toBe(7 * 24 * 60 * 60 * 1000);
    expect(patchedFields(patch)).toEqual({
      state: { before: 'open', after: 'done' },
      summary: { before: null, after: 'x' },
    });
  });
});

describe('the plan', () => {
  test('the field written in another way is no conflict, and comes back as it was', () => {
    const { after, patch } = edited(NOTE, [DONE]);
    expect(restored(planUndo(patch, after.replace(/state: .*/, 'state: "done"'), false))).toBe(NOTE);
  });

  test.each([
    ['state: open\n', 'state: done\n', 'state: done # paid by Kim\n', 'state: open # paid by Kim\n'],
    [
      "state: 'open' # not yet\n",
      'state: done # not yet\n',
      'state: done # paid\n',
      "state: 'open' # not yet # paid\n",
    ],
    ['state: open\r\n', 'state: done\r\n', 'state: done # paid\r\n', 'state: open # paid\r\n'],
    ['state: "a # b"\n', 'state: done\n', 'state: done # a\n', 'state: "a # b" # a\n'],
  ])('a comment that was typed beside the value stays: %j', (former, _, theirs, expected) => {
    const eol = former.endsWith('\r\n') ? '\r\n' : '\n';
    const note = (entry: string) => `---${eol}owner: Robin${eol}${entry}due: 2026-12-01${eol}---${eol}body${eol}`;
    const { after, patch } = edited(note(former), [DONE]);
    const typed = after.replace(/state: .*\r?\n/, theirs);
    const plan = planUndo(patch, typed, false);
    expect(restored(plan)).toBe(note(expected));
    if (plan.kind !== 'restore') return;
    expect(restored(planUndo(plan.inverse, plan.text, false))).toBe(typed);
  });

  test('a field that holds something else is a conflict that names both values', () => {
    const { after, patch } = edited(NOTE, [DONE, { op: 'set', field: 'owner', value: 'Kim' }]);
    const theirs = after.replace(/state: .*/, 'state: archived');
    expect(planUndo(patch, theirs, false)).toEqual({
      kind: 'conflict',
      conflicts: [{ field: 'state', wrote: 'done', found: 'archived' }],
    });
    expect(restored(planUndo(patch, theirs, true))).toBe(NOTE);
  });

  test('a field that a person took away is one too', () => {
    const { after, patch } = edited(NOTE, [DONE]);
    const theirs = after.replace(/state: .*\n/, '');
    expect(planUndo(patch, theirs, false)).toEqual({
      kind: 'conflict',
      conflicts: [{ field: 'state', wrote: 'done', found: null }],
    });
    expect(restored(planUndo(patch, theirs, true))).toContain("state: 'open' # not yet\n");
  });

  test('a note that cannot be read now is left alone, forced or not', () => {
    const { patch } = edited(NOTE, [DONE]);
    for (const force of [false, true]) expect(planUndo(patch, '---\nstate: [\n---\n', force).kind).toBe('unreadable');
  });

  test('frontmatter that the change made goes with it, unless a person has put a field there', () => {
    const { after, patch } = edited('just text\n', [DONE]);
    expect(restored(planUndo(patch, after, false))).toBe('just text\n');
    const theirs = after.replace('state: done\n', 'state: done\nmine: 1\n');
    expect(restored(planUndo(patch, theirs, false))).toBe('---\nmine: 1\n---\njust text\n');
  });
});
