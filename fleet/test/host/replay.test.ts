import fs from 'node:fs';
import path from 'node:path';
import proto from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { describe, expect, test } from 'vitest';

const FLEET = path.resolve(import.meta.dirname, '..', '..');
const HISTORIES = path.join(FLEET, 'test', 'histories');

// A vault's run that began with an earlier version goes on with this one. `node fleet/test/record-histories.ts` records them.
describe.each(fs.readdirSync(HISTORIES))('the workflow of version %s', (version) => {
  const folder = path.join(HISTORIES, version);

  test.each(fs.readdirSync(folder))('%s is replayed', async (name) => {
    const history = proto.temporal.api.history.v1.History.decode(fs.readFileSync(path.join(folder, name)));
    const options = {
      workflowBundle: { codePath: path.join(FLEET, 'dist', 'workflow.js') },
      dataConverter: { failureConverterPath: path.join(FLEET, 'src', 'engine', 'failures.ts') },
    };
    await expect(Worker.runReplayHistory(options, history, 'v-00000000000000000001')).resolves.toBeUndefined();
  });
});
