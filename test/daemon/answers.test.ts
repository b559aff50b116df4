import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerAll, undoAll } from '../../src/daemon/answers.ts';
import { chosenProposals, type ProposalFilter } from '../../src/steward/find-event.ts';
import { withoutTimes } from '../crash/alike.ts';
import { Clock, HOUR } from '../support/clock.ts';
import { lawRuns } from '../support/laws.ts';
import { instinct, matter, settings, task, weak } from '../support/notes.ts';
import { writeRoofMail } from '../support/roof-mail.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

const ANY: ProposalFilter = { matter: null, class: null, minConfidence: null, source: null };
const PROPOSALS = {
  done: { class: 'state_change', set: { state: 'done' } },
  due: { class: 'context_edit', set: { due: '2035-12-24' } },
  related: { class: 'related', add: { related_to: ['[[house]]'] } },
} as const;

interface One {
  readonly matter: 'house' | 'boat';
  readonly asks: keyof typeof PROPOSALS;
  readonly sure: number;
  readonly source: 'mail' | 'slack';
  readonly byHand: 'nothing' | 'made' | 'moved' | 'deleted';
}

async function benchOf(ones: readonly One[], clock = new Clock()): Promise<{ vault: TempVault; bench: Bench }> {
  const vault = new TempVault({
    'steward.md': settings({ settle_seconds: 0 }),
    'matter/house.md': matter(),
    'matter/boat.md': matter(),
    'instinct/mail.md': instinct('mail'),
    'instinct/slack.md': instinct('slack'),
  });
  for (const [at, one] of ones.entries()) {
    vault.write(`task/t${at}.md`, task({ parent_matter: `[[${one.matter}]]`, due: '2035-12-01' }));
    const target = { target_path: `task/t${at}.md`, raw_quote: `quote ${at}`, source_type: one.source };
    const proposal = { mutation_proposal: PROPOSALS[one.asks], effect_confidence: one.sure };
    vault.write(`signal/s${at}.md`, weak({ ...target, ...proposal }));
  }
  const bench = await Bench.open(vault, { clock });
  await bench.tick();
  for (const [at, one] of ones.entries()) meddle(vault, `task/t${at}.md`, one);
  await bench.sweep();
  return { vault, bench };
}

function meddle(vault: TempVault, path: string, { byHand, asks }: One): void {
  if (byHand === 'deleted') vault.remove(path);
  if (byHand === 'made' && asks === 'done') vault.edit(path, 'state: open', 'state: done');
  if (byHand === 'made' && asks === 'due') vault.edit(path, '2035-12-01', '2035-12-24');
  if (byHand === 'moved') vault.edit(path, 'state: open', 'state: snoozed');
}

const one: fc.Arbitrary<One> = fc.record({
  matter: fc.constantFrom('house', 'boat'),
  asks: fc.constantFrom('done', 'due', 'related'),
  sure: fc.constantFrom(0.6, 0.65, 0.7),
  source: fc.constantFrom('mail', 'slack'),
  byHand: fc.constantFrom('nothing', 'nothing', 'made', 'moved', 'deleted'),
});
const filter: fc.Arbitrary<ProposalFilter> = fc.record({
  matter: fc.constantFrom(null, 'house', '[[boat]]'),
  class: fc.constantFrom(null, 'related', 'state_change'),
  minConfidence: fc.constantFrom(null, 0.65),
  source: fc.constantFrom(null, 'Mail'),
});

/**
 * What lies in the notes of people, and how each proposal ended; names and times of event notes aside. What is learnt is
 * aside too: answers in bulk are one gesture, and teach once at most.
 */
