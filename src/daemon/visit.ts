import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { awayRefusal } from '../vault/errors.ts';
import type { Parts } from './compose.ts';
import { Daemon } from './daemon.ts';
import type { Keeper } from './keeper.ts';
import type { RuntimePaths } from './server/runtime-paths.ts';

/** What lies no further ahead (ms) is waited for: a note that was just edited has to keep still for half a minute. */
const SOON_MS = 45_000;
/** A visit waits no longer (ms) in all for what is to be done soon, however often there is more. */
const PATIENCE_MS = 60_000;
/** A vault that lost most of a folder is believed after ten seconds; one that is away for longer (ms) is left. */
const AWAY_PATIENCE_MS = 15_000;
/** How often (ms) it is looked whether work that is under way has ended, and whether the vault is back. */
const BETWEEN_MS = 100;
const AWAY_BETWEEN_MS = 1_000;

/** What a visit found: until when nothing is to be done (epoch ms; null: until something changes), and the vault's epoch. */
export interface Visited {
  readonly until: number | null;
  readonly epoch: number;
}

/**
 * Looks after a vault once: takes it, does all that is due, waits a moment for what is due soon, and leaves it in order.
 * At `stop` it leaves at once, and says by `until` that something may be left to do. Throws `vault-locked`, `vault-away`
 * and what the disk refuses (75), and `lock-lost` (75) where the vault was lost meanwhile: then nothing more was written.
 *
 * LAW: a vault that is visited at just the moments that its visits name ends as one that a daemon never left.
 */
export async function visit(parts: Parts, paths: RuntimePaths, keeper: Keeper, stop: AbortSignal): Promise<Visited> {
  const daemon = await Daemon.start(parts, paths, stop, keeper);
  let until: number | null = null;
  try {
    until = await settled(daemon, parts.now, AbortSignal.any([stop, daemon.lost]));
  } finally {
    await daemon[Symbol.asyncDispose]();
  }
  if (daemon.lost.aborted) throw daemon.lost.reason;
  return { until, epoch: daemon.epoch };
}

async function settled(daemon: Daemon, now: () => number, end: AbortSignal): Promise<number | null> {
  const began = performance.now();
  for (;;) {
    await unless(end, caughtUp(daemon));
    if (end.aborted) return now();
    const passed = performance.now() - began;
    const { away } = daemon;
    if (away !== null && passed > AWAY_PATIENCE_MS) throw awayRefusal(away);
    const until = away === null ? daemon.restsUntil() : now() + AWAY_BETWEEN_MS;
    const ahead = until === null ? Number.POSITIVE_INFINITY : Math.max(until - now(), BETWEEN_MS);
    if (ahead > SOON_MS || passed + ahead > PATIENCE_MS) return until;
    await wait(ahead, undefined, { signal: end }).catch(() => {});
  }
}

// Believes the disk and the clock: what the machine slept through counts as well.
async function caughtUp(daemon: Daemon): Promise<void> {
  await daemon.wake();
  await daemon.idle();
}

async function unless(end: AbortSignal, work: Promise<void>): Promise<void> {
  if (end.aborted) return;
  const done = new AbortController();
  await Promise.race([work, once(end, 'abort', { signal: done.signal }).catch(() => {})]).finally(() => done.abort());
}
