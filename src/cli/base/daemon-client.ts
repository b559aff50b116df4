import fs from 'node:fs';
import path from 'node:path';
import { type Asked, ask, type Waiting } from '../../daemon/server/client.ts';
import type { Request } from '../../daemon/server/protocol.ts';
import { daemonSocket } from '../../daemon/server/runtime-paths.ts';
import { demandOwnSocket } from '../../daemon/server/socket-place.ts';
import { EXIT, StewardError } from '../../vault/errors.ts';
import type { CommandContext } from './context.ts';

// Apart from `hand-over.ts`, which loads the whole steward: `steward status` only asks, and should answer at once.

/**
 * How long a running daemon may take to answer: that it is there is said at once, while a tick may last five minutes. Of work
 * that tells of its progress: how long it may be silent.
 */
const TIMEOUT_MS: Readonly<Record<Request['op'], number>> = {
  alive: 2_000,
  status: 2_000,
  log: 10_000,
  import: 120_000,
  undo: 60_000,
  answer: 330_000, // of many proposals at once
  propose: 60_000,
  'bank-format': 10_000,
  'source-test': 180_000, // a server may take its time, and so may the command that prints a token
  sources: 10_000,
  'source-try': 180_000,
  'source-add': 60_000,
  'source-pause': 60_000,
  report: 60_000,
  'notify-test': 120_000, // each channel may take its time
  tick: 330_000,
  reserve: 10_000,
  question: 10_000,
  record: 10_000,
  roundtable: 6 * 3_600_000, // many agents, one after the other, over several rounds
};

/** How long the status may take of a daemon that is known to be alive: a large vault on a busy machine has megabytes to tell. */
const STATUS_MS = 60_000;

/**
 * Asks the vault's daemon: returns its reply, or `absent` where none runs and `stalled` where one does not answer. Throws
 * `socket-place` (75) where somebody else could answer in its place, and the reason of who leaves.
 */
export async function askDaemon(
  context: CommandContext,
  root: string,
  request: Request,
  waiting?: Waiting,
): Promise<Asked> {
  const socket = daemonSocket(root, context.env);
  demandOwnSocket(socket, root);
  const vault = withoutLinks(root);
  const asked = await ask(socket, { ...request, vault }, TIMEOUT_MS[request.op], waiting);
  if (asked !== 'stalled' || request.op !== 'status') return asked;
  // Only who is silent altogether is stalled: for a slow one, the whole vault would be read instead.
  const alive = await ask(socket, { op: 'alive', vault }, TIMEOUT_MS.alive);
  return typeof alive === 'string' ? alive : ask(socket, { ...request, vault }, STATUS_MS);
}

function withoutLinks(root: string): string {
  try {
    return fs.realpathSync.native(root);
  } catch {
    return path.resolve(root); // the vault is away
  }
}

/** Returns the error `daemon-stalled` (75), for a command that needs an answer. */
export function daemonStalled(): StewardError {
  return new StewardError(
    {
      code: 'daemon-stalled',
      message: 'The daemon holds the vault, but gives no answer.',
      hint: 'Try again in a moment; if that fails, restart the daemon.',
    },
    EXIT.tryAgain,
  );
}
