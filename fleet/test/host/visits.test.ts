import fs from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { HostEvent } from '../../src/host/host-log.ts';
import { Registry } from '../../src/host/registry.ts';
import { Sleepers } from '../../src/host/sleepers.ts';
import { Standings } from '../../src/host/standings.ts';
import { HostVisits, type VisitVault } from '../../src/host/visits.ts';
import { StewardError } from '../../src/steward.ts';
import { FleetVault } from '../support/fleet-vault.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ID = 'v-00000000000000000001';
const NEVER = new AbortController().signal;

/** A host without an engine: what it would tell it is kept. */
async function hosted(visitVault: (vault: FleetVault) => VisitVault) {
  const [state, folder] = [tempFolder(), tempFolder()];
  const vault = FleetVault.make(path.join(folder, 'vault'));
  const [registry, standings] = [new Registry(state), new Standings(state)];
  const nudged: string[] = [];
  const { promise: firstNudge, resolve } = Promise.withResolvers<void>();
  const nudge = async (id: string) => {
    nudged.push(id);
    resolve();
  };
  const sleepers = new Sleepers({ registry, standings, nudge, failed: () => {} });
  onTestFinished(() => sleepers.close());
  registry.put(ID, vault.root);
  await sleepers.follow(ID);
  const said: HostEvent[] = [];
  const emit = (event: HostEvent) => void said.push(event);
  const parts = { registry, standings, sleepers, visitVault: visitVault(vault), folders: [], now: Date.now, emit };
  return { vault, state, registry, standings, sleepers, nudged, firstNudge, said, visits: new HostVisits(parts) };
}

test('a visit that writes is followed by a look that does not, and nobody is nudged by what it wrote', async () => {
  let looks = 0;
  const host = await hosted((vault) => async () => {
    looks += 1;
    if (looks === 1) vault.write('task/made.md', 'by the visit');
    return { until: null };
  });
  expect(await host.visits.visit(ID, NEVER)).toMatchObject({ until: null, code: null });
  expect(looks).toBe(2);

  host.vault.write('task/other.md', 'by a person');
  await host.firstNudge;
  expect(host.nudged).toEqual([ID]);
});

test('what changes while it is looked at is looked at, and one that never rests is left alone for a moment', async () => {
  let looks = 0;
  const host = await hosted((vault) => async () => {
    looks += 1;
    vault.write('task/made.md', `again ${looks}`);
    return { until: null };
  });
  const { until } = await host.visits.visit(ID, NEVER);
  expect(looks).toBe(3);
  expect(until).toBeGreaterThan(Date.now());
  expect(until).toBeLessThan(Date.now() + 60_000);
});

test('a vault that cannot be visited answers with a time, a later one each time, and not with an error', async () => {
  const host = await hosted(() => async () => {
    throw new StewardError({ code: 'vault-locked', message: '/home/robin has it', hint: '' }, 75);
  });
  const pauses: number[] = [];
  for (let nth = 0; nth < 9; nth += 1) pauses.push(((await host.visits.visit(ID, NEVER)).until ?? 0) - Date.now());
  expect(pauses.every((pause, nth) => nth === 0 || pause >= (pauses[nth - 1] ?? 0) - 1_000)).toBe(true);
  expect(pauses[0]).toBeLessThanOrEqual(5_000);
  expect(pauses.at(-1)).toBeGreaterThan(290_000);
  expect(host.said.at(-1)).toMatchObject({ what: 'visited', code: 'vault-locked' });
});

test('a vault that is not known here is answered too, and found where it was brought to', async () => {
  const host = await hosted(() => async () => ({ until: null }));
  host.registry.remove(ID);
  await host.sleepers.follow(ID);
  expect((await host.visits.visit(ID, NEVER)).until).toBeGreaterThan(Date.now());
  expect(host.said.at(-1)).toMatchObject({ code: 'vault-unknown' });
});

test('a visit that was stopped has no answer, and one that throws a bug is tried again later', async () => {
  const stop = new AbortController();
  const stopped = await hosted(() => async () => {
    stop.abort();
    return { until: null };
  });
  await expect(stopped.visits.visit(ID, stop.signal)).rejects.toThrow();
  expect(stopped.said.at(-1)).toEqual({ what: 'broken-off', vault: ID, code: 'stopped' });

  const thrown = await hosted(() => async () => {
    throw new TypeError('the vault of Robin');
  });
  const left = await thrown.visits.visit(ID, NEVER);
  expect(left.code).toBe('vault-fault');
  expect(left.until).toBeGreaterThan(Date.now());
});

test('a file of the registry that can’t be read concerns its vault alone', async () => {
  const host = await hosted(() => async () => ({ until: null }));
  const other = 'v-00000000000000000002';
  fs.writeFileSync(path.join(host.state, 'fleet', 'vaults', `${other}.json`), '{"path":');
  expect((await host.visits.visit(other, NEVER)).code).toBe('registry-unreadable');
  const failed: string[] = [];
  const { registry, standings } = host;
  const sleepers = new Sleepers({ registry, standings, nudge: async () => {}, failed: (id) => void failed.push(id) });
  await sleepers.start();
  await sleepers.close();
  expect(failed).toEqual([other]);
  expect((await host.visits.visit(ID, NEVER)).code).toBeNull();
});

test('a host that starts again nudges what has changed meanwhile, and leaves the rest alone', async () => {
  const host = await hosted(() => async () => ({ until: null }));
  const made = Date.now();
  await expect.poll(() => Date.now()).toBeGreaterThan(made + 50); // what is as old as the visit counts as newer
  await host.visits.visit(ID, NEVER);
  host.standings.flush();
  await host.sleepers.close();

  const again = async (): Promise<string[]> => {
    const nudged: string[] = [];
    const nudge = async (id: string) => void nudged.push(id);
    const sleepers = new Sleepers({
      registry: host.registry,
      standings: new Standings(host.state),
      nudge,
      failed: () => {},
    });
    await sleepers.start();
    await sleepers.close();
    return nudged;
  };
  expect(await again()).toEqual([]);
  fs.rmSync(path.join(host.vault.root, 'task', 'pay.md'));
  expect(await again()).toEqual([ID]);
});

test('what changes between the first visit and the moment from which a vault is heard is news', async () => {
  const host = await hosted(() => async () => ({ until: null }));
  host.registry.remove(ID);
  await host.sleepers.follow(ID); // not heard any more
  host.registry.put(ID, host.vault.root);
  const followed = host.sleepers.follow(ID);
  host.standings.set(ID, { seen: Date.now(), at: Date.now(), until: null, code: null, troubles: 0 });
  host.vault.write('task/other.md', 'by a person');
  await followed;
  await host.firstNudge;
  expect(host.nudged).toEqual([ID]);
});

test('a nudge that the engine does not take is tried again until it does', async () => {
  const [state, folder] = [tempFolder(), tempFolder()];
  const vault = FleetVault.make(path.join(folder, 'vault'));
  const [registry, standings] = [new Registry(state), new Standings(state)];
  registry.put(ID, vault.root);
  let asked = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const nudge = async () => {
    asked += 1;
    if (asked === 1) throw new Error('away');
    resolve();
  };
  const sleepers = new Sleepers({ registry, standings, nudge, failed: () => {} });
  onTestFinished(() => sleepers.close());
  await sleepers.start();
  await promise;
  expect(asked).toBe(2);
});
