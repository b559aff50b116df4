import { setTimeout as pause } from 'node:timers/promises';
import { onMachine, Stage } from '../test/support/stage.ts';
import type { Figure } from './table.ts';

/** A host is stopped past its lease in the middle of a visit, another takes its vault and acts, and it goes on. */
export async function zombie(leaseS: number): Promise<Figure[]> {
  await using stage = await Stage.open();
  const a = await stage.host('a', {}, onMachine('fleet-a')).start('--lease', `${leaseS}`);
  const b = await stage.host('b', {}, onMachine('fleet-b')).start('--lease', `${leaseS}`);
  const vault = stage.vault('held', { settleSeconds: 15 });
  const [id = ''] = await a.add(vault.root);
  await a.says('visited', (event) => event.vault === id && event.code === null);
  // What was just written has to keep still, and the visit waits for it with the vault in its hand.
  vault.write('task/pay.md', vault.read('task/pay.md'));
  vault.signal(0);
  await a.until(() => vault.isVisited);
  await a.signal('SIGSTOP');
  const stopped = Date.now();
  await b.add('--take', vault.root);
  while (vault.events('signal-action').length === 0) await pause(50);
  const takenS = (Date.now() - stopped) / 1_000;
  await b.says('visited', (event) => event.vault === id && event.code === null);
  const before = vault.bytes();
  await a.signal('SIGCONT');
  const ended = await a.says('broken-off', (event) => event.vault === id);
  await a.signal('SIGTERM');
  const after = vault.bytes();
  const files = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...files].filter((file) => before[file] !== after[file]);
  return [
    { what: 'lease', value: leaseS, unit: 's', aim: null },
    { what: 'B acted, after A was stopped', value: takenS, unit: 's', aim: null },
    { what: 'files that A changed afterwards', value: changed.length, unit: changed.join(' '), aim: { is: 0 } },
    { what: "A's visit ended", value: ended.code, unit: '', aim: null },
    { what: 'event notes', value: vault.events('signal-action').length, unit: '', aim: { is: 1 } },
  ];
}
