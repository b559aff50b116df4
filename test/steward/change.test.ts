import { describe, expect, test } from 'vitest';
import {
  classifyChanges,
  type MutationContext,
  type Permission,
  permit,
  permitProposal,
} from '../../src/steward/change.ts';
import type { Yaml } from '../../src/vault/frontmatter.ts';
import { mutationProposal } from '../../src/vault/record.ts';
import { context } from './samples.ts';

const set = (field: string, value: Yaml) => ({ field, op: 'set' as const, value });
const add = (field: string, value: Yaml) => ({ field, op: 'add' as const, value });
const remove = (field: string, value: Yaml) => ({ field, op: 'remove' as const, value });

function allowed(permission: Permission) {
  if (!permission.ok) throw new Error(`refused: ${permission.reason}`);
  return permission;
}
function refusal(permission: Permission): string {
  if (permission.ok) throw new Error(`allowed: ${JSON.stringify(permission.edits)}`);
  return permission.reason;
}
const one = (field: string, value: Yaml, parts: Partial<MutationContext> = {}) =>
  permit([set(field, value)], context(parts));

describe('state', () => {
  test.each([
    ['open', 'snoozed'],
    ['snoozed', 'open'],
    ['open', 'done'],
    ['snoozed', 'done'],
    ['open', 'archived'],
    ['snoozed', 'archived'],
    ['done', 'archived'],
  ] as const)('%s → %s is decided', (state, to) => {
    const permission = allowed(one('state', to, { state, fields: { state } }));
    expect(permission.edits).toEqual([{ op: 'set', field: 'state', value: to }]);
    expect(permission.changes).toEqual({ state: { before: state, after: to } });
    expect(permission.needsPerson).toBe(false);
  });

  describe('snoozed, until a day', () => {
    const UNTIL = set('snoozed_until', '2026-12-24');
    const snoozed = { state: 'snoozed' as const, fields: { state: 'snoozed', snoozed_until: '2026-12-01' } };

    test('both are written together', () => {
      const permission = allowed(permit([set('state', 'snoozed'), UNTIL], context()));
      expect(permission.changes).toEqual({
        state: { before: null, after: 'snoozed' },
        snoozed_until: { before: null, after: '2026-12-24' },
      });
    });
    test('a snoozed note gets another day', () => {
      const permission = allowed(permit([set('state', 'snoozed'), UNTIL], context(snoozed)));
      expect(permission.changes).toEqual({ snoozed_until: { before: '2026-12-01', after: '2026-12-24' } });
    });
    test.each<[string, Parameters<typeof permit>[0], Parameters<typeof context>[0]]>([
      ['alone', [UNTIL], {}],
      ['with another state', [set('state', 'done'), UNTIL], {}],
      ['of a matter', [set('state', 'snoozed'), UNTIL], { kind: 'matter' }],
      ['that is no day', [set('state', 'snoozed'), set('snoozed_until', 'soon')], {}],
      ['that is protected', [set('state', 'snoozed'), UNTIL], { protectedFields: ['snoozed_until'] }],
    ])('not the day %s', (_, changes, parts) => {
      expect(refusal(permit(changes, context(parts)))).toContain('snoozed_until');
    });
    test('the day alone where the settings list it as editable', () => {
      expect(allowed(permit([UNTIL], context({ editable: ['snoozed_until'] }))).changes).toHaveProperty(
        'snoozed_until',
      );
    });
  });

  test.each(['done', 'archived'] as const)('%s → open is only proposed', (state) => {
    expect(allowed(one('state', 'open', { state, fields: { state } })).needsPerson).toBe(true);
  });

  test.each([
    ['archived', 'done'],
    ['archived', 'snoozed'],
    ['done', 'snoozed'],
  ] as const)('%s → %s is refused', (state, to) => {
    expect(refusal(one('state', to, { state, fields: { state } }))).toContain('state');
  });

  test('an absent state is open, and before is null', () => {
    expect(allowed(one('state', 'done')).changes).toEqual({ state: { before: null, after: 'done' } });
  });

  test('legacy words are understood and written in the program’s own', () => {
    expect(allowed(one('state', 'resolved')).edits).toEqual([{ op: 'set', field: 'state', value: 'done' }]);
    const done = { state: 'done' as const, fields: { state: 'completed' } };
    expect(allowed(one('state', 'done', done))).toMatchObject({ edits: [], changes: {} });
  });

  test('a note with status is written under status, with completedDate', () => {
    const notes = { stateField: 'status' as const, fields: { status: 'in-progress' } };
    const permission = allowed(one('state', 'done', notes));
    expect(permission.edits).toEqual([
      { op: 'set', field: 'status', value: 'done' },
      { op: 'set', field: 'completedDate', value: '2026-11-21' },
    ]);
    expect(permission.changes).toEqual({
      status: { before: 'in-progress', after: 'done' },
      completedDate: { before: null, after: '2026-11-21' },
    });
    expect(allowed(one('state', 'archived', notes)).edits).toHaveLength(1);
  });

  test('completedDate is written where the note has it, even empty, and not elsewhere', () => {
    const changes = [set('state', 'done'), set('completedDate', '2026-11-20')];
    expect(allowed(permit(changes, context({ fields: { completedDate: null } }))).changes.completedDate).toEqual({
      before: null,
      after: '2026-11-20',
    });
    expect(allowed(permit(changes, context())).changes).not.toHaveProperty('completedDate');
  });

  test('completedDate goes only with done, and must be real', () => {
    const has = { fields: { completedDate: '' } };
    expect(refusal(one('completedDate', '2026-11-20', has))).toContain('completedDate');
    expect(refusal(permit([set('state', 'archived'), set('completedDate', '2026-11-20')], context(has)))).toContain(
      'done',
    );
    expect(refusal(permit([set('state', 'done'), set('completedDate', '2026-02-30')], context()))).toContain('date');
  });

  test('a protected completedDate is left alone', () => {
    const parts = { stateField: 'status' as const, protectedFields: ['completedDate'] };
    expect(allowed(one('state', 'done', parts)).edits).toHaveLength(1);
  });

  test('nonsense, lists, and two states are refused', () => {
    expect(refusal(one('state', 'deleted'))).toContain('state');
    expect(refusal(one('state', true))).toContain('state');
    expect(refusal(permit([add('state', ['done'])], context()))).toContain('state');
    expect(refusal(permit([set('state', 'done'), set('status', 'archived')], context()))).toContain('state');
    expect(allowed(permit([set('state', 'done'), set('status', 'done')], context())).edits).toHaveLength(1);
  });
});

