import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Stage } from '../test/support/stage.ts';
import { databaseBytes, memoryMb, processorMs } from './process-figures.ts';
import { type Figure, quantile } from './table.ts';

/** A visit waits for what is due within 45 s, so nothing that is to sleep in between ticks oftener. */
const PERIOD_S = 60;

/** So many visits a second by their timers, for so many minutes. */
export async function pace(perSecond: number, minutes: number): Promise<Figure[]> {
  await using stage = await Stage.open();
  const vaults = Math.round(perSecond * PERIOD_S);
  for (let nth = 0; nth < vaults; nth += 1)
    stage.vault(`v${nth}`, { schedule: `every ${PERIOD_S}s`, matter: `house-${nth}` });
  const host = await stage.host('a').start();
  const { server } = stage;
  const ids = await host.add('--vaults', path.join(stage.folder, 'vaults'));
  // Each has been visited by its timer once: the first visits have waited for the first tick.
  const woken = () =>
    new Set(host.heard.flatMap((event) => (event.what === 'visited' && event.late_ms !== null ? [event.vault] : [])));
  await host.until(() => woken().size === ids.length);
  const from = host.heard.length;
  const [cpu, bytes, hostCpu] = [processorMs(server.pid), databaseBytes(server.database), processorMs(host.pid)];
  await pause(minutes * 60_000);
  const visits = host.heard.slice(from).filter((event) => event.what === 'visited');
  const [cpuMs, hostMs] = [processorMs(server.pid) - cpu, processorMs(host.pid) - hostCpu];
  const late = visits.flatMap(({ late_ms }) => (late_ms === null ? [] : [late_ms]));
  const each = (value: number) => value / visits.length;
  return [
    { what: 'vaults', value: vaults, unit: '', aim: null },
    { what: 'visits', value: visits.length, unit: '', aim: null },
    { what: 'visits', value: visits.length / (minutes * 60), unit: 'a second', aim: { least: perSecond * 0.95 } },
    { what: 'late, median', value: quantile(late, 0.5), unit: 'ms', aim: null },
    { what: 'late, 99 of 100', value: quantile(late, 0.99), unit: 'ms', aim: { most: 2_000 } },
    { what: 'late, most', value: Math.max(...late), unit: 'ms', aim: null },
    {
      what: 'visit, median',
      value: quantile(
        visits.map(({ ms }) => ms),
        0.5,
      ),
      unit: 'ms',
      aim: null,
    },
    { what: 'engine', value: each(cpuMs), unit: 'ms CPU a visit', aim: { most: 60 } },
    {
      what: 'engine, database',
      value: each(databaseBytes(server.database) - bytes),
      unit: 'bytes a visit',
      aim: { most: 6_144 },
    },
    { what: 'host', value: each(hostMs), unit: 'ms CPU a visit', aim: null },
    { what: 'engine, memory', value: memoryMb(server.pid), unit: 'MB', aim: null },
    { what: 'host, memory', value: memoryMb(host.pid), unit: 'MB', aim: null },
  ];
}
