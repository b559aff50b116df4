import { describe, expect, test } from 'vitest';
import { handSays } from '../../../src/steward/learning.ts';
import type { Frontmatter } from '../../../src/vault/records/values.ts';
import type { Changes } from '../../../src/vault/records.ts';

const DONE: Changes = {
  state: { before: 'open', after: 'done' },
  completedDate: { before: null, after: '2026-11-20' },
};
const DUE: Changes = { due: { before: '2026-12-01', after: '2026-12-08' } };
const LONG = 'long '.repeat(2000);

/** What a note says of a change that was only proposed, and of the same change where it was made. */
function said(changes: Changes, fields: Frontmatter, isWhole = true) {
  const seen = { fields, isWhole };
  return [handSays({ changes, acted: false }, seen), handSays({ changes, acted: true }, seen)];
}

describe('what a note says of a change: proposed, and made', () => {
  test.each<[string, Changes, Frontmatter, ReturnType<typeof said>]>([
    ['as it was', DUE, { due: '2026-12-01' }, [null, 'otherwise']],
    ['as decided', DUE, { due: '2026-12-08' }, ['right', null]],
    ['something else', DUE, { due: '2026-12-24' }, ['otherwise', 'otherwise']],
    ['the field is gone', DUE, {}, ['otherwise', 'otherwise']],
    ['done on another day', DONE, { state: 'done', completedDate: '2026-11-23' }, ['right', null]],
    ['done in other words', DONE, { status: 'Completed' }, ['right', null]],
    ['ended otherwise', DONE, { state: 'archived' }, ['otherwise', 'otherwise']],
    ['one of two fields', { ...DONE, ...DUE }, { state: 'done', due: '2026-12-01' }, [null, 'otherwise']],
    ['both fields', { ...DONE, ...DUE }, { state: 'done', due: '2026-12-08' }, ['right', null]],
    ['a field like a name of every object', { constructor: { before: null, after: 'x' } }, {}, [null, 'otherwise']],
  ])('%s', (_, changes, fields, expected) => expect(said(changes, fields)).toEqual(expected));

  test('a record that may lack the field says nothing', () => {
    expect(said(DUE, {}, false)).toEqual([null, null]);
  });

  test('a list that gained or lost other members says nothing new: only its own members tell', () => {
    const added = { related_to: { before: ['[[a]]'], after: ['[[a]]', '[[folder/b]]'] } };
    const held = (members: readonly string[]) => said(added, { related_to: [...members] });
    expect(held(['[[a]]', '[[b]]', '[[c]]'])).toEqual(['right', null]);
    expect(held(['[[c]]'])).toEqual([null, 'otherwise']);
    expect(held([])).toEqual([null, 'otherwise']);
  });

  test('a value too long for an event note is told by its beginning; two with one beginning cannot be told apart', () => {
    const cut = `${LONG.slice(0, 100)}`;
    expect(said({ summary: { before: 'short', after: LONG } }, { summary: LONG })).toEqual(['right', null]);
    expect(said({ summary: { before: cut, after: LONG } }, { summary: 'else' })).toEqual(['otherwise', 'otherwise']);
    expect(said({ summary: { before: `${LONG}a`, after: `${LONG}b` } }, { summary: `${LONG}a` })).toEqual([null, null]);
  });
});
