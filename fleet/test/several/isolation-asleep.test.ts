import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { EngineServer } from '../support/engine-server.ts';
import { testIsolation } from '../support/isolation.ts';
import { HAS_SERVER } from '../support/stage.ts';
import { SleepingVaults } from '../support/vault-process.ts';

describe.skipIf(!HAS_SERVER)('with an engine', () => {
  let folder: string;
  let server: EngineServer;
  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'isolation-'));
    server = await EngineServer.start(folder);
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  testIsolation('asleep', (...names) => new SleepingVaults(server.address, ...names));
});
