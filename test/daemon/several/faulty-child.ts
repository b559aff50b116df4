// Two vaults in one process: whoever hears of trouble in the one that is named `bad` throws, in a callback of the system.
import path from 'node:path';
import type { DaemonEvent } from '../../../src/daemon/environment.ts';
import { runtimePaths } from '../../../src/daemon/server/runtime-paths.ts';
import { Vaults } from '../../../src/daemon/several/vaults.ts';

const [folder = ''] = process.argv.slice(2);
const vaults = new Vaults({
  env: { ceiling: 'live', confidenceThreshold: null, highConfidenceThreshold: null },
  now: Date.now,
  pathsOf: (root) => runtimePaths(root, process.env),
  emitFor: (root) => (event) => tell(path.basename(root), event),
});
vaults.keep([path.join(folder, 'good'), path.join(folder, 'bad')]);
await vaults.tried();
process.send?.({ name: '', event: 'ready' });
process.on('message', (message) => void obey(message));

async function obey(message: unknown): Promise<void> {
  if (message === 'fall') {
    setTimeout(() => {
      throw new Error('of nobody');
    });
    return;
  }
  await vaults[Symbol.asyncDispose]();
  process.disconnect();
}

function tell(name: string, event: DaemonEvent): void {
  const code = event.what === 'unkept' ? event.trouble.code : null;
  process.send?.({ name, event: event.what, code });
  if (name === 'bad' && event.what === 'trouble') throw new Error('a fault');
}
