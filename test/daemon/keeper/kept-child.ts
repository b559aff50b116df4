// A daemon in a process of its own, whose lease is as long as a test wants it. Ends as `steward run` does: 75 where its vault
// is lost. Prints each event as a line of JSON.
import { once } from 'node:events';
import path from 'node:path';
import { z } from 'zod';
import { Daemon } from '../../../src/daemon/daemon.ts';
import { FileLeaseProvider } from '../../../src/daemon/lease.ts';
import { StewardError } from '../../../src/vault/errors.ts';

const order = z.object({ root: z.string(), out: z.string(), leaseMs: z.number() });
const { root, out, leaseMs } = order.parse(JSON.parse(process.argv[2] ?? ''));

const say = (event: object) => process.stdout.write(`${JSON.stringify(event)}\n`);
const paths = { socket: path.join(out, 's.sock'), snapshot: path.join(out, 's.json') };
const env = {
  ceiling: 'live',
  confidenceThreshold: null,
  highConfidenceThreshold: null,
  sealKey: path.join(out, '..', 'seal-key'), // one for all who keep the vault, as a credential gives it
  lockMemories: path.join(out, 'locks'),
} as const;
const parts = { root, env, now: Date.now, emit: say };
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());

try {
  const daemon = await Daemon.start(parts, paths, stop.signal, new FileLeaseProvider({ ...parts, paths, leaseMs }));
  const ends = AbortSignal.any([stop.signal, daemon.lost]);
  if (!ends.aborted) await once(ends, 'abort');
  await daemon[Symbol.asyncDispose]();
  if (daemon.lost.aborted && !stop.signal.aborted) throw daemon.lost.reason;
  process.exit(0);
} catch (error) {
  if (!(error instanceof StewardError)) throw error;
  say({ what: 'ended', code: error.trouble.code, message: error.message });
  process.exit(error.exit);
}