describe('protected fields', () => {
  test.each(['type', 'id', 'steward', 'tags', 'Tags', 'TYPE', 'discretion_threshold', 'pinned'])('%s', (field) => {
    expect(refusal(one(field, 'x', { editable: [field] }))).toContain('protected');
  });

  test('the settings add to them, and win over every class', () => {
    expect(refusal(one('due', '2026-12-01', { protectedFields: ['Due'] }))).toContain('due');
    expect(refusal(one('state', 'done', { protectedFields: ['status'], stateField: 'status' }))).toContain('protected');
    expect(refusal(permit([add('related_to', ['[[anna]]'])], context({ protectedFields: ['related_to'] })))).toContain(
      'related_to',
    );
  });

  test('state and status are one, under whichever name they are protected', () => {
    const status = { stateField: 'status' as const, fields: { status: 'open' }, protectedFields: ['state'] };
    expect(refusal(one('state', 'done', status))).toContain('protected');
  });

  test('a field every object answers to is absent all the same', () => {
    const permission = allowed(one('constructor', 'ACME', { editable: ['constructor'] }));
    expect(permission.changes).toEqual({ constructor: { before: null, after: 'ACME' } });
  });

  test.each([
    'title',
    'next_check_after',
    'snoozed_until',
    'pending_confirmation',
    '__proto__',
    'constructor',
    'surface_class',
  ])('%s is nobody’s to write', (field) => expect(refusal(one(field, 'x'))).toContain(field));
});

