// Over 5 s: each example lives through many steps in a vault on disk.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stem } from '../../src/vault/layout.ts';
import { lawRuns } from '../support/laws.ts';
import { HOUSE, signal, task, weak } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, LIVE, SHADOW } from '../support/workspace.ts';

const NOTES = ['pay', 'call'] as const;
const KINDS = {
  strong: signal({ effect_confidence: 1 }),
  weak: weak(),
  asks: weak({ effect: 'action', mutation_proposal: null }),
  either: signal({ target_ambiguous: true, target_candidates: NOTES.map((name) => `task/${name}.md`) }),
} as const;

type Step =
  | { readonly do: 'signal'; readonly of: string; readonly kind: keyof typeof KINDS }
  | { readonly do: 'tick' }
  | { readonly do: 'answer'; readonly nth: number; readonly by: 'confirm' | 'dismiss' | 'choose' | 'undo' }
  | { readonly do: 'state'; readonly of: string; readonly to: string };

const name = fc.constantFrom(...NOTES);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('signal' as const),
      of: name,
      kind: fc.constantFrom('strong' as const, 'weak' as const, 'asks' as const, 'either' as const),
    }),
  },
  { weight: 4, arbitrary: fc.constant<Step>({ do: 'tick' }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      nth: fc.nat(20),
      by: fc.constantFrom('confirm' as const, 'dismiss' as const, 'choose' as const, 'undo' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('state' as const), of: name, to: fc.constantFrom('open', 'done') }),
  },
);

/** The events that were answered, by name. */
type Answered = Set<string>;

async function take(vault: TempVault, bench: Bench, one: Step, answered: Answered): Promise<void> {
  switch (one.do) {
    case 'signal':
      vault.write(
        `signal/s${vault.names('signal').length}.md`,
        KINDS[one.kind].replace('target_path: task/pay.md', `target_path: task/${one.of}.md`),
      );
      return;
    case 'tick':
      await bench.tick();
      return;
    case 'state':
      vault.write(`task/${one.of}.md`, vault.read(`task/${one.of}.md`).replace(/^state: .*$/m, `state: ${one.to}`));
      return;
    case 'answer': {
      const events = vault.events();
      const path = events[one.nth % Math.max(1, events.length)];
      const event = path === undefined ? undefined : stem(path);
      if (event === undefined || (/-(?:reversed)-/.test(event) && one.by !== 'undo')) return;
      const given = one.by === 'choose' ? await bench.choose(event, 'pay') : await bench[one.by](event);
      if (given.outcome === 'confirmed' || given.outcome === 'dismissed') answered.add(event);
      // An answer that is undone, by its own note or by the proposal's, leaves the proposal waiting again.
      if (given.outcome === 'reversed') {
        answered.delete(event);
        answered.delete(String(vault.fields(path ?? '').dismisses).replace(/^\[\[|\]\]$/g, ''));
      }
    }
  }
}

/** Lets the settle window pass, and the notes say what has become of them. */
async function settle(vault: TempVault, bench: Bench): Promise<void> {
  for (const [file, text] of Object.entries(vault.snapshot())) vault.write(file, text);
  await bench.follow();
}

test('LAW: an event note says that it waits exactly where the list says so, and what was answered waits nowhere', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(step, { minLength: 4, maxLength: 14 }), async (live, steps) => {
      const vault = new TempVault({ ...HOUSE, 'task/pay.md': task(), 'task/call.md': task() });
      const bench = await Bench.open(vault, { env: live ? LIVE : SHADOW });
      const answered: Answered = new Set();
      for (const one of steps) {
        await take(vault, bench, one, answered);
        await settle(vault, bench);
        const listed = bench.waiting().filter(({ kind }) => kind !== 'conflict');
        const saying = vault.events().filter((path) => vault.fields(path).waiting === true);
        expect(listed.map(({ event }) => event).sort()).toEqual(saying.map(stem).sort());
        expect(vault.events().filter((path) => vault.fields(path).pending_confirmation === true)).toEqual(saying);
        expect(listed.filter(({ event }) => answered.has(event ?? ''))).toEqual([]);
        const before = vault.snapshot();
        await bench.follow();
        expect(vault.snapshot()).toEqual(before);
      }
      bench.close();
    }),
    { numRuns: lawRuns(25) },
  );
});
