import { setTimeout as pause } from 'node:timers/promises';
import { Stage } from '../test/support/stage.ts';
import type { Figure } from './table.ts';

const PERIOD_S = 60;

/** The server is killed for so many seconds: half of the vaults fall due meanwhile, in the others something changes. */
export async function outage(vaults: number, seconds: number): Promise<Figure[]> {
  await using stage = await Stage.open();
  const half = Math.ceil(vaults / 2);
  const due = Array.from({ length: half }, (_, nth) =>
    stage.vault(`due${nth}`, { schedule: `every ${PERIOD_S}s`, matter: `house-${nth}` }),
  );
  const changed = Array.from({ length: vaults - half }, (_, nth) => stage.vault(`changed${nth}`));
  const host = await stage.host('a').start();
  const ids = await host.add(...[...due, ...changed].map(({ root }) => root));
  const visits = (from = 0) => host.heard.slice(from).filter((event) => event.what === 'visited');
  const lastOf = (id: string) => visits().findLast(({ vault }) => vault === id);
  await host.until(() => ids.every((id) => lastOf(id) !== undefined));
  // One falls due in the middle of it at least.
  const fallsDue = (id: string) => {
    const ahead = Date.parse(lastOf(id)?.until ?? '') - Date.now();
    return ahead > (seconds * 1_000) / 4 && ahead < (seconds * 1_000) / 2;
  };
  await host.until(() => ids.slice(0, half).some(fallsDue));
  await stage.server.kill();
  const down = Date.now();
  const before = host.heard.length;
  for (const vault of changed) vault.signal();
  await pause(seconds * 1_000);
  const wentDue = ids.filter((id) => Date.parse(lastOf(id)?.until ?? '') < Date.now());
  await stage.server.start();
  const up = Date.now();
  const awaited = [...wentDue, ...ids.slice(half)];
  await host.until(() => awaited.every((id) => visits(before).some(({ vault }) => vault === id)));
  const caughtUpS = (Date.now() - up) / 1_000;
  await host.until(() => changed.every(({ isDone }) => isDone));
  await pause(5_000); // a second catch-up would come by now
  const twice = wentDue.filter((id) => {
    const mine = visits(before).filter(({ vault }) => vault === id);
    const first = mine[0];
    return mine.slice(1).some(({ heardAt }) => heardAt < Date.parse(first?.until ?? ''));
  });
  const notes = changed.map((vault) => vault.events('signal-action').length);
  return [
    { what: 'server down', value: (up - down) / 1_000, unit: 's', aim: null },
    { what: 'vaults that fell due meanwhile', value: wentDue.length, unit: '', aim: null },
    { what: 'caught up with more than once', value: twice.length, unit: '', aim: { is: 0 } },
    { what: 'vaults that changed meanwhile', value: changed.length, unit: '', aim: null },
    {
      what: 'acted on exactly once',
      value: notes.filter((count) => count === 1).length,
      unit: '',
      aim: { is: changed.length },
    },
    { what: 'all visited, after the server was back', value: caughtUpS, unit: 's', aim: { most: 30 } },
  ];
}
