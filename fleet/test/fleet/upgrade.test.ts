import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Worker } from '@temporalio/worker';
import { describe, test } from 'vitest';
import { installRuntime } from '../../src/host/runtime.ts';
import { KEEPER } from '../../src/workflow/signals.ts';
import { HAS_SERVER, Stage } from '../support/stage.ts';

const FLEET = path.resolve(import.meta.dirname, '..', '..');
const REST_MS = 3_000;

/** A host's process of version 1, which knows the former workflow and visit alone. What it visits is in `visited`. */
async function formerWorker(address: string, host: string) {
  installRuntime(() => {}, null); // it logs nothing
  const visited: number[] = [];
  const { code } = await bundleWorkflowCode({
    workflowsPath: path.join(FLEET, 'test', 'former', 'vault-keeper-1.ts'),
    failureConverterPath: path.join(FLEET, 'src', 'engine', 'failures.ts'),
    logger: new DefaultLogger('ERROR'),
  });
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection,
    taskQueue: host,
    workflowBundle: { code },
    dataConverter: { failureConverterPath: path.join(FLEET, 'src', 'engine', 'failures.ts') },
    activities: {
      visit: async () => {
        visited.push(Date.now());
        return Date.now() + REST_MS;
      },
    },
    shutdownGraceTime: 0,
    maxCachedWorkflows: 2,
  });
  const running = worker.run();
  const end = async () => {
    worker.shutdown();
    await running;
    await connection.close();
  };
  return { visited, end };
}

describe.skipIf(!HAS_SERVER)('an upgrade', () => {
  test('of a host, process by process: a run of the former version goes on, and no vault is lost or visited in a loop', async ({
    expect,
  }) => {
    await using stage = await Stage.open();
    const host = stage.host('a');
    const [old, late] = [stage.vault('old'), stage.vault('late')];
    const former = await formerWorker(stage.server.address, host.id);
    const [oldId = ''] = await host.add(old.root);
    await expect.poll(() => former.visited.length).toBeGreaterThan(1);

    // Both versions serve the host for a while.
    await host.start();
    const [lateId = ''] = await host.add(late.root);
    await host.says('visited', (event) => event.vault === lateId && event.code === null);
    await host.says('visited', (event) => event.vault === oldId && event.code === null);
    const both = former.visited.length;
    await former.end();

    old.signal();
    await expect.poll(() => old.isDone).toBe(true);
    late.signal();
    await expect.poll(() => late.isDone).toBe(true);
    expect(former.visited.length).toBeLessThan(both + 20);
    const visits = host.heard.filter(({ what }) => what === 'visited');
    expect(visits.length).toBeLessThan(20);
    for (const id of [oldId, lateId]) {
      const workflow = stage.server.client().workflow.getHandle(id);
      expect(await workflow.describe()).toMatchObject({ type: KEEPER, status: { name: 'RUNNING' } });
      expect(JSON.parse((await host.command('nudge', '--json', id)).stdout).nudged).toMatchObject([
        { is_visited: true },
      ]);
    }
  });
});
