import { expect, test } from 'vitest';
import { stem } from '../../src/vault/note-names.ts';
import { Clock, DAY } from '../support/clock.ts';
import { HOUSE, task } from '../support/notes.ts';
import { ownSignal } from '../support/own-signal.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only } from '../support/workspace.ts';

const TASK = 'task/pay.md';
const DUE = { class: 'context_edit', set: { due: '2035-12-09' } };
const LATER = { class: 'context_edit', set: { due: '2035-12-16' } };

function time(days: number): string {
  return new Date(Date.now() + days * DAY).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** A signal of the program's own, of a mail sent so many days from now, read from a file of its own. */
function told(name: string, days: number, proposal: object, quote: string): [string, string] {
  const path = `signal/${name}.md`;
  const fields = { origin_at: time(days), mutation_proposal: proposal, raw_quote: quote };
  return [path, ownSignal(path, { ...fields, source_event_path: `stream/${name}.eml` })];
}

async function vaultWith(...signals: [string, string][]) {
  const named = task({ senders: ['anna@notary.example'], due: '2035-12-01' });
  const vault = new TempVault({ ...HOUSE, [TASK]: named, ...Object.fromEntries(signals) });
  return { vault, bench: await Bench.open(vault, { clock: new Clock() }) };
}

test('a mail that is sent again does not set back what a newer one has moved', async () => {
  const { vault, bench } = await vaultWith(
    told('one', -3, DUE, 'moved to the 9th'),
    told('two', -1, LATER, 'the 16th'),
  );
  await bench.route('signal/one.md');
  await bench.route('signal/two.md');
  expect(vault.fields(TASK).due).toBe('2035-12-16');
  vault.write(...told('again', -3, DUE, 'moved to the 9th'));
  await bench.route('signal/again.md');
  expect(vault.fields(TASK)).toMatchObject({ due: '2035-12-16', pending_confirmation: true });
  expect(vault.events('signal-action-').filter((event) => /refuses: freshness: /.test(vault.read(event)))).toHaveLength(
    1,
  );
});

test('what was taken back is not done again because the same mail comes by another file', async () => {
  const { vault, bench } = await vaultWith(told('one', -3, DUE, 'moved to the 9th'));
  await bench.route('signal/one.md');
  await bench.undo(stem(only(vault.events())));
  expect(vault.fields(TASK).due).toBe('2035-12-01');
  vault.write(...told('again', -3, DUE, 'moved to the 9th'));
  await bench.tick();
  expect(vault.fields(TASK).due).toBe('2035-12-01');
});
