import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Catalogue } from '../../src/vault/index.ts';
import { Layout } from '../../src/vault/layout.ts';
import { noteText } from '../../src/vault/note-text.ts';
import { DEFAULT_MAPPING, type MatterRecord, readRecord, type VaultRecord } from '../../src/vault/record.ts';
import { lawRuns } from '../support/laws.ts';

const RUNS = lawRuns();
const STAT = { mtimeMs: 1, ctimeMs: 1, size: 1, ino: 1 };

const paths = ['matter/house.md', 'matter/boat.md', 'task/a.md', 'task/house.md'] as const;
const path = fc.constantFrom(...paths);
const link = fc.constantFrom('[[house]]', 'matter/house.md', '[[mill]]', '[[boat]]');
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('put'), path, link, aliases: fc.subarray(['mill', 'boat']) }) },
  fc.record({ do: fc.constant('remove'), path, link, aliases: fc.constant([]) }),
  fc.record({ do: fc.constantFrom(...paths.map((to) => `move to ${to}`)), path, link, aliases: fc.constant([]) }),
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

function entry({ path: file, link: parent, aliases }: Step): VaultRecord {
  const fields = file.startsWith('task') ? { type: 'task', parent_matter: parent } : { type: 'matter', aliases };
  return readRecord(new Layout(), DEFAULT_MAPPING, file, STAT, Buffer.from(noteText(fields, '')));
}

function happen(known: Catalogue, one: Step): void {
  if (one.do === 'put') known.put(entry(one));
  else if (one.do === 'remove') known.remove(one.path);
  else known.moves.remember(one.path, one.do.replace('move to ', ''));
}

test('LAW: after any changes a matter has the tasks that a program which remembers nothing would find', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 15 }), (steps) => {
      const known = new Catalogue();
      /** Matters as they were at some time: whoever holds one may still ask about it. */
      const held: MatterRecord[] = [];
      steps.forEach((one, at) => {
        happen(known, one);
        const put = known.get(one.path);
        if (put?.kind === 'matter') held.push(put);
        const afresh = () => {
          const made = new Catalogue();
          for (const each of steps.slice(0, at + 1)) happen(made, each);
          return made;
        };
        const tasksIn = (one: Catalogue, matter: MatterRecord) => one.tasksOf(matter).map((task) => task.path);
        for (const matter of held) {
          const now = afresh();
          const same = now.get(matter.path);
          const isNow = known.get(matter.path) === matter && same?.kind === 'matter';
          expect(tasksIn(known, matter)).toEqual(tasksIn(now, isNow ? same : matter));
        }
        for (const task of known.tasks()) expect(known.matterOf(task)?.path).toBe(afresh().matterOf(task)?.path);
      });
    }),
    { numRuns: RUNS },
  );
});
