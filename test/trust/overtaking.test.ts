import { expect, test } from 'vitest';
import { findInstinct } from '../../src/steward/instinct.ts';
import { HOUSE, task } from '../support/notes.ts';
import { ANNA, ownSignal } from '../support/own-signal.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only } from '../support/workspace.ts';

const EVE = 'eve@evil.example';
const DUE = { [ANNA]: '2035-12-20', [EVE]: '2035-12-30' } as const;

/** A vault where mails have proposed another day for a task, one after the other. */
async function told(...mails: readonly (readonly [sender: string, day: string])[]) {
  const vault = new TempVault({ ...HOUSE, 'task/pay.md': task({ due: '2035-12-01', senders: [ANNA] }) });
  const bench = await Bench.open(vault);
  for (const [nth, [pattern, due]] of mails.entries()) {
    const path = `signal/s${nth}.md`;
    const proposal = { class: 'context_edit', set: { due } };
    const said = { pattern, raw_quote: `${nth}`, effect_confidence: 0.8, target_evidence: ['words'] };
    vault.write(path, ownSignal(path, { ...said, mutation_proposal: proposal }));
    await bench.tick();
  }
  return { vault, bench };
}

function waiting(bench: Bench): unknown[] {
  return bench.openProposals().map(({ event }) => event.fields.changes.due?.after);
}

function rightAndWrong(bench: Bench, address: string): number[] {
  const { observations, wrong } = findInstinct(bench.ports, `mail:${address}`);
  return [observations, wrong];
}

test('what a stranger proposes takes nobody’s proposal off the list', async () => {
  const { vault, bench } = await told([ANNA, DUE[ANNA]], [EVE, DUE[EVE]]);
  expect(waiting(bench).toSorted()).toEqual([DUE[ANNA], DUE[EVE]]);
  await bench.dismiss(
    only(bench.openProposals().filter(({ event }) => event.fields.changes.due?.after === DUE[EVE])).event.path,
  );
  expect(vault.fields('task/pay.md').pending_confirmation).toBe(true);
  expect(await bench.confirm(only(bench.openProposals()).event.path)).toMatchObject({ outcome: 'confirmed' });
  expect(vault.fields('task/pay.md')).toMatchObject({ due: DUE[ANNA] });
  expect(vault.fields('task/pay.md').pending_confirmation).toBeUndefined();
});

test('a forged mail takes no proposal of the sender off the list, and the honest one is still answered', async () => {
  const vault = new TempVault({
    ...HOUSE,
    'steward.md': '---\ntrusted_mail_servers: [mx.notary.example]\n---\n',
    'task/pay.md': task({ due: '2035-12-01', senders: [ANNA] }),
  });
  const bench = await Bench.open(vault);
  const said = async (nth: number, fields: Readonly<Record<string, unknown>>) => {
    const path = `signal/s${nth}.md`;
    const proposal = { class: 'context_edit', set: { due: DUE[ANNA] } };
    const common = { raw_quote: `${nth}`, effect_confidence: 0.8, mutation_proposal: proposal };
    vault.write(path, ownSignal(path, { ...common, ...fields }));
    await bench.tick();
  };
  await said(0, { authenticated: 'none', authenticated_by: null });
  const honest = only(bench.openProposals()).event.path;
  await said(1, { authenticated: 'fail' });
  await said(2, { authenticated: 'fail' });
  const forged = bench.openProposals().filter(({ event }) => event.path !== honest);
  expect(bench.openProposals()).toHaveLength(2); // the later forged mail overtakes the earlier one
  await bench.dismiss(only(forged).event.path);
  expect(await bench.confirm(honest)).toMatchObject({ outcome: 'confirmed' });
});

test('whoever speaks again overtakes what they said before', async () => {
  const { bench } = await told([ANNA, '2035-12-19'], [ANNA, DUE[ANNA]]);
  expect(waiting(bench)).toEqual([DUE[ANNA]]);
});

test('a confirmation overtakes what everybody proposed for the field', async () => {
  const { vault, bench } = await told([ANNA, DUE[ANNA]], [EVE, DUE[EVE]]);
  await bench.confirm(
    only(bench.openProposals().filter(({ event }) => event.fields.changes.due?.after === DUE[ANNA])).event.path,
  );
  await bench.sweep();
  expect(waiting(bench)).toEqual([]);
  expect(vault.fields('task/pay.md').pending_confirmation).toBeUndefined();
});

test('nor does a stranger take an outcome from whoever was right', async () => {
  const { vault, bench } = await told([ANNA, DUE[ANNA]], [EVE, DUE[EVE]]);
  vault.edit('task/pay.md', '2035-12-01', DUE[ANNA]);
  await bench.learn();
  expect([rightAndWrong(bench, ANNA), rightAndWrong(bench, EVE)]).toEqual([
    [1, 0],
    [0, 1],
  ]);
});

test('and what one sender repeats is right once', async () => {
  const { vault, bench } = await told([EVE, DUE[EVE]], [EVE, DUE[EVE]], [ANNA, DUE[ANNA]], [EVE, DUE[EVE]]);
  vault.edit('task/pay.md', '2035-12-01', DUE[EVE]);
  await bench.learn();
  await bench.learn();
  expect([rightAndWrong(bench, ANNA), rightAndWrong(bench, EVE)]).toEqual([
    [0, 1],
    [1, 0],
  ]);
});
