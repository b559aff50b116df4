import path from 'node:path';
import { type Aim, atMostTimes, type Row, rowOf } from '../figures/row.ts';
import { interleaved, type Samples } from '../figures/samples.ts';
import { processMs, STEWARD } from '../processes/child.ts';
import { startDaemon } from '../processes/daemon.ts';
import { matterPath } from '../vault.ts';
import type { Bench } from '../vaults.ts';

const EXAMPLE = path.join(import.meta.dirname, '..', '..', '..', 'vault-example');
const [MAX_ASKED, MAX_READ] = [2.5, 15];

/** How long a person waits for a command on a large vault: with a daemon in vaults of two sizes, and `status` without one. */
export async function measureStatus({ home, isQuick, vaults }: Bench): Promise<Row[]> {
  const rounds = isQuick ? 5 : 15;
  const sizes = isQuick ? [2_000] : [10_000, 100_000];
  const node = () => processMs(home, ['-e', '0']);
  const run =
    (root: string, ...words: string[]) =>
    () =>
      processMs(home, [STEWARD, ...words, '--vault', root]);
  const row = (id: string, what: string, measured: Samples, { node, aim }: { node: Samples; aim: Aim }) =>
    rowOf({ id: `status.${id}`, what, measured, floor: { of: 'node -e 0', samples: node }, aim });
  const rows: Row[] = [];
  for (const size of sizes) {
    const vault = vaults.sized(size);
    const daemon = await startDaemon(home, vault);
    const matter = path.basename(matterPath(0), '.md');
    const measures = {
      node,
      status: run(vault, 'status'),
      log: run(vault, 'log'),
      inbox: run(vault, 'inbox'),
      explain: run(vault, 'explain', matter),
      doctor: run(vault, 'doctor'),
    };
    await interleaved(2, measures); // fills Node's compile cache
    const { node: floor, ...found } = await interleaved(rounds, measures);
    await daemon.stop();
    const notes = `${size.toLocaleString('en')} notes`;
    for (const [command, samples] of Object.entries(found)) {
      const what = `steward ${command}, a daemon runs, ${notes}`;
      rows.push(row(`${command}.${size}`, what, samples, { node: floor, aim: atMostTimes(MAX_ASKED) }));
    }
  }
  const [size = 0] = sizes;
  const without = { node, example: run(EXAMPLE, 'status'), large: run(vaults.sized(size), 'status') };
  await interleaved(2, without);
  const stopped = await interleaved(rounds, without);
  const read = { node: stopped.node, aim: atMostTimes(MAX_READ) };
  return [
    ...rows,
    row('example', 'steward status, no daemon, vault-example', stopped.example, read),
    row('read', `… no daemon, ${size.toLocaleString('en')} notes`, stopped.large, read),
  ];
}
