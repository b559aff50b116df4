import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Stage } from '../test/support/stage.ts';
import { type Figure, quantile } from './table.ts';

const PERIOD_S = 60;

/** A host with so many ticking vaults hands them over to another. */
export async function drain(vaults: number): Promise<Figure[]> {
  await using stage = await Stage.open();
  for (let nth = 0; nth < vaults; nth += 1)
    stage.vault(`v${nth}`, { schedule: `every ${PERIOD_S}s`, matter: `house-${nth}` });
  const [a, b] = [await stage.host('a').start(), await stage.host('b').start()];
  const folder = path.join(stage.folder, 'vaults');
  const ids = await a.add('--vaults', folder);
  await b.add('--vaults', folder);
  const visits = () => [...a.heard, ...b.heard].filter((event) => event.what === 'visited');
  await a.until(() => ids.every((id) => visits().some((event) => event.vault === id && event.until !== null)));
  const began = performance.now();
  const { code } = await a.command('drain', '--to', b.id);
  const drainedS = (performance.now() - began) / 1_000;
  await a.signal('SIGTERM');
  const drained = Date.now();
  await pause((PERIOD_S + 50) * 1_000);
  // Each moment that a visit named was followed by one that ended soon after it.
  const due = visits().flatMap((visit) => {
    const until = Date.parse(visit.until ?? '');
    return until < Date.now() - 5_000 ? [{ vault: visit.vault, until }] : [];
  });
  const late = due.map(({ vault, until }) => {
    const next = visits().find((event) => event.vault === vault && event.heardAt >= until);
    return next === undefined ? Number.POSITIVE_INFINITY : next.heardAt - until;
  });
  return [
    { what: 'vaults', value: vaults, unit: '', aim: null },
    { what: 'drained', value: drainedS, unit: 's', aim: null },
    { what: 'exit code', value: code, unit: '', aim: { is: 0 } },
    { what: 'moments that came due', value: due.length, unit: '', aim: null },
    { what: 'after the drain', value: due.filter(({ until }) => until > drained).length, unit: '', aim: null },
    { what: 'missed', value: late.filter((ms) => ms > 5_000).length, unit: '', aim: { is: 0 } },
    { what: 'visit ended after its moment, 99 of 100', value: quantile(late, 0.99), unit: 'ms', aim: null },
  ];
}
