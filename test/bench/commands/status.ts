import path from 'node:path';
import { type Aim, atMostTimes, type Row, rowOf } from '../figures/row.ts';
import { interleaved, type Samples } from '../figures/samples.ts';
import { processMs, STEWARD } from '../processes/child.ts';
import { startDaemon } from '../processes/daemon.ts';
import type { Bench } from '../vaults.ts';

const EXAMPLE = path.join(import.meta.dirname, '..', '..', '..', 'vault-example');
const [MAX_ASKED, MAX_READ] = [1.5, 4];

/** How long a person waits for `steward status` on a large vault, with a daemon and without one. */
export async function measureStatus({ home, isQuick, vaults }: Bench): Promise<Row[]> {
  const rounds = isQuick ? 5 : 15;
  const size = isQuick ? 2_000 : 10_000;
  const vault = vaults.sized(size);
  const node = () => processMs(home, ['-e', '0']);
  const of = (root: string) => () => processMs(home, [STEWARD, 'status', '--vault', root]);
  const daemon = await startDaemon(home, vault);
  const withDaemon = { node, status: of(vault) };
  await interleaved(2, withDaemon); // fills Node's compile cache
  const running = await interleaved(rounds, withDaemon);
  await daemon.stop();
  const without = { node, example: of(EXAMPLE), large: of(vault) };
  await interleaved(2, without);
  const stopped = await interleaved(rounds, without);
  const row = (id: string, what: string, measured: Samples, { node, aim }: { node: Samples; aim: Aim }) =>
    rowOf({ id: `status.${id}`, what, measured, floor: { of: 'node -e 0', samples: node }, aim });
  const notes = `${size.toLocaleString('en')} notes`;
  const [asked, read] = [atMostTimes(MAX_ASKED), atMostTimes(MAX_READ)];
  return [
    row('asked', `steward status, a daemon runs, ${notes}`, running.status, { node: running.node, aim: asked }),
    row('example', '… no daemon, vault-example', stopped.example, { node: stopped.node, aim: read }),
    row('read', `… no daemon, ${notes}`, stopped.large, { node: stopped.node, aim: read }),
  ];
}
