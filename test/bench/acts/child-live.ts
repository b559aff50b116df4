// A live daemon on a vault, or its rival on a folder, each in its own process. `main` writes; they answer by IPC.
import fs from 'node:fs';
import path from 'node:path';
import { watch } from 'chokidar';
import { Daemon } from '../../../src/daemon/daemon.ts';
import { readEnvironment } from '../../../src/daemon/environment.ts';
import { runtimePaths } from '../../../src/daemon/runtime-paths.ts';

/** How far the daemon's clock leaps at each action, so that the rate guard (60 a minute) does not stop the run. */
const LEAP_MS = 1_500;

const [what, folder = ''] = process.argv.slice(2);
if (what === 'daemon') await daemon(folder);
else await rival(folder);
process.send?.('ready');
process.once('disconnect', () => process.exit()); // the bench is gone

async function daemon(root: string): Promise<void> {
  let ahead = 0;
  const say = (happening: { what: string }) => {
    if (happening.what !== 'acted') return;
    process.send?.('done');
    ahead += LEAP_MS;
  };
  const env = readEnvironment(process.env);
  await Daemon.start({ root, env, now: () => Date.now() + ahead, emit: say }, runtimePaths(root, process.env));
}

/** The least that any program could do: notice the file, and write three files durably. */
async function rival(root: string): Promise<void> {
  const inbox = path.join(root, 'inbox');
  const watcher = watch(inbox, { ignoreInitial: true });
  await new Promise<void>((resolve) => watcher.once('ready', () => resolve()));
  const text = 'x'.repeat(2_000);
  watcher.on('add', () => {
    for (const name of ['note', 'event', 'signal']) lasting(path.join(root, `${name}.md`), text);
    process.send?.('done');
  });
}

function lasting(file: string, text: string): void {
  const handle = fs.openSync(file, 'w');
  fs.writeFileSync(handle, text);
  fs.fsyncSync(handle);
  fs.closeSync(handle);
}
