import fs from 'node:fs';
import readline from 'node:readline';
import { answerAll, undoAll } from '../../src/daemon/answers.ts';
import type { Parts } from '../../src/daemon/compose.ts';
import type { Workspace } from '../../src/daemon/context.ts';
import { Daemon } from '../../src/daemon/daemon.ts';
import type { Environment } from '../../src/daemon/environment.ts';
import { oneShot } from '../../src/daemon/one-shot.ts';
import { tickAll } from '../../src/daemon/ticker.ts';
import { readOrder } from '../../src/steward/answer.ts';
import { parseSchedule } from '../../src/steward/schedule.ts';
import { readStream } from '../../src/streams/read-stream.ts';
import { unreadStreams } from '../../src/streams/streams.ts';
import { undo } from '../../src/undo/undo.ts';
import { systemExchange } from '../../src/vault/files.ts';
import { arrive } from './arrive.ts';
import { fetchAll } from './fetching.ts';
import { type Arrival, type Job, type Report, WAITS } from './job.ts';
import { markKeyOf } from './marks.ts';
import { Meddling } from './meddle.ts';

type Arrive = (arrival: Arrival) => Promise<void>;

const LIVE: Environment = { ceiling: 'live', confidenceThreshold: null, highConfidenceThreshold: null };

/**
 * Does one piece of work on a vault, as a one-shot command does it (lock, recovery, the work, saving state, unlocking),
 * or runs a whole daemon. As a process it reads jobs from stdin, one line of JSON each, and answers each with one line.
 * A tracer can thus be attached after everything is loaded, and it counts calls from the beginning of the job.
 */
export async function run(job: Job, arriving: Arrive = async (one) => arrive(job.root, one)): Promise<Report> {
  try {
    await (job.op === 'daemon' ? withDaemon(job, arriving) : withVault(job));
    return { ok: true };
  } catch (error) {
    const trouble = error instanceof Error && 'trouble' in error ? (error.trouble as { code: string }) : null;
    return { ok: false, code: trouble?.code ?? null, message: error instanceof Error ? error.message : String(error) };
  }
}

async function withDaemon(job: Job, arriving: Arrive): Promise<void> {
  const outside = { socket: `${job.root}.sock`, snapshot: `${job.root}.snapshot` };
  const daemon = await Daemon.start(partsOf(job), outside);
  try {
    for (const arrival of job.arrivals ?? []) {
      await arriving(arrival);
      // The next file arrives only when this one has been read: settings that were read late would change the outcome.
      for (let left = job.again ?? 0; left >= 0; left -= 1) await believed(daemon);
    }
  } finally {
    await daemon[Symbol.asyncDispose]();
  }
}

// What the daemon does once a minute. It reports a sweep that fails, and the next one tries again.
async function believed(daemon: Daemon): Promise<void> {
  await daemon.wake().catch(() => undefined);
  await daemon.idle();
}

async function withVault(job: Job): Promise<void> {
  const others = new Meddling(job.root, job.meddle);
  const exchange = job.meddle === undefined || !job.exchange ? {} : { exchange: others.exchange(systemExchange()) };
  await oneShot({ ...partsOf(job), ...exchange }, async (space) => {
    others.begin();
    await tried(space, job);
    others.end();
  });
}

function partsOf({ root, exchange }: Job): Parts {
  const parts = { root, env: { ...LIVE, sealKey: markKeyOf(root) }, now: Date.now, emit: () => {} };
  return exchange ? parts : { ...parts, exchange: null };
}

// Tries again what failed, as the daemon does: it stays alive when the disk refuses something.
async function tried(space: Workspace, job: Job): Promise<void> {
  for (let left = job.again ?? 0; ; left -= 1) {
    try {
      await work(space, job);
      return;
    } catch (error) {
      if (left <= 0) throw error;
      await space.vault.sweep();
    }
  }
}

async function work(space: Workspace, job: Job): Promise<void> {
  const events = job.event === undefined ? [] : [job.event];
  switch (job.op) {
    case 'recover':
    case 'daemon':
      return;
    case 'tick':
      await tickAll(space, { matters: [], force: true, mode: null }, new AbortController().signal);
      return;
    case 'undo':
      await undoAll(space, { events, last: null, reason: null, force: false, dryRun: false });
      return;
    case 'confirm':
    case 'dismiss':
      await answerAll(space, { kind: job.op, events, dryRun: false });
      return;
    case 'dismiss all': {
      await tickAll(space, { matters: [], force: true, mode: null }, new AbortController().signal);
      const filter = { matter: null, class: null, minConfidence: null, source: null };
      await answerAll(space, { kind: 'dismiss', events: [], filter, later: false, dryRun: false });
      return;
    }
    case 'dropped':
      for (const entry of space.vault.catalogue.reversals()) {
        const order = readOrder(space, null, entry);
        if (order?.kind === 'undo') undo(space, order.order);
      }
      return;
    case 'fetch':
      return fetchAll(space, 'mail');
    case 'fetch to read':
      return fetchAll(space, 'quote');
    case 'stream': {
      const never = new AbortController().signal;
      for (const file of unreadStreams(space)) await readStream(space, file, never);
    }
  }
}

async function serve(): Promise<void> {
  // Both load what they need now, so that the first job makes the same calls as the next.
  systemExchange();
  parseSchedule('0 5 * * *');
  const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const waiting = async () => {
    tell(WAITS);
    await lines.next();
  };
  tell('ready');
  for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
    const report = await run(JSON.parse(line.value) as Job, waiting);
    tell(JSON.stringify(report));
  }
}

// The call that is made to fail may be this very one.
function tell(line: string): void {
  for (let tries = 0; ; tries += 1) {
    try {
      fs.writeSync(1, `${line}\n`);
      return;
    } catch (error) {
      if (tries === 9) throw error;
    }
  }
}

if (process.argv[1] === import.meta.filename) await serve();
