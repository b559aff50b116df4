import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Stage } from '../test/support/stage.ts';
import { databaseBytes, memoryMb, processorMs } from './process-figures.ts';
import type { Figure } from './table.ts';

/** Starts so many tiny vaults on one host, and waits until each was visited. */
export async function many(vaults: number): Promise<Figure[]> {
  await using stage = await Stage.open();
  for (let nth = 0; nth < vaults; nth += 1) stage.vault(`v${nth}`);
  const host = await stage.host('a').start();
  const { server } = stage;
  const [cpu, bytes, hostCpu] = [processorMs(server.pid), databaseBytes(server.database), processorMs(host.pid)];
  const began = performance.now();
  const ids = await host.add('--vaults', path.join(stage.folder, 'vaults'));
  const startedS = (performance.now() - began) / 1_000;
  const visited = new Set<string>();
  let read = 0;
  await host.until(() => {
    for (; read < host.heard.length; read += 1) {
      const event = host.heard[read];
      if (event?.what === 'visited') visited.add(event.vault);
    }
    return ids.every((id) => visited.has(id));
  });
  const visitedS = (performance.now() - began) / 1_000;
  const [cpuMs, hostMs] = [processorMs(server.pid) - cpu, processorMs(host.pid) - hostCpu];
  const [idleCpu, idleHost] = [processorMs(server.pid), processorMs(host.pid)];
  await pause(10_000); // what they take while nothing happens
  return [
    { what: 'vaults kept', value: ids.length, unit: '', aim: { is: vaults } },
    { what: 'started', value: vaults / startedS, unit: 'a second', aim: { least: 30 } },
    { what: 'each visited once after', value: visitedS, unit: 's', aim: null },
    { what: 'first visits', value: vaults / visitedS, unit: 'a second', aim: null },
    { what: 'engine, start and first visit', value: cpuMs / vaults, unit: 'ms CPU each', aim: null },
    { what: 'host, first visit', value: hostMs / vaults, unit: 'ms CPU each', aim: null },
    {
      what: 'engine, database',
      value: (databaseBytes(server.database) - bytes) / vaults,
      unit: 'bytes each',
      aim: null,
    },
    { what: 'engine, memory', value: memoryMb(server.pid), unit: 'MB', aim: null },
    { what: 'host, memory', value: memoryMb(host.pid), unit: 'MB', aim: null },
    { what: 'engine, all asleep', value: (processorMs(server.pid) - idleCpu) / 10, unit: 'ms CPU a second', aim: null },
    { what: 'host, all asleep', value: (processorMs(host.pid) - idleHost) / 10, unit: 'ms CPU a second', aim: null },
  ];
}
