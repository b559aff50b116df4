// One cold start, of the daemon or of the floor, measured in a fresh process that has loaded its modules.
import fs from 'node:fs';
import path from 'node:path';
import { readEnvironment } from '../../src/daemon/context/environment.ts';
import { Daemon } from '../../src/daemon/daemon.ts';
import { runtimePaths } from '../../src/daemon/server/runtime-paths.ts';

const [what, vault = ''] = process.argv.slice(2);
console.log(JSON.stringify(what === 'floor' ? floor(vault) : await start(vault)));

/** Walks the vault and reads every note that the daemon reads, without doing anything with it. */
function floor(root: string): { ms: number; notes: number } {
  const before = performance.now();
  let notes = 0;
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const item of fs.readdirSync(folder, { withFileTypes: true })) {
      const file = path.join(folder, item.name);
      if (item.name.startsWith('.')) continue;
      if (item.isDirectory()) folders.push(file);
      else if (!file.startsWith(`${root}/notes/`)) {
        fs.readFileSync(file);
        notes += 1;
      }
    }
  }
  return { ms: performance.now() - before, notes };
}

/** Starts the daemon. Measures until every schedule is provisioned, and until it also listens for changes. */
async function start(root: string): Promise<{ ms: number; listening: number; matters: number }> {
  let ready = 0;
  let matters = 0;
  const before = performance.now();
  const daemon = await Daemon.start(
    {
      root,
      env: readEnvironment(process.env),
      now: Date.now,
      emit: (happening) => {
        if (happening.what !== 'schedule-provisioned') return;
        ready = performance.now() - before;
        matters += 1;
      },
    },
    runtimePaths(root, process.env),
  );
  const listening = performance.now() - before;
  await daemon[Symbol.asyncDispose]();
  return { ms: ready, listening, matters };
}