describe('context edits', () => {
  test('one forbidden part refuses the whole', () => {
    expect(permit([set('summary', 'fine'), set('tags', 'x')], context()).ok).toBe(false);
    expect(permit([set('state', 'done'), set('due', 'soon')], context()).ok).toBe(false);
  });

  test.each(['2026-12-01', '2026-12-01T09:00:00', '2028-02-29'])('due %s', (due) => {
    expect(allowed(one('due', due)).edits).toEqual([{ op: 'set', field: 'due', value: due }]);
  });
  test.each(['tomorrow', '2026-02-29', '2026-13-01', '2026-12-01T25:00:00', '', 20261201, null, true, ['2026-12-01']])(
    'not due %j',
    (due) => expect(refusal(one('due', due))).toContain('due'),
  );
  test('a due time with an offset becomes local', () => {
    expect(allowed(one('due', '2026-12-01T09:00:00Z')).changes.due?.after).toMatch(
      /^2026-\d\d-\d\dT\d\d:00:00$|:30:00$/,
    );
  });

  test('current_state is at most 200 characters, counted as a person counts', () => {
    expect(one('current_state', '🏠'.repeat(200)).ok).toBe(true);
    expect(refusal(one('current_state', 'x'.repeat(201)))).toContain('200');
  });
  test('other texts are at most 2000', () => {
    expect(one('summary', 'x'.repeat(2000)).ok).toBe(true);
    expect(refusal(one('summary', 'x'.repeat(2001)))).toContain('2000');
  });
  test.each([null, '', '  ', 7, true, ['a'], { a: 'b' }])('summary is not %j', (value) => {
    expect(refusal(one('summary', value))).toContain('summary');
  });
  test('control characters and half characters are refused; a summary may have lines', () => {
    expect(one('summary', 'a\nb').ok).toBe(true);
    expect(one('owner', 'a\nb').ok).toBe(false);
    expect(one('summary', 'a\u0000').ok).toBe(false);
    expect(one('summary', 'a\ud800').ok).toBe(false);
    expect(one('current_state', 'a\u2028b').ok).toBe(false);
  });
  test('an owner who is a link must exist', () => {
    expect(one('owner', '[[Anna]]').ok).toBe(true);
    expect(refusal(one('owner', '[[Mallory]]'))).toContain('Mallory');
  });

  test('blocked_on keeps the form the note has, and can be added to', () => {
    expect(allowed(one('blocked_on', 'the bank')).changes.blocked_on?.after).toBe('the bank');
    const list = context({ fields: { blocked_on: ['[[bob]]'] } });
    expect(allowed(permit([set('blocked_on', 'the bank')], list)).changes.blocked_on?.after).toEqual(['the bank']);
    expect(allowed(permit([add('blocked_on', 'the bank')], list)).changes.blocked_on?.after).toEqual([
      '[[bob]]',
      'the bank',
    ]);
    expect(allowed(permit([remove('blocked_on', 'bob')], list)).changes.blocked_on?.after).toEqual([]);
    expect(permit([set('blocked_on', [])], list).ok).toBe(false);
    expect(permit([add('summary', ['x'])], context()).ok).toBe(false);
  });

  test('what the settings list is editable, in the type it has', () => {
    const parts = { editable: ['budget', 'stage', 'ready', 'watchers'], fields: { budget: 5 } };
    expect(allowed(one('budget', 7, parts)).changes).toEqual({ budget: { before: 5, after: 7 } });
    expect(refusal(one('budget', 'seven', parts))).toContain('budget');
    expect(one('stage', 'offer', parts).ok).toBe(true);
    expect(one('ready', true, parts).ok).toBe(true);
    expect(one('ready', Number.NaN, parts).ok).toBe(false);
    expect(one('ready', { a: 1 }, parts).ok).toBe(false);
    expect(permit([add('watchers', ['me'])], context(parts)).ok).toBe(true);
    expect(permit([add('budget', ['me'])], context(parts)).ok).toBe(false);
  });

  test('a value the note has already is no change', () => {
    expect(allowed(one('owner', 'Anna', { fields: { owner: 'Anna' } }))).toMatchObject({ edits: [], changes: {} });
  });

  test('two values for one field, or set and add at once, are refused', () => {
    expect(refusal(permit([set('owner', 'a'), set('owner', 'b')], context()))).toContain('owner');
    expect(refusal(permit([set('blocked_on', 'a'), add('blocked_on', 'b')], context()))).toContain('blocked_on');
  });
});

describe('links', () => {
  test('parent_matter goes to a matter that exists, written as a wikilink', () => {
    expect(allowed(one('parent_matter', 'house')).changes.parent_matter?.after).toBe('[[house]]');
    expect(allowed(one('parent_matter', 'matter/house.md')).changes.parent_matter?.after).toBe('[[matter/house]]');
    expect(refusal(one('parent_matter', 'castle'))).toContain('castle');
    expect(refusal(one('parent_matter', 'house', { kind: 'matter' }))).toContain('parent_matter');
    expect(refusal(permit([add('parent_matter', 'house')], context()))).toContain('parent_matter');
    expect(one('parent_matter', '[[house]] [[x]]').ok).toBe(false);
    expect(one('parent_matter', 'house\nevil: true').ok).toBe(false);
  });
  test('the same matter in another form is no change', () => {
    for (const parent_matter of ['[[House]]', '[[matter/house|The house]]', 'house', ['[[house]]']]) {
      expect(allowed(one('parent_matter', '[[house]]', { fields: { parent_matter } })).edits).toEqual([]);
    }
    const list = allowed(one('parent_matter', 'house', { fields: { parent_matter: ['[[trip]]'] } }));
    expect(list.changes.parent_matter?.after).toEqual(['[[house]]']);
  });

  test('related members are added once and removed as the note spells them', () => {
    const held = { fields: { related_to: ['[[Anna]]', '[[person/bob|Bob]]'] } };
    expect(allowed(permit([add('related_to', ['anna', 'acme', '[[acme]]'])], context(held))).edits).toEqual([
      { op: 'add', field: 'related_to', members: ['[[acme]]'] },
    ]);
    const removal = allowed(permit([remove('related_to', ['bob', 'nobody'])], context(held)));
    expect(removal.edits).toEqual([{ op: 'remove', field: 'related_to', members: ['[[person/bob|Bob]]'] }]);
    expect(removal.changes.related_to?.after).toEqual(['[[Anna]]']);
    const both = allowed(permit([add('related_to', 'acme'), remove('related_to', 'bob')], context(held)));
    expect(both.changes.related_to?.after).toEqual(['[[Anna]]', '[[acme]]']);
  });
  test('related lists are not replaced, and lead to notes that exist', () => {
    expect(refusal(permit([set('related_to', ['[[anna]]'])], context()))).toContain('related_to');
    expect(refusal(permit([add('related_to', ['[[ghost]]'])], context()))).toContain('ghost');
    expect(refusal(permit([add('related_orgs', [7])], context()))).toContain('related_orgs');
    expect(refusal(permit([add('related_to', 'acme'), remove('related_to', '[[acme]]')], context()))).toContain(
      'related_to',
    );
    expect(refusal(permit([add('related_to', 'acme')], context({ fields: { related_to: { a: 1 } } })))).toContain(
      'list',
    );
    expect(refusal(permit([add('related_to', Array(51).fill('[[acme]]'))], context()))).toContain('50');
  });
});