function ends({ vault, bench }: { vault: TempVault; bench: Bench }): unknown {
  const notes = Object.entries(vault.snapshot())
    .filter(([file]) => /^(task|matter)\//.test(file))
    .map(([file, text]) => [file, withoutTimes(text)]);
  const open = bench.openProposals().map(({ event, state }) => `${event.fields.target_path} ${state.kind}`);
  const siblings = vault.events().map((event) => {
    const { type, target_path: target, changes } = vault.fields(event);
    return JSON.stringify([type, target, changes]);
  });
  return { notes, open: open.sort(), siblings: siblings.sort() };
}

describe('many proposals at once', () => {
  test('LAW: in bulk is what one by one is, and each can be undone by itself', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(one, { minLength: 1, maxLength: 6 }),
        filter,
        fc.constantFrom('confirm' as const, 'dismiss' as const),
        async (ones, wanted, kind) => {
          const [bulk, single] = [await benchOf(ones), await benchOf(ones)];
          const names = chosenProposals(single.bench.ports, wanted).map(({ name }) => name);
          const answers = await answerAll(bulk.bench.ports, { kind, events: [], filter: wanted, dryRun: false });
          const outcomes: string[] = [];
          for (const name of names) outcomes.push((await single.bench[kind](name)).outcome);
          expect(answers.map(({ outcome }) => outcome)).toEqual(outcomes);
          expect(ends(bulk)).toEqual(ends(single));
          const made = answers.filter(({ outcome }) => outcome === 'confirmed').map(({ note }) => note ?? '');
          expect(new Set(made).size).toBe(made.length);
          const undone = await undoAll(bulk.bench.ports, {
            ...{ events: made, last: null, reason: null, force: false, dryRun: false },
          });
          expect(undone.map(({ outcome }) => outcome)).toEqual(made.map(() => 'reversed'));
        },
      ),
      { numRuns: lawRuns(12) },
    );
  });

  const plain: One = { matter: 'house', asks: 'done', sure: 0.65, source: 'mail', byHand: 'nothing' };
  test.each<[string, Partial<ProposalFilter>, number[]]>([
    ['all', {}, [0, 1, 2, 3]],
    ['of a matter', { matter: 'house' }, [0, 2, 3]],
    ['of a class', { class: 'related' }, [1, 3]],
    ['from a confidence on', { minConfidence: 0.65 }, [0, 1, 2]],
    ['of a source', { source: 'slack' }, [2]],
    ['of several at once', { matter: 'house', class: 'related', minConfidence: 0.6 }, [3]],
    ['none', { source: 'bank' }, []],
  ])('%s', async (_, wanted, expected) => {
    const { bench } = await benchOf([
      plain,
      { ...plain, matter: 'boat', asks: 'related' },
      { ...plain, source: 'slack', sure: 0.7 },
      { ...plain, asks: 'related', sure: 0.6 },
    ]);
    const chosen = chosenProposals(bench.ports, { ...ANY, ...wanted }).map(({ fields }) => fields.target_path);
    expect(chosen.sort()).toEqual(expected.map((at) => `task/t${at}.md`));
  });

  test('an unknown matter is an error, and nothing is done', async () => {
    const { vault, bench } = await benchOf([plain]);
    const before = vault.snapshot();
    const request = { kind: 'confirm' as const, events: [], filter: { ...ANY, matter: 'castle' }, dryRun: false };
    await expect(answerAll(bench.ports, request)).rejects.toMatchObject({ trouble: { code: 'matter-unknown' } });
    expect(vault.snapshot()).toEqual(before);
  });

  test('what cannot be done is told and does not hold up the rest', async () => {
    const { vault, bench } = await benchOf([{ ...plain, byHand: 'moved' }, plain, plain]);
    const answers = await answerAll(bench.ports, { kind: 'confirm', events: [], filter: ANY, dryRun: false });
    expect(answers.map(({ outcome }) => outcome)).toEqual(['conflict', 'confirmed', 'confirmed']);
    expect(vault.fields('task/t0.md').state).toBe('snoozed');
  });

  test('a dry run changes nothing', async () => {
    const { vault, bench } = await benchOf([plain, plain]);
    const before = vault.snapshot();
    const answers = await answerAll(bench.ports, { kind: 'confirm', events: [], filter: ANY, dryRun: true });
    expect(answers.map(({ outcome }) => outcome)).toEqual(['confirmed', 'confirmed']);
    expect(vault.snapshot()).toEqual(before);
  });
});

