/**
 * Records what the engine keeps of a few vaults into a folder, one file for each workflow run: `node fleet/test/record-histories.ts
 * VERSION`. Run it before the workflow changes. A test replays these histories with each later version.
 */
import fs from 'node:fs';
import path from 'node:path';
import proto from '@temporalio/proto';
import { Stage } from './support/stage.ts';
import { installTemporal } from './support/temporal-binary.ts';

const [version = ''] = process.argv.slice(2);
if (!/^\d+$/.test(version)) throw new Error('Name the version of the workflow, a number.');
const folder = path.join(import.meta.dirname, 'histories', version);

await installTemporal();
await using stage = await Stage.open();
const [a, b] = [await stage.host('a').start(), await stage.host('b').start()];
const vaults = {
  sleeps: stage.vault('sleeps'),
  ticks: stage.vault('ticks', { schedule: 'every 50s' }),
  nudged: stage.vault('nudged'),
  moves: stage.vault('moves'),
  stays: stage.vault('stays'),
};
const ids = await a.add(...Object.values(vaults).map(({ root }) => root));
await b.add(vaults.moves.root);
const idOf = (name: keyof typeof vaults) => ids[Object.keys(vaults).indexOf(name)] ?? '';
for (const id of ids) await a.says('visited', (event) => event.vault === id && event.code === null);

const ticked = a.heard.length;
vaults.nudged.signal();
await a.says('visited', (event) => event.vault === idOf('nudged'), ticked);
await a.says('visited', (event) => event.vault === idOf('ticks'), ticked);
if (version !== '1') await a.command('nudge', idOf('nudged'));
// The host is killed in the middle of a visit: the engine repeats it.
vaults.stays.mail();
await a.until(() => vaults.stays.isHeld);
await a.signal('SIGKILL');
await a.start();
await a.says('visited', (event) => event.vault === idOf('stays'), a.heard.length);
// More visits than a run may have: it goes on as a new one.
const client = stage.server.client();
const first = await client.workflow.getHandle(idOf('sleeps')).describe();
for (let visits = 0; visits < 40; visits += 1) {
  const from = a.heard.length;
  await client.workflow.getHandle(idOf('sleeps')).signal('nudge');
  await a.says('visited', (event) => event.vault === idOf('sleeps'), from);
}
await client.workflow.getHandle(idOf('moves')).signal('move', b.id);
await b.says('visited', (event) => event.vault === idOf('moves'));

fs.mkdirSync(folder, { recursive: true });
const runs = [
  ...Object.keys(vaults).map((name) => ({ name, id: ids[Object.keys(vaults).indexOf(name)] ?? '', run: undefined })),
  { name: 'renewed', id: idOf('sleeps'), run: first.runId },
];
for (const { name, id, run } of runs) {
  const history = await client.workflow.getHandle(id, run).fetchHistory();
  fs.writeFileSync(path.join(folder, `${name}.pb`), proto.temporal.api.history.v1.History.encode(history).finish());
}
console.log(`${runs.length} histories in ${path.relative(process.cwd(), folder)}`);