describe('proposals and classes', () => {
  test('a proposal that leaves its class is refused', () => {
    const sneaky = mutationProposal.parse({ class: 'context_edit', set: { summary: 'x', state: 'done' } });
    expect(refusal(permitProposal(sneaky, context()))).toContain('state');
    const fine = mutationProposal.parse({ class: 'related', add: { related_to: '[[anna]]' } });
    expect(permitProposal(fine, context()).ok).toBe(true);
  });
  test('classOf', () => {
    expect(classifyChanges([set('due', 'x')])).toBe('context_edit');
    expect(classifyChanges([set('due', 'x'), set('status', 'done')])).toBe('state_change');
    expect(classifyChanges([set('parent_matter', 'x')])).toBe('parent_matter');
    expect(classifyChanges([add('related_orgs', 'x')])).toBe('related');
    expect(classifyChanges([])).toBe('context_edit');
  });
  test('nothing asked is nothing refused', () => {
    expect(permit([], context())).toEqual({ ok: true, edits: [], changes: {}, needsPerson: false });
  });
});

describe('a proposal written by hand without a class', () => {
  test.each([
    [{ state: 'done' }, { class: 'state_change', set: { state: 'done' } }],
    [{ status: 'done', completedDate: '2026-12-09' }, { class: 'state_change' }],
    [{ due: '2026-12-09' }, { class: 'context_edit', set: { due: '2026-12-09' } }],
    [{ parent_matter: '[[house]]' }, { class: 'parent_matter' }],
  ])('sets these fields: %j', (raw, expected) => {
    expect(mutationProposal.parse(raw)).toMatchObject({ add: {}, remove: {}, ...expected });
  });

  test('is refused as a whole if its fields are of several classes', () => {
    const both = mutationProposal.parse({ state: 'done', due: '2026-12-09' });
    expect(refusal(permitProposal(both, context()))).toContain('due');
    const other = mutationProposal.parse({ state: 'done', tags: ['x'] });
    expect(refusal(permitProposal(other, context()))).toContain('tags');
  });

  test.each([{}, [], 'done', 7, { set: { state: 'done' } }, { class: 'state', set: {} }])(
    'is none where it is %j',
    (raw) => {
      expect(mutationProposal.safeParse(raw).success).toBe(false);
    },
  );
});

describe('an organisation without a note', () => {
  const added = (member: Yaml, field = 'related_orgs') => permit([add(field, member)], context());

  test.each([
    ['Northgate Notaries', '[[Northgate Notaries]]'],
    ['[[Northgate Notaries]]', '[[Northgate Notaries]]'],
    ['[[acme]]', '[[acme]]'],
  ])('%s is a member of related_orgs', (member, written) => {
    expect(allowed(added(member)).edits).toEqual([{ op: 'add', field: 'related_orgs', members: [written] }]);
  });

  test.each([
    '[[../../etc/passwd]]',
    'folder/Northgate',
    '[[Northgate#Section]]',
    '[[a|b]]',
    'https://northgate.example',
    'x'.repeat(101),
    'two\nlines',
    '<b>bold</b>',
    '![[picture]]',
  ])('%j is none', (member) => {
    expect(added(member).ok).toBe(false);
  });

  test.each(['related_to', 'related_projects'])('%s still needs one', (field) => {
    expect(refusal(added('Northgate Notaries', field))).toContain('there is no note');
  });
});
