// One start of the daemon, or its floor, measured in a fresh process that has loaded its modules.
import fs from 'node:fs';
import path from 'node:path';
import { Daemon } from '../../../src/daemon/daemon.ts';
import { readEnvironment } from '../../../src/daemon/environment.ts';
import { runtimePaths } from '../../../src/daemon/runtime-paths.ts';

const [what, vault = ''] = process.argv.slice(2);
console.log(JSON.stringify(what === 'start' ? await start(vault) : walked(vault, what === 'read')));

/** Walks the vault, and reads or only stats every note that the daemon reads, without doing anything with it. */
function walked(root: string, isRead: boolean): { ms: number; cpu: number } {
  const [before, used] = [performance.now(), process.cpuUsage()];
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const item of fs.readdirSync(folder, { withFileTypes: true })) {
      const file = path.join(folder, item.name);
      if (item.name.startsWith('.')) continue;
      if (item.isDirectory()) folders.push(file);
      else if (!file.startsWith(`${root}/notes/`)) {
        if (isRead) fs.readFileSync(file);
        else fs.statSync(file);
      }
    }
  }
  const { user, system } = process.cpuUsage(used);
  return { ms: performance.now() - before, cpu: (user + system) / 1000 };
}

/** Starts the daemon, and measures until it listens for changes and commands. */
async function start(root: string): Promise<{ ms: number }> {
  const before = performance.now();
  const daemon = await Daemon.start(
    { root, env: readEnvironment(process.env), now: Date.now, emit: () => {} },
    runtimePaths(root, process.env),
  );
  const ms = performance.now() - before;
  await daemon[Symbol.asyncDispose]();
  return { ms };
}
