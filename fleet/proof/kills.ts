import { setTimeout as pause } from 'node:timers/promises';
import { Stage } from '../test/support/stage.ts';
import type { Figure } from './table.ts';

const LONGEST_S = 4;
const DONE_WITHIN_MS = 120_000;

/** So many vaults with mail, while their host is killed so many times, each at a moment by chance. */
export async function kills(vaults: number, times: number): Promise<Figure[]> {
  await using stage = await Stage.open();
  const all = Array.from({ length: vaults }, (_, nth) => stage.vault(`v${nth}`));
  const host = await stage.host('a').start();
  await host.add(...all.map(({ root }) => root));
  const [resumed, moments]: [number[], number[]] = [[], []];
  let inHand = 0;
  for (let nth = 0; nth < times; nth += 1) {
    for (const vault of all.slice((nth * vaults) / times, ((nth + 1) * vaults) / times)) vault.mail();
    const moment = Math.random() * LONGEST_S;
    moments.push(moment);
    await pause(moment * 1_000);
    await host.signal('SIGKILL');
    const killed = Date.now();
    const held = all.filter(({ lock }) => lock !== null).map((vault) => ({ vault, lock: vault.lock }));
    inHand += held.length;
    await host.start();
    // Resumed: each vault that was in the hand has been taken anew, or done and given back.
    await until(() => held.every(({ vault, lock }) => vault.lock !== lock));
    resumed.push((Date.now() - killed) / 1_000);
  }
  await until(() => all.every(({ isDone }) => isDone));
  const notes = all.map((vault) => vault.events('signal-action').length);
  return [
    { what: 'vaults with mail', value: vaults, unit: '', aim: null },
    { what: 'kills', value: times, unit: `after ${moments.map((s) => s.toFixed(1)).join(', ')} s`, aim: null },
    { what: 'vaults in the hand of a killed host', value: inHand, unit: '', aim: null },
    { what: 'event notes of a vault, least', value: Math.min(...notes), unit: '', aim: { is: 1 } },
    { what: 'event notes of a vault, most', value: Math.max(...notes), unit: '', aim: { is: 1 } },
    {
      what: 'with exactly one event note',
      value: notes.filter((count) => count === 1).length,
      unit: '',
      aim: { is: vaults },
    },
    { what: 'resumed, with the start of the host, most', value: Math.max(...resumed), unit: 's', aim: { most: 25 } },
  ];
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + DONE_WITHIN_MS;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('not within two minutes');
    await pause(50);
  }
}
