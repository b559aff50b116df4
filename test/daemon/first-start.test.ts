import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { findInstinct } from '../../src/steward/instinct.ts';
import { trackRecord } from '../../src/steward/sender.ts';
import { noteText } from '../../src/vault/note-text.ts';
import { utc } from '../../src/vault/time.ts';
import { sweepAndRead } from '../streams/read-unread.ts';
import { HOUSE, matter, PAID_MAIL, settings, task } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

const EVE = 'mail:eve@evil.example';
const BILLING = 'mail:billing@roof.example';
const NAMES = ['one', 'two', 'three', 'four', 'five'];

/** A vault in which somebody laid five actions, one for each task, before the program ever ran on it. */
function laid(source: string, fields: Readonly<Record<string, unknown>>): TempVault {
  const files = NAMES.map((name): [string, string][] => [
    [`task/${name}.md`, task({ due: '2035-12-05' })],
    [`event/signal-action-2026-11-20T10-00-00Z-${name}.md`, action(name, source, fields)],
  ]);
  const identity = { '.steward/state/identity.json': JSON.stringify({ id: randomUUID() }) }; // the key has not met it
  return new TempVault({ ...HOUSE, ...identity, ...Object.fromEntries(files.flat()) });
}

function action(name: string, source: string, fields: Readonly<Record<string, unknown>>): string {
  const due = { before: '2035-12-01', after: '2035-12-20' };
  const patch = {
    ...{ target: `task/${name}.md`, before_sha256: 'a'.repeat(64), after_sha256: 'b'.repeat(64) },
    fields: { due: { ...due, before_source: 'due: 2035-12-01\n' } },
  };
  return noteText(
    {
      ...{ type: 'signal-action', timestamp: utc(Date.now() - 86_400_000), target: `[[${name}]]` },
      ...{ target_path: `task/${name}.md`, decision: 'context_edit', confidence: 0.9, mode: 'live', changes: { due } },
      source_contributions: { [source]: 1 },
      undo_recipe: { expires_at: '2099-01-01T00:00:00Z', vault_patch: patch, plane_revert: null },
      ...fields,
    },
    'An action.',
  );
}

test('what lay there when key and vault met may be answered, and is no right outcome of anybody', async () => {
  const vault = laid(EVE, { taught: 'right' });
  const bench = await Bench.open(vault);
  await bench.sweep();
  const target = bench.catalogue.get('task/one.md');
  if (target?.kind !== 'task') throw new Error('no task');
  expect(vault.fields('event/signal-action-2026-11-20T10-00-00Z-one.md').adopted).toHaveLength(1);
  expect(trackRecord(bench.ports, EVE, target).right).toBe(0);
});

test('nor has a hand contradicted what nobody knows to have been done', async () => {
  const bench = await Bench.open(laid(BILLING, {}));
  await bench.learn();
  expect(findInstinct(bench.ports, BILLING)).toMatchObject({ wrong: 0, status: 'pending' });
});

test('a box that came ticked with a copied vault signs no licence', async () => {
  const mail = { 'stream/paid.eml': PAID_MAIL, 'matter/house.md': matter({ senders: ['billing@roof.example'] }) };
  const vault = new TempVault({ ...HOUSE, ...mail, 'steward.md': settings({ settle_seconds: 0 }) });
  const here = await Bench.open(vault);
  await sweepAndRead(here);
  await here.tick();
  const [event = ''] = vault.events();
  const proposal = vault.read(event).replace(/^always: false$/m, 'always: true');
  expect(proposal).toMatch(/^always: true$/m);
  // Another machine has another key, and a copy without the vault's state another identity.
  const identity = { '.steward/state/identity.json': JSON.stringify({ id: randomUUID() }) };
  const copy = new TempVault({ ...HOUSE, ...mail, ...identity, [event]: proposal });
  const running = await Running.start(copy);
  await running.sync();
  expect(copy.fields(event).adopted ?? null).toBeNull();
  expect(copy.fields('task/pay.md').state).toBe('open');
  await running.ask({ op: 'answer', kind: 'confirm', events: ['this-vault'], dryRun: false });
  await running.sync();
  expect(copy.fields(event).adopted).toHaveLength(1);
  expect(copy.names('licence')).toEqual([]);
  expect(copy.fields('task/pay.md').state).toBe('done'); // a proposal may be confirmed, and that is all
  await running.heard('refused', ({ file, outcome }) => file === event && outcome === 'no licence');
});
