import fs from 'node:fs';
import readline from 'node:readline';
import { compose, prepare } from '../../src/daemon/compose.ts';
import { Daemon } from '../../src/daemon/daemon.ts';
import { orderOf } from '../../src/daemon/doors.ts';
import type { Environment } from '../../src/daemon/environment.ts';
import { Lock } from '../../src/daemon/lock.ts';
import { answerAll, tickAll, undoAll } from '../../src/daemon/operations.ts';
import { recover } from '../../src/daemon/recover.ts';
import { readStream, unreadStreams } from '../../src/daemon/streams.ts';
import { Targets } from '../../src/daemon/targets.ts';
import { undo } from '../../src/daemon/undo.ts';
import type { Workspace } from '../../src/daemon/workspace.ts';
import { type Exchange, systemExchange } from '../../src/vault/exchange.ts';
import { ownPlaces } from '../../src/vault/layout.ts';
import { Publisher } from '../../src/vault/publish.ts';
import { arrive } from './arrive.ts';
import { type Arrival, type Job, type Report, WAITS } from './job.ts';
import { Meddling } from './meddle.ts';

type Arrive = (arrival: Arrival) => Promise<void>;

const LIVE: Environment = { ceiling: 'live', confidenceThreshold: null, highConfidenceThreshold: null };

/**
 * One piece of work on a vault, as a one-shot command does it: lock, recovery, the work, state saved, lock given back;
 * or a whole daemon. As a process it reads jobs from stdin, one line of JSON each, and answers each with one line: so a
 * tracer can be attached after everything is loaded, and its counting begins with the job.
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
  const daemon = await Daemon.start({ root: job.root, env: LIVE, now: Date.now, say: () => {} }, outside);
  try {
    if (!job.exchange) publishBy(daemon.space, null);
    for (const arrival of job.arrivals ?? []) {
      await arriving(arrival);
      await believed(daemon);
    }
    for (let left = job.again ?? 0; left > 0; left -= 1) await believed(daemon);
  } finally {
    await daemon[Symbol.asyncDispose]();
  }
}

// As once a minute; a sweep that fails is said, and the next one tries again.
async function believed(daemon: Daemon): Promise<void> {
  await daemon.wake().catch(() => undefined);
  await daemon.settled();
}

async function withVault(job: Job): Promise<void> {
  const places = ownPlaces(job.root);
  prepare(places);
  const lock = Lock.take(places.lock, { role: 'command', socket: null }, Date.now());
  try {
    const space = await compose({ root: job.root, env: LIVE, now: Date.now, say: () => {} });
    const others = new Meddling(job.root, job.meddle);
    publishBy(space, job.exchange ? others.exchange(systemExchange()) : null);
    recover(space);
    others.begin();
    await tried(space, job);
    others.end();
    space.displaced.close();
    space.state.flush();
  } finally {
    lock.release();
  }
}

function publishBy(space: Workspace, exchange: Exchange | null): void {
  const { tmp, history } = space.places;
  const withdrawn = (note: string, file: string, sha: string) => space.displaced.keepWatch(note, file, sha);
  Object.assign(space, { publisher: new Publisher({ root: space.vault.root, tmp, history, exchange, withdrawn }) });
}

// The daemon lives on where the disk refuses, and tries again what failed.
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
    case 'dropped':
      for (const entry of space.vault.catalogue.reversals()) {
        const order = orderOf(space, null, entry);
        if (order?.kind === 'undo') undo(space, order.order);
      }
      return;
    case 'stream': {
      const targets = new Targets(space.vault.catalogue);
      for (const file of unreadStreams(space)) await readStream(space, targets, file);
    }
  }
}

async function serve(): Promise<void> {
  systemExchange(); // loads what it needs, so that the first job makes the same calls as the next
  const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const waiting = async () => {
    fs.writeSync(1, `${WAITS}\n`);
    await lines.next();
  };
  fs.writeSync(1, 'ready\n');
  for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
    const report = await run(JSON.parse(line.value) as Job, waiting);
    process.stdout.write(`${JSON.stringify(report)}\n`);
  }
}

if (process.argv[1] === import.meta.filename) await serve();
