// Walks a vault and stats each note that the daemon reads, without doing anything with it. Prints how long that took.
import fs from 'node:fs';
import path from 'node:path';

const [root = ''] = process.argv.slice(2);
const [before, used] = [performance.now(), process.cpuUsage()];
const folders = [root];
for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
  for (const item of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, item.name);
    if (item.name.startsWith('.')) continue;
    if (item.isDirectory()) folders.push(file);
    else if (!file.startsWith(`${root}/notes/`)) fs.statSync(file);
  }
}
const { user, system } = process.cpuUsage(used);
console.log(JSON.stringify({ ms: performance.now() - before, cpu: (user + system) / 1000 }));