describe('the name of a note stands for the one event to which the answer can be given', () => {
  const DONE: One = { matter: 'house', asks: 'done', sure: 0.7, source: 'mail', byHand: 'nothing' };

  test('a proposal, once answered, leaves its name to the answer that can be taken back', async () => {
    const { vault, bench } = await benchOf([DONE]);
    expect((await bench.confirm('t0')).outcome).toBe('confirmed');
    await bench.sweep();
    expect((await bench.undo('t0')).outcome).toBe('reversed');
    expect(vault.fields('task/t0.md').state).toBe('open');
    await bench.sweep();
    await expect(bench.undo('t0')).rejects.toMatchObject({ trouble: { code: 'event-ambiguous' } });
  });

  test('a part of the names of several stands for the only one that can be undone', async () => {
    const { vault, bench } = await benchOf([DONE, { ...DONE, matter: 'boat' }]);
    await bench.confirm('t0');
    await bench.sweep();
    expect(await bench.undo('action')).toMatchObject({ outcome: 'reversed', target: 'task/t0.md' });
    expect(vault.fields('task/t0.md').state).toBe('open');
    await bench.sweep();
    await expect(bench.undo('action')).rejects.toMatchObject({ trouble: { code: 'event-ambiguous' } });
  });

  test('two proposals of one change are one: the older is answered, and the other is settled by it', async () => {
    const { vault, bench } = await benchOf([DONE]);
    const other = { target_path: 'task/t0.md', raw_quote: 'paid', source_type: 'slack', effect_confidence: 0.7 };
    vault.write('signal/other.md', weak({ ...other, mutation_proposal: PROPOSALS.done }));
    await bench.tick();
    expect(bench.openProposals()).toHaveLength(2);
    expect((await bench.confirm('t0')).outcome).toBe('confirmed');
    await bench.sweep();
    expect(vault.fields('task/t0.md').state).toBe('done');
    expect(bench.attention().decisions).toEqual([]);
  });

  test('an answer that signs no licence says so', async () => {
    const { bench } = await benchOf([DONE]); // somebody else wrote the signal
    const asked = { kind: 'confirm', events: ['t0'], always: true, dryRun: false } as const;
    const [given] = await answerAll(bench.ports, asked);
    expect(given).toMatchObject({ outcome: 'confirmed', message: expect.stringMatching(/No licence is signed by it/) });
  });

  test('several that can be answered, or an event that is only begun, are not guessed at', async () => {
    const { bench } = await benchOf([DONE, { ...DONE, matter: 'boat' }]);
    await expect(bench.confirm('steward-action')).rejects.toMatchObject({ trouble: { code: 'event-ambiguous' } });
    await bench.confirm('t0');
    await bench.sweep();
    await expect(bench.confirm('t0')).rejects.toMatchObject({ trouble: { code: 'event-unknown' } });
  });

  test('after an undo, the only proposal about the note that waits is meant', async () => {
    const { vault, bench } = await benchOf([DONE]);
    await bench.confirm('t0');
    await bench.sweep();
    await bench.undo('t0');
    await bench.sweep();
    await expect(bench.confirm('t0')).rejects.toMatchObject({
      trouble: { code: 'event-unknown', message: 'No event about "t0" waits to be confirmed.' },
    });
    writeRoofMail(vault, 'signal/again.md', { target_path: 'task/t0.md', raw_quote: 'It is done, truly.' });
    await bench.sweep();
    await bench.tick();
    await bench.sweep();
    expect(await bench.confirm('t0')).toMatchObject({ outcome: 'confirmed', target: 'task/t0.md' });
  });

  test('an hour in the name of another event is not taken for the name of a note', async () => {
    const clock = Clock.atNoon();
    clock.move(18 * HOUR); // `T06` in each name
    const { vault, bench } = await benchOf([DONE, { ...DONE, matter: 'boat' }], clock);
    expect(await bench.confirm('t0')).toMatchObject({ outcome: 'confirmed', target: 'task/t0.md' });
    await bench.sweep();
    await expect(bench.confirm('t0')).rejects.toMatchObject({ trouble: { code: 'event-unknown' } });
    expect(vault.fields('task/t1.md').state).toBe('open');
  });
});
