import fs from 'node:fs';
import readline from 'node:readline';
import { Daemon } from '../../src/daemon/daemon.ts';

/**
 * A daemon as a separate process, for limits that hold for a process. Prints each event as a line of JSON. Each line on
 * stdin wakes it, and may set a limit first.
 */
const [root = '', socket = '', snapshot = ''] = process.argv.slice(2);
const tell = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);
const env = { ceiling: 'live', confidenceThreshold: null, highConfidenceThreshold: null } as const;
const daemon = await Daemon.start({ root, env, now: Date.now, emit: tell }, { socket, snapshot });
for await (const line of readline.createInterface(process.stdin)) {
  const [, limit, left] = /^(max_\w+) (\d+)$/.exec(line) ?? [];
  if (limit !== undefined && left !== undefined) fs.writeFileSync(`/proc/sys/user/${limit}`, left);
  await daemon.wake();
  await daemon.idle();
  tell({ what: 'woken', status: daemon.status() });
}
await daemon[Symbol.asyncDispose]();
