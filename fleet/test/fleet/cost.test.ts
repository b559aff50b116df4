import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, test } from 'vitest';
import { HAS_SERVER, Stage } from '../support/stage.ts';

/*
 * What a fleet costs, printed as a table. `FLEET_VAULTS` and `FLEET_MINUTES` make it as large as the figures in docs/dev/fleet.md; a small
 * run only shows that each vault is visited.
 */
const VAULTS = Number(process.env.FLEET_VAULTS ?? 10);
const MINUTES = Number(process.env.FLEET_MINUTES ?? 0);
/** A visit waits for what is due within 45 s: a vault that sleeps in between ticks less often. */
const PERIOD_S = 60;
/** The kernel counts processor time in hundredths of a second. */
const TICK_MS = 10;

const figures: Record<string, number> = {};
afterAll(() => console.table(figures));

describe.skipIf(!HAS_SERVER)('the cost of a fleet', { timeout: (MINUTES + 30) * 60_000 }, () => {
  test('all vaults that are added together are visited once', async ({ expect }) => {
    await using stage = await Stage.open();
    for (let nth = 0; nth < VAULTS; nth += 1) stage.vault(`v${nth}`);
    const host = await stage.host('a').start();
    const used = usage(stage, host.pid);
    const began = performance.now();
    const ids = await host.add('--vaults', path.join(stage.folder, 'vaults'));
    figures['started a second'] = (VAULTS * 1_000) / (performance.now() - began);
    await host.until(() => visitedOf(host).size === VAULTS);
    figures['first visits a second'] = (VAULTS * 1_000) / (performance.now() - began);
    const { engineMs, hostMs, bytes } = used();
    figures['engine, start and first visit (ms)'] = engineMs / VAULTS;
    figures['host, first visit (ms)'] = hostMs / VAULTS;
    figures['engine, database of a vault (bytes)'] = bytes / VAULTS;
    figures['engine, memory (MB)'] = memoryMb(stage.server.pid);
    figures['host, memory (MB)'] = memoryMb(host.pid);
    expect(ids).toHaveLength(VAULTS);
    expect([...visitedOf(host)].sort()).toEqual(ids.toSorted());
  });

  test.skipIf(MINUTES === 0)('vaults that tick each minute are visited in time', async ({ expect }) => {
    await using stage = await Stage.open();
    for (let nth = 0; nth < VAULTS; nth += 1)
      stage.vault(`v${nth}`, { schedule: `every ${PERIOD_S}s`, matter: `house-${nth}` });
    const host = await stage.host('a').start();
    await host.add('--vaults', path.join(stage.folder, 'vaults'));
    const isWoken = () => host.heard.flatMap((one) => (one.what === 'visited' && one.late_ms !== null ? [one] : []));
    await host.until(() => new Set(isWoken().map(({ vault }) => vault)).size === VAULTS);
    const [used, before] = [usage(stage, host.pid), isWoken().length];
    await pause(MINUTES * 60_000);
    const visits = isWoken().slice(before);
    const late = visits.map(({ late_ms }) => late_ms ?? 0).sort((one, other) => one - other);
    const { engineMs, hostMs, bytes } = used();
    figures['visits a second'] = visits.length / (MINUTES * 60);
    figures['late, median (ms)'] = late[Math.floor(late.length / 2)] ?? Number.NaN;
    figures['late, 99 of 100 (ms)'] = late[Math.floor(late.length * 0.99)] ?? Number.NaN;
    figures['engine, a visit (ms)'] = engineMs / visits.length;
    figures['host, a visit (ms)'] = hostMs / visits.length;
    figures['engine, database of a visit (bytes)'] = bytes / visits.length;
    expect(visits.length).toBeGreaterThan(VAULTS * MINUTES * 0.9);
  });
});

function visitedOf({ heard }: { readonly heard: readonly { what: string; vault?: string }[] }): Set<string> {
  return new Set(heard.flatMap(({ what, vault }) => (what === 'visited' && vault !== undefined ? [vault] : [])));
}

/** Returns a function that says what was used since: processor time (ms), and growth of the engine's database (bytes). */
function usage({ server }: Stage, host: number) {
  const now = () => [processorMs(server.pid), processorMs(host), databaseBytes(server.database)] as const;
  const before = now();
  return () => {
    const after = now();
    return { engineMs: after[0] - before[0], hostMs: after[1] - before[1], bytes: after[2] - before[2] };
  };
}

function processorMs(pid: number): number {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

function memoryMb(pid: number): number {
  const [, kb = '0'] = /^VmRSS:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1_024;
}

function databaseBytes(file: string): number {
  return [file, `${file}-wal`].reduce((sum, one) => sum + (fs.statSync(one, { throwIfNoEntry: false })?.size ?? 0), 0);
}
