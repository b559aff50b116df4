import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ThingIndex, thingsNamed } from '../../src/reading/text.ts';

const NAMES = [
  ...['Pay the electricity bill', 'Dentist for Mira', 'Renew the car insurance', 'Zahnarzt für Jonas', 'Stromrechnung'],
  ...['Réserver le dentiste', 'Boiler and gas service', 'Rinnovare assicurazione auto', 'Fahrrad zur Werkstatt', ''],
];
const PATHS = ['task/a.md', 'task/b.md', 'task/c.md', 'task/d.md'];
/** All things that any of the notes can have, one by one and together. */
const ASKED = NAMES.map((name) => thingsNamed(name, null));

const note = fc.record({
  path: fc.constantFrom(...PATHS),
  name: fc.constantFrom(...NAMES),
  aliases: fc.array(fc.constantFrom(...NAMES), { maxLength: 2 }),
  keywords: fc.array(fc.constantFrom(...NAMES), { maxLength: 1 }),
});
const step = fc.oneof({ weight: 3, arbitrary: note }, fc.constantFrom(...PATHS));

it('what was added, replaced and removed in any order is found as in an index that is made fresh', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 24 }), (steps) => {
      const [kept, index] = [
        new Map<string, { path: string; name: string; aliases: string[]; keywords: string[] }>(),
        new ThingIndex([]),
      ];
      for (const each of steps) {
        if (typeof each === 'string') {
          index.remove(each);
          kept.delete(each);
        } else {
          index.add(each);
          kept.set(each.path, each);
        }
      }
      const fresh = new ThingIndex([...kept.values()]);
      for (const asked of ASKED) expect(index.naming(asked).toSorted()).toEqual(fresh.naming(asked).toSorted());
    }),
  );
});

it('a note is named by each of its things, once, and those of the rarest thing come first', () => {
  const index = new ThingIndex([
    { path: 'task/power.md', name: 'Pay the electricity bill', aliases: [], keywords: [] },
    { path: 'task/both.md', name: 'Electricity at the dentist', aliases: ['Dentist'], keywords: [] },
  ]);
  expect(index.naming(thingsNamed('electricity', 'en'))).toEqual(['task/both.md', 'task/power.md']);
  expect(index.naming(thingsNamed('The dentist had no electricity.', 'en'))).toEqual(['task/both.md', 'task/power.md']);
});

it('a thing that very many notes name leads to none of them, and to the others again when some are gone', () => {
  const many = Array.from({ length: 60 }, (_, nth) => ({
    path: `task/${nth}.md`,
    name: `Dentist ${nth}`,
    aliases: [],
    keywords: [],
  }));
  const index = new ThingIndex(many);
  const dentist = thingsNamed('dentist', 'en');
  expect(index.naming(dentist)).toEqual([]);
  for (const { path } of many.slice(2)) index.remove(path);
  expect(index.naming(dentist)).toEqual(['task/0.md', 'task/1.md']);
});
