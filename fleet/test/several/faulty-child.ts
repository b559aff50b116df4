// Two vaults in one process, `good` and `bad`: as `run` keeps them (`daemons`), or as a host of the fleet visits them (`visits`).
// An error that no code catches comes up in the work on `bad` while it has a broken note.
import fs from 'node:fs';
import path from 'node:path';
import { Registry } from '../../src/host/registry.ts';
import { Sleepers } from '../../src/host/sleepers.ts';
import { Standings } from '../../src/host/standings.ts';
import { VaultVisitor } from '../../src/host/vault-visitor.ts';
import { HostVisits } from '../../src/host/visits.ts';
import { type VaultEvent, Vaults } from '../../src/several/vaults.ts';
import { runtimePaths } from '../../src/steward.ts';
import { LastResort } from '../../src/steward-daemon.ts';

const [folder = '', how = ''] = process.argv.slice(2);
const roots = { good: path.join(folder, 'good'), bad: path.join(folder, 'bad') };
const end = how === 'visits' ? await visited() : await kept();
process.send?.({ name: '', event: 'ready' });
process.on('message', (message) => void obey(message));

async function kept(): Promise<() => Promise<void>> {
  const vaults = new Vaults({
    env: { ceiling: 'live', confidenceThreshold: null, highConfidenceThreshold: null },
    now: Date.now,
    pathsOf: (root) => runtimePaths(root, process.env),
    emitFor: (root) => (event) => tell(path.basename(root), event),
  });
  vaults.keep(Object.values(roots));
  await vaults.tried();
  return () => vaults[Symbol.asyncDispose]();
}

// Without an engine: a visit is made when something changes, and when the last one said so.
async function visited(): Promise<() => Promise<void>> {
  const state = path.join(folder, '.state', 'vault-steward');
  const [registry, standings] = [new Registry(state), new Standings(state)];
  const ids = { good: 'v-00000000000000000001', bad: 'v-00000000000000000002' };
  const lastResort = new LastResort();
  const visitors = (['good', 'bad'] as const).map((name) => {
    registry.put(ids[name], roots[name]);
    const emit = (event: VaultEvent) => tell(name, event);
    return { name, id: ids[name], visitor: new VaultVisitor({ env: process.env, lastResort, emit }) };
  });
  const nameOf = (root: string) => path.basename(root);
  const nudge = async (id: string) => void visit(id);
  const sleepers = new Sleepers({ registry, standings, nudge, failed: () => {} });
  const visits = new HostVisits({
    ...{ registry, standings, sleepers, folders: [], now: Date.now },
    visitVault: async (root, stop) => {
      const one = visitors.find(({ name }) => name === nameOf(root));
      if (one === undefined) throw new Error(`no visitor for ${root}`);
      return await one.visitor.visit(root, stop);
    },
    emit: () => {},
  });
  const stop = new AbortController();
  // One after the other, as the engine has them made.
  const turns = new Map<string, Promise<void>>();
  const visit = (id: string): Promise<void> => {
    const turn = (turns.get(id) ?? Promise.resolve())
      .then(async () => {
        const { until, code } = await visits.visit(id, stop.signal);
        const name = id === ids.good ? 'good' : 'bad';
        if (code !== null) process.send?.({ name, event: 'unkept', code });
        if (until !== null) setTimeout(() => void visit(id), Math.max(1, until - Date.now())).unref();
      })
      .catch((error: unknown) => {
        if (!stop.signal.aborted) throw error;
      });
    turns.set(id, turn);
    return turn;
  };
  await sleepers.start();
  for (const { id } of visitors) await visit(id);
  return async () => {
    stop.abort();
    await Promise.all(turns.values());
    await sleepers.close();
    lastResort[Symbol.dispose]();
  };
}

async function obey(message: unknown): Promise<void> {
  if (message === 'fall') {
    setTimeout(() => {
      throw new Error('of nobody');
    });
    return;
  }
  await end();
  process.disconnect();
}

function tell(name: string, event: VaultEvent): void {
  const code = event.what === 'unkept' ? event.trouble.code : null;
  process.send?.({ name, event: event.what, code });
  // A daemon reports a broken note when it comes; a visit finds it there.
  const isBroken = fs.existsSync(path.join(roots.bad, 'task', 'broken.md'));
  if (name !== 'bad' || !isBroken || !['trouble', 'started'].includes(event.what)) return;
  setImmediate(() => {
    throw new Error('a fault');
  });
}
