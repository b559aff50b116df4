import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { orderFields, Shape } from '../../src/vault/answer-file.ts';
import { yamlValue } from '../../src/vault/records/values.ts';
import { eventFields, reversalFields } from '../../src/vault/records.ts';
import { matterFields, task, taskFields, taskOf } from '../../src/vault/records-task.ts';
import { instinctFields, signalFields } from '../../src/vault/status-words.ts';
import { lawRuns } from '../support/laws.ts';

const RUNS = lawRuns();

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(
      'open',
      'done',
      'high',
      'true',
      'false',
      'live',
      'unrouted',
      'task',
      'mutation',
      'reversed',
      'no',
      '',
    ),
    fc.constantFrom(
      'steward-action',
      'signal-action-reversed',
      '2026-11-21',
      0.5,
      0,
      1,
      2,
      -1,
      true,
      false,
      null,
      undefined,
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.record({ before: tie('value'), after: tie('value') }),
    fc.record(
      { class: fc.constantFrom('state_change', 'related'), set: tie('value'), add: tie('value') },
      { requiredKeys: ['class'] },
    ),
    fc.dictionary(fc.string({ maxLength: 4 }), tie('value'), { maxKeys: 3 }),
  ),
}));

const SCHEMAS: readonly (readonly [string, z.ZodType, readonly string[]])[] = [
  ['matter', matterFields, Object.keys(matterFields.shape)],
  ['task', task, Object.keys(taskFields.shape)],
  ['signal', signalFields, Object.keys(signalFields.shape)],
  ['event', eventFields, Object.keys(eventFields.shape)],
  ['reversal', reversalFields, Object.keys(reversalFields.shape)],
  ['order', orderFields, Object.keys(orderFields.shape)],
  ['instinct', instinctFields, Object.keys(instinctFields.shape)],
];

const SHAPES: Readonly<Record<string, Shape<unknown>>> = {
  matter: Shape.of(matterFields),
  task: Shape.made(taskFields, taskOf),
  signal: Shape.of(signalFields),
  event: Shape.of(eventFields),
  reversal: Shape.of(reversalFields),
  order: Shape.of(orderFields),
  instinct: Shape.of(instinctFields),
};
/** Values as people write most, and those that are almost such. */
const plain = fc.oneof(
  fc.array(fc.constantFrom('a', '', '[[b]]', 1, null), { maxLength: 3 }),
  fc.constantFrom('a', '', '../a.md', 'task/a.md', -0, 0.5, 1.5, true, 'true', null),
);
/** Keys that every object seems to have, and one that would change it. */
const ODD_KEYS = ['constructor', 'toString', '__proto__'];

/** Zero has no sign here: a shape keeps values that were read before, by their key. */
function withoutSign(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSign);
  if (Object.is(value, -0)) return 0;
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutSign(one)]));
}

describe('a shape, which reads field by field, says what its schema says of the whole, to the order of the fields', () => {
  test.each(SCHEMAS)('%s', (kind, schema, keys) => {
    const shape = SHAPES[kind] as Shape<unknown>;
    const good = { type: keys.includes('changes') ? 'steward-action' : undefined, timestamp: '2026-11-21T10:00:00Z' };
    const few = fc.dictionary(fc.constantFrom(...keys, 'other', ...ODD_KEYS), fc.oneof(value, plain), {
      maxKeys: 4,
      noNullPrototype: true,
    });
    const data = fc.tuple(few, fc.boolean()).map(([some, isWhole]) => ({ ...(isWhole ? good : {}), ...some }));
    const seen = { good: 0, bad: 0 };
    const law = fc.property(data, fc.boolean(), (one, isBare) => {
      const [whole, read] = [schema.safeParse(one), shape.read(isBare ? Object.assign(Object.create(null), one) : one)];
      expect(withoutSign(read)).toEqual(withoutSign(whole));
      expect(JSON.stringify(read.data)).toBe(JSON.stringify(whole.data));
      seen[whole.success ? 'good' : 'bad'] += 1;
    });
    fc.assert(law, { numRuns: RUNS });
    expect(Math.min(seen.good, seen.bad)).toBeGreaterThan(RUNS / 50);
  });

  test('what all notes share that lack a field cannot be changed through one of them', () => {
    const matter = Shape.of(matterFields);
    const lists = [matter.read({}), matter.read({})].map((read) => read.data?.aliases as string[]);
    expect(() => lists[0]?.push('x')).toThrow(TypeError);
    expect(lists).toEqual([[], []]);
  });
});

describe('a schema compiled says what it says uncompiled, of good and bad fields', () => {
  test.each(SCHEMAS)('%s', (_, schema, keys) => {
    const compiled = z.compile(schema, { strict: true });
    const good = { type: keys.includes('changes') ? 'steward-action' : undefined, timestamp: '2026-11-21T10:00:00Z' };
    const data = fc
      .dictionary(fc.constantFrom(...keys, 'other'), value, { maxKeys: 4 })
      .map((some) => ({ ...good, ...some }));
    const seen = { good: 0, bad: 0 };
    const law = fc.property(data, (one) => {
      const [plain, fast] = [schema.safeParse(one), compiled.safeParse(one)];
      expect(fast).toEqual(plain);
      seen[plain.success ? 'good' : 'bad'] += 1;
    });
    fc.assert(law, { numRuns: RUNS });
    expect(Math.min(seen.good, seen.bad)).toBeGreaterThan(RUNS / 50);
  });

  test('however many are read', () => {
    const shape = Shape.of(matterFields);
    const reads = Array.from({ length: 500 }, (_, index) => shape.read({ state: index % 2 === 0 ? 'open' : 'lost' }));
    for (const [index, read] of reads.entries()) expect(read).toEqual(reads[index % 2]);
  });
});

test('a value is whatever YAML has, to any depth', () => {
  for (const good of ['', 0, true, null, [], {}, [{ a: [null, { b: 1 }] }]])
    expect(yamlValue.safeParse(good).success).toBe(true);
  for (const bad of [undefined, () => 1, Symbol('x'), 1n, [undefined], { a: { b: () => 1 } }]) {
    expect(yamlValue.safeParse(bad).success).toBe(false);
  }
});
