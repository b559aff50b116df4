import fs from 'node:fs';
import readline from 'node:readline';
import { compose, prepare } from '../../src/daemon/compose.ts';
import { orderOf } from '../../src/daemon/doors.ts';
import { Lock } from '../../src/daemon/lock.ts';
import { answerAll, tickAll, undoAll } from '../../src/daemon/operations.ts';
import { recover } from '../../src/daemon/recover.ts';
import { readStream, unreadStreams } from '../../src/daemon/streams.ts';
import { Targets } from '../../src/daemon/targets.ts';
import { undo } from '../../src/daemon/undo.ts';
import type { Workspace } from '../../src/daemon/workspace.ts';
import { systemExchange } from '../../src/vault/exchange.ts';
import { ownPlaces } from '../../src/vault/layout.ts';
import { Publisher } from '../../src/vault/publish.ts';
import type { Job, Report } from './job.ts';
import { Meddling } from './meddle.ts';

/**
 * One piece of work on a vault, as a one-shot command does it: lock, recovery, the work, state saved, lock given back.
 * As a process it reads jobs from stdin, one line of JSON each, and answers each with one line: so a tracer can be
 * attached after everything is loaded, and its counting begins with the job.
 */
export async function run(job: Job): Promise<Report> {
  try {
    await withVault(job);
    return { ok: true };
  } catch (error) {
    const trouble = error instanceof Error && 'trouble' in error ? (error.trouble as { code: string }) : null;
    return { ok: false, code: trouble?.code ?? null, message: error instanceof Error ? error.message : String(error) };
  }
}

async function withVault(job: Job): Promise<void> {
  const places = ownPlaces(job.root);
  prepare(places);
  const lock = Lock.take(places.lock, { role: 'command', socket: null }, Date.now());
  try {
    const env = { ceiling: 'live' as const, confidenceThreshold: null, highConfidenceThreshold: null };
    const space = await compose({ root: job.root, env, now: Date.now, say: () => {} });
    const others = new Meddling(job.root, job.meddle);
    const exchange = job.exchange ? others.exchange(systemExchange()) : null;
    const { tmp, history } = places;
    Object.assign(space, { publisher: new Publisher({ root: job.root, tmp, history, exchange }) });
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

if (process.argv[1] === import.meta.filename) {
  systemExchange(); // loads what it needs, so that the first job makes the same calls as the next
  fs.writeSync(1, 'ready\n');
  readline.createInterface({ input: process.stdin }).on('line', async (line) => {
    const report = await run(JSON.parse(line) as Job);
    process.stdout.write(`${JSON.stringify(report)}\n`);
  });
}
