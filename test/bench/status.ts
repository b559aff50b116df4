import path from 'node:path';
import { interleaved, processMs, type Row, type Samples, STEWARD, startDaemon, times } from './measure.ts';

const EXAMPLE = path.join(import.meta.dirname, '..', '..', 'vault-example');

/** 7: how long a person waits for `steward status` on a large vault, with a daemon and without one. */
export async function measureStatus(home: string, vault: string, rounds: number): Promise<Row[]> {
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
  return [
    row('7  steward status, daemon running', running.status, running.node, true),
    row('   … without a daemon, vault-example', stopped.example, stopped.node, true),
    row('   … without a daemon, the large vault', stopped.large, stopped.node, false),
  ];
}

function row(what: string, measured: Samples, node: Samples, aimed: boolean): Row {
  const ratio = measured.median / node.median;
  return {
    what,
    measured: measured.toString(),
    floor: `node -e 0 ${node}`,
    ratio: times(ratio),
    aim: aimed ? '≤ 2 ×' : '',
    met: aimed ? ratio <= 2 : null,
  };
}
