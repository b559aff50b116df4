import fs from 'node:fs';
import path from 'node:path';
import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownLicence } from '../../../test/support/own-signal.ts';
import { serve } from '../../src/host/host.ts';
import { Registry } from '../../src/host/registry.ts';
import { installRuntime } from '../../src/host/runtime.ts';
import { Standings } from '../../src/host/standings.ts';
import { freePort } from '../support/engine-server.ts';
import type { FleetVault } from '../support/fleet-vault.ts';
import type { HostProcess } from '../support/host-process.ts';
import { HAS_NAMES, HAS_SERVER, onMachine, Stage } from '../support/stage.ts';

/** Whatever holds one of these has been told of a vault, or of the machine. */
const CANARY = /canary/i;
const MACHINE = 'canary-machine';
const MAIL = [
  'Authentication-Results: mx.sample.example; dmarc=pass header.from=canary-roof.example',
  'Authentication-Results: mx.sample.example; dmarc=pass header.from=canary-roof.example',
  'Received: from mail.canary-roof.example by mx.sample.example; Sat, 21 Nov 2026 09:00:00 +0000',
  'From: Canary Roof <canary-billing@canary-roof.example>',
  'To: canary-robin@sample.example',
  'Subject: [[canary-pay]] your payment',
  `Date: ${new Date().toUTCString()}`,
  'Message-ID: <canary@canary-roof.example>',
  '',
  'Hello Robin, [[canary-pay]] has been paid.',
  '',
].join('\r\n');

describe.skipIf(!HAS_SERVER || !HAS_NAMES)('nothing of a vault or a machine goes through the engine', () => {
  let stage: Stage;
  let host: HostProcess;
  let vault: FleetVault;
  let ids: readonly string[];
  let figures: readonly string[];

  beforeAll(async () => {
    stage = await Stage.open();
    const metrics = await freePort();
    host = await stage
      .host('canary-host', { USER: 'canary-user' }, onMachine(MACHINE))
      .start('--metrics', `127.0.0.1:${metrics}`);
    vault = stage.vault('canary-folder', {
      files: {
        'matter/canary-house.md':
          '---\ntype: matter\nstate: open\nsummary: The canary house\nsenders: [canary-billing@canary-roof.example]\n---\nA canary.\n',
        'licence/canary.md': ownLicence('licence/canary.md', {
          sender: 'mail:canary-billing@canary-roof.example',
          matter: '[[canary-house]]',
        }),
        'task/canary-pay.md':
          '---\ntype: task\nstate: open\nparent_matter: "[[canary-house]]"\n---\nThe canary is due.\n',
      },
    });
    vault.write('stream/mail/canary.eml', MAIL, 3_600_000);
    // Two that cannot be visited: their errors name paths and notes.
    const gone = stage.vault('canary-gone');
    const bad = stage.vault('canary-bad');
    ids = await host.add(vault.root, gone.root, bad.root);
    for (const id of ids) await host.says('visited', (event) => event.vault === id);
    fs.renameSync(gone.root, `${gone.root}-canary-away`);
    fs.rmSync(path.join(bad.root, '.steward', 'state'), { recursive: true });
    fs.writeFileSync(path.join(bad.root, '.steward', 'state'), 'a canary in the place of a folder');
    const before = host.heard.length;
    for (const id of ids) await host.command('nudge', id);
    for (const id of ids) await host.says('visited', (event) => event.vault === id, before);
    await throwCanaries(stage);
    figures = await Promise.all([metrics, stage.server.metrics].map(metricsAt));
    await host.signal('SIGTERM'); // workers take their leave, which is the last thing that they tell
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());

  test('the canaries are where they should be', () => {
    expect(vault.events().length).toBeGreaterThan(0);
    expect(JSON.stringify(host.heard)).toContain('vault-away');
    expect(host.heard.filter((event) => event.what === 'visited' && event.code !== null).length).toBeGreaterThan(1);
  });

  test('not in a history, an id, a memo, a search attribute, a queue or a worker', async () => {
    const told = await toldTo(stage.server.client());
    expect(told).toContain(ids[0]); // it looks where things are
    expect(told).toContain(host.id);
    expect(canariesIn(told)).toEqual([]);
  });

  test('not in the whole database of the server', async () => {
    const files = [stage.server.database, `${stage.server.database}-wal`].filter((file) => fs.existsSync(file));
    const held = files.map((file) => fs.readFileSync(file, 'latin1')).join('\n');
    expect(held).toContain(ids[0]);
    expect(canariesIn(held)).toEqual([]);
  });

  test('not in what host and server log, nor in their metrics', async () => {
    const logs = [host.log, stage.server.log].map((file) => fs.readFileSync(file, 'utf8'));
    expect(figures[0]).toContain('steward_fleet_visits');
    expect(logs[0]).toContain(ids[0]);
    expect(canariesIn([...logs, ...figures].join('\n'))).toEqual([]);
  });
});

/** A visit that throws what nobody foresaw, with a stack and a message of canaries, at first. */
async function throwCanaries(stage: Stage): Promise<void> {
  const state = path.join(stage.folder, 'canary-state');
  const registry = new Registry(state);
  const vault = stage.vault('canary-bug');
  const stop = new AbortController();
  const { promise, resolve } = Promise.withResolvers<void>();
  let thrown = 0;
  const visitVault = async () => {
    thrown += 1;
    if (thrown > 1) return { until: null };
    throw Object.assign(new TypeError(`the canary at ${vault.root} has flown`), { canary: 'canary' });
  };
  const said: string[] = [];
  const emit = (event: unknown) => {
    said.push(JSON.stringify(event));
    if (/"what":"visited".*"code":null/.test(JSON.stringify(event))) resolve();
  };
  installRuntime(emit, null);
  const access = { address: stage.server.address, namespace: 'default', apiKey: null, tls: false };
  const parts = { access, registry, standings: new Standings(state), visitVault, folders: [], emit };
  const served = serve({ ...parts, visitsAtOnce: 2, cached: 2 }, stop.signal);
  const id = 'v-00000000000000000bad';
  registry.put(id, vault.root);
  await stage.server.client().workflow.start('vaultKeeper', { workflowId: id, taskQueue: registry.host });
  await promise;
  stop.abort();
  await served;
  expect(thrown).toBe(2);
  expect(canariesIn(said.join('\n'))).toEqual([]);
}

async function metricsAt(port: number): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}

/** All that the server tells of what it was told, as text. */
async function toldTo(client: Client): Promise<string> {
  const told: string[] = [];
  const { workflowService } = client;
  const namespace = 'default';
  const queues = new Set<string>();
  for await (const { workflowId, runId, taskQueue, raw } of client.workflow.list()) {
    const execution = { workflowId, runId };
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    told.push(Buffer.from(temporal.api.history.v1.History.encode(history).finish()).toString('latin1'));
    told.push(readable(await workflowService.describeWorkflowExecution({ namespace, execution })), readable(raw));
    queues.add(taskQueue);
  }
  for (const name of queues)
    for (const taskQueueType of [1, 2])
      told.push(readable(await workflowService.describeTaskQueue({ namespace, taskQueue: { name }, taskQueueType })));
  told.push(readable(await workflowService.listWorkers({ namespace })));
  return told.join('\n');
}

function readable(value: unknown): string {
  return JSON.stringify(value, (_, held: unknown) =>
    held instanceof Uint8Array ? Buffer.from(held).toString('latin1') : held,
  );
}

function canariesIn(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => CANARY.test(line))
    .map((line) => line.slice(0, 500));
}
