import { readStream } from '../../src/streams/read-stream.ts';
import { unreadStreams } from '../../src/streams/streams.ts';
import type { Bench } from '../support/workspace.ts';

const never = new AbortController().signal;

/** Reads the stream files that were not read yet, as a command does, and returns what became of each. */
export async function readUnread({ ports }: Bench) {
  const results = [];
  for (const file of unreadStreams(ports)) results.push(await readStream(ports, file, never));
  return results;
}

/** Sweeps, reads what was not read yet, and returns which files those were. */
export async function sweepAndRead(bench: Bench): Promise<string[]> {
  await bench.sweep();
  const files = unreadStreams(bench.ports);
  await readUnread(bench);
  return files;
}
