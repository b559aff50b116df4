import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NamePostings, PathNumbers, Postings } from '../../../src/vault/catalogue.ts';
import { lawRuns } from '../../support/laws.ts';

test('LAW: what is posted under a key is what was added and not removed, few or many, in the order of the paths', () => {
  const act = fc.record({ add: fc.boolean(), key: fc.constantFrom('a', 'b'), nth: fc.nat({ max: 90 }) });
  const acts = fc.array(
    fc.oneof(
      act,
      act.map((one) => ({ ...one, add: true })),
    ),
    { maxLength: 400, size: 'max' },
  );
  fc.assert(
    fc.property(acts, (all) => {
      const numbers = new PathNumbers();
      const [postings, model] = [new Postings(numbers), new Map<string, Set<string>>()];
      for (const { add, key, nth } of all) {
        const path = `task/${nth}.md`;
        const known = model.get(key) ?? new Set();
        if (add) {
          postings.add(key, numbers.give(path));
          known.add(path);
        } else {
          postings.remove(key, numbers.of(path) ?? -1);
          known.delete(path);
        }
        if (known.size > 0) model.set(key, known);
        else model.delete(key);
      }
      expect([...postings.keys()].sort()).toEqual([...model.keys()].sort());
      for (const key of ['a', 'b']) expect(postings.get(key)).toEqual([...(model.get(key) ?? [])].sort());
    }),
    { numRuns: lawRuns() },
  );
});

test('names that share a hash are told apart by their paths', () => {
  const numbers = new PathNumbers();
  const names = new NamePostings(numbers);
  // FNV-1a gives these two the same 32 bits.
  const [one, other] = ['costarring', 'liquid'];
  for (const path of ['task/costarring.md', 'task/Liquid.md', 'matter/liquid.md']) {
    names.add(path.includes('costarring') ? one : other, numbers.give(path));
  }
  expect(names.get(one)).toEqual(['task/costarring.md']);
  expect(names.get(other)).toEqual(['matter/liquid.md', 'task/Liquid.md']);
  names.remove(other, numbers.of('task/Liquid.md') ?? -1);
  expect(names.get(other)).toEqual(['matter/liquid.md']);
  expect(names.get(one)).toEqual(['task/costarring.md']);
  expect(names.get('nobody')).toEqual([]);
});

test('a number that was released is given to another path, and means nothing else', () => {
  const numbers = new PathNumbers();
  const [one, other] = [numbers.give('a.md'), numbers.give('b.md')];
  numbers.release('a.md');
  expect([numbers.of('a.md'), numbers.path(one), numbers.size]).toEqual([undefined, '', 1]);
  expect([numbers.give('c.md'), numbers.path(one), numbers.path(other)]).toEqual([one, 'c.md', 'b.md']);
  expect([...numbers.paths()]).toEqual(['b.md', 'c.md']);
});
