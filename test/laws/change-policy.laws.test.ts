import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type MutationContext, permitProposal, transition } from '../../src/steward/change.ts';
import type { Yaml } from '../../src/vault/frontmatter.ts';
import { MUTATION_CLASSES, type MutationClass, mutationProposal, STATES } from '../../src/vault/record.ts';
import { parseLocalTime } from '../../src/vault/time.ts';
import { context } from '../steward/samples.ts';
import { lawRuns } from '../support/laws.ts';

/** The table of section 3, written down a second time: what each class may write, and by which operation. */
const TABLE: Record<MutationClass, Readonly<Record<string, readonly string[]>>> = {
  state_change: { state: ['set'], status: ['set'], completedDate: ['set'], snoozed_until: ['set'] },
  context_edit: {
    summary: ['set'],
    description: ['set'],
    owner: ['set'],
    due: ['set'],
    blocked_on: ['set', 'add', 'remove'],
    current_state: ['set'],
    stage: ['set', 'add', 'remove'], // as the settings list it
  },
  parent_matter: { parent_matter: ['set'] },
  related: { related_orgs: ['add', 'remove'], related_projects: ['add', 'remove'], related_to: ['add', 'remove'] },
};
const NEVER = ['type', 'id', 'steward', 'tags', 'discretion_threshold', 'pinned', 'iban'];

const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...Object.values(TABLE).flatMap((row) => Object.keys(row))) },
  { weight: 3, arbitrary: fc.constantFrom(...NEVER, ...NEVER.map((field) => field.toUpperCase()), ' tags', 'tags ') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...['title', 'mode', 'next_check_after', 'pending_confirmation', 'surface_class', 'aliases'],
      ...['senders', 'keywords', 'steward_schedule', '__proto__', 'constructor', 'toString', 'State', 'STATUS', ''],
    ),
  },
  { weight: 1, arbitrary: fc.string() },
);
const text = fc.oneof(
  fc.constantFrom(
    'done',
    'open',
    'snoozed',
    'archived',
    'resolved',
    'deleted',
    '2026-12-01',
    '9999-12-31',
    '2026-02-30',
  ),
  fc.constantFrom(
    '[[house]]',
    '[[anna]]',
    '[[../../etc/passwd]]',
    'house\nstate: done',
    '---',
    '!!js/function x',
    '{{x}}',
  ),
  fc.constantFrom('a\u0000b', 'a\u2028b', '\ud800', '\u202edone', 'x'.repeat(201), 'y'.repeat(2001)),
  fc.string(),
);
const value: fc.Arbitrary<Yaml> = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 1, arbitrary: fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.array(text, { maxLength: 3 })) },
  { weight: 1, arbitrary: fc.dictionary(fc.string(), fc.string(), { maxKeys: 2 }) },
);
const members = fc.oneof(text, fc.array(text, { maxLength: 4 }));
const proposal = fc
  .record({
    class: fc.constantFrom(...MUTATION_CLASSES),
    set: fc.dictionary(name, value, { maxKeys: 2 }),
    add: fc.dictionary(name, members, { maxKeys: 1 }),
    remove: fc.dictionary(name, members, { maxKeys: 1 }),
  })
  .map((parts) => mutationProposal.parse(parts));
const note: fc.Arbitrary<Partial<MutationContext>> = fc.record({
  kind: fc.constantFrom('task' as const, 'matter' as const),
  state: fc.constantFrom(...STATES),
  stateField: fc.constantFrom('state' as const, 'status' as const),
  fields: fc.dictionary(name, value, { maxKeys: 4 }),
  editable: fc.constantFrom(['stage'], ['stage', 'tags', 'type', 'iban', 'steward']),
  protectedFields: fc.constantFrom(['iban'], ['iban', 'Due']),
});

describe('whatever is proposed', () => {
  test('nothing outside the table of the classes is ever permitted', () => {
    fc.assert(
      fc.property(proposal, note, (asked, parts) => {
        const answer = permitProposal(asked, context(parts));
        if (!answer.ok) return;
        for (const edit of answer.edits) {
          expect(Object.keys(TABLE[asked.class])).toContain(edit.field);
          expect(TABLE[asked.class][edit.field]).toContain(edit.op);
          expect(NEVER).not.toContain(edit.field.trim().toLowerCase());
          if (parts.protectedFields?.includes('Due')) expect(edit.field).not.toBe('due');
          if (parts.kind === 'matter') expect(['parent_matter', 'snoozed_until']).not.toContain(edit.field);
          if (edit.field === 'snoozed_until') expect([asked.set.state, asked.set.status]).toContain('snoozed');
        }
      }),
      { numRuns: lawRuns() },
    );
  });

  test('one part outside refuses the whole', () => {
    fc.assert(
      fc.property(proposal, note, (asked, parts) => {
        const answer = permitProposal(asked, context(parts));
        const named = [
          ...Object.keys(asked.set).map((field) => [field, 'set'] as const),
          ...Object.keys(asked.add).map((field) => [field, 'add'] as const),
          ...Object.keys(asked.remove).map((field) => [field, 'remove'] as const),
        ];
        const row = TABLE[asked.class];
        const outside = named.some(([field, op]) => !Object.hasOwn(row, field) || !row[field]?.includes(op));
        if (outside) expect(answer.ok).toBe(false);
      }),
      { numRuns: lawRuns() },
    );
  });

  test('what is written is of its type: states that are states, dates that are dates, links that lead somewhere', () => {
    fc.assert(
      fc.property(proposal, note, (asked, parts) => {
        const answer = permitProposal(asked, context(parts));
        if (!answer.ok) return;
        for (const edit of answer.edits) {
          const written = edit.op === 'set' ? [edit.value].flat() : edit.members;
          for (const one of edit.op === 'remove' ? [] : written)
            expect(JSON.stringify(one)).not.toMatch(/\\u0000|\u2028/);
          if (edit.op !== 'set') continue;
          if (edit.field === 'state' || edit.field === 'status') expect(STATES).toContain(edit.value);
          if (edit.field === 'due' || edit.field === 'snoozed_until')
            expect(parseLocalTime(String(edit.value))).not.toBeNull();
          if (edit.field === 'current_state') expect([...String(edit.value)].length).toBeLessThanOrEqual(200);
          if (edit.field === 'parent_matter') expect(String(edit.value)).toContain('house');
        }
      }),
      { numRuns: lawRuns() },
    );
  });
});

test('transitions: the whole table of contract 3.22', () => {
  const said = Object.fromEntries(STATES.map((from) => [from, STATES.map((to) => transition(from, to))]));
  expect(said).toEqual({
    //         open        snoozed      done         archived
    open: ['stays', 'moves', 'moves', 'moves'],
    snoozed: ['moves', 'stays', 'moves', 'moves'],
    done: ['reopens', 'forbidden', 'stays', 'moves'],
    archived: ['reopens', 'forbidden', 'forbidden', 'stays'],
  });
});
