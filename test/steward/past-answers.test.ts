import { expect, test } from 'vitest';
import { pastAnswers } from '../../src/steward/sender.ts';
import { syncTargets } from '../../src/streams/target-sync.ts';
import { eventWith } from '../support/events.ts';
import { HOUSE, task } from '../support/notes.ts';
import { ANNA, ownLicence, ownSignal } from '../support/own-signal.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only } from '../support/workspace.ts';

const SOURCE = `mail:${ANNA}`;

/** Has Anna's mail propose that a task is done; returns the proposal. */
async function proposed(vault: TempVault, bench: Bench, name: string): Promise<string> {
  vault.write(`task/${name}.md`, task());
  const path = `signal/${name}.md`;
  vault.write(path, ownSignal(path, { target_path: `task/${name}.md`, raw_quote: name, target_evidence: ['words'] }));
  await bench.tick();
  return only(bench.openProposals()).event.path;
}

async function remembered(bench: Bench, source = SOURCE) {
  await bench.sweep();
  return pastAnswers(bench.ports, source).map(({ note, isRight }) => `${isRight ? 'right' : 'wrong'} ${note}`);
}

test('what was confirmed is right, what was dismissed is wrong, and an answer that was undone says nothing', async () => {
  const vault = new TempVault(HOUSE);
  const bench = await Bench.open(vault);
  await bench.confirm(await proposed(vault, bench, 'pay'));
  await bench.dismiss(await proposed(vault, bench, 'sign'));
  expect(await remembered(bench)).toEqual(['right task/pay.md', 'wrong task/sign.md']);
  expect(await remembered(bench, 'mail:somebody@else.example')).toEqual([]);
  const [confirmation = ''] = vault.events('steward-action-confirmed');
  await bench.undo(confirmation);
  expect(await remembered(bench)).toEqual(['wrong task/sign.md']);
});

test('"not now" says nothing', async () => {
  const vault = new TempVault(HOUSE);
  const bench = await Bench.open(vault);
  await proposed(vault, bench, 'pay');
  await bench.answerAll({
    kind: 'dismiss',
    filter: { matter: null, class: null, minConfidence: null, source: null },
    later: true,
  });
  expect(await remembered(bench)).toEqual([]);
});

test('an answer that somebody forged says nothing', async () => {
  const vault = new TempVault(HOUSE);
  const bench = await Bench.open(vault);
  await bench.confirm(await proposed(vault, bench, 'pay'));
  const [path = ''] = vault.events('steward-action-confirmed');
  const copy = vault.read(path).replaceAll('task/pay', 'task/other');
  vault.write('event/steward-action-confirmed-2026-11-20T08-00-00Z-other.md', copy);
  expect(await remembered(bench)).toEqual(['right task/pay.md']);
});

test('a change that was made and undone is wrong', async () => {
  const vault = new TempVault({
    ...HOUSE,
    'licence/anna.md': ownLicence('licence/anna.md'),
    'task/pay.md': task(),
    'signal/one.md': ownSignal('signal/one.md'),
  });
  const bench = await Bench.open(vault);
  await bench.tick();
  const made = only(vault.events());
  expect(await remembered(bench)).toEqual([]);
  await bench.undo(made);
  expect(await remembered(bench)).toEqual(['wrong task/pay.md']);
});

test('a mail is read with the answers about its sender, but not if somebody only claims to be that sender', async () => {
  const vault = new TempVault(HOUSE);
  const bench = await Bench.open(vault);
  await bench.confirm(await proposed(vault, bench, 'pay'));
  await bench.sweep();
  const { answers } = syncTargets(bench.ports);
  const vouched = { result: 'pass', server: 'mx.example', reason: 'dmarc=pass' } as const;
  expect(answers?.(eventWith({ from: ANNA, authentication: vouched }))).toHaveLength(1);
  expect(answers?.(eventWith({ from: ANNA }))).toEqual([]);
});
