import type { DaemonParts } from './compose-daemon.ts';
import type { Awaiting } from './queues.ts';
import { earliest } from './timers.ts';

/**
 * Returns when the next thing is done in a vault where nothing changes (epoch ms): now while work is under way, null where
 * nothing is awaited. While the vault is away nothing is done: that it is back, somebody has to notice.
 */
export function restsUntil(parts: DaemonParts, awaiting: Awaiting): number | null {
  const { space, recovery, timers, retries, streams, roundtables, ticker, sources, housekeeping, notifier, plane } =
    parts;
  if (space.vault.away !== null) return null;
  const { now, nextTry } = awaiting;
  const isBusy = !space.vault.isIdle || !roundtables.isIdle || !notifier.isIdle || plane?.isIdle === false;
  return earliest([
    isBusy ? now : null,
    recovery.isPending ? nextTry : null,
    timers.next,
    retries.restsUntil(awaiting),
    streams.restsUntil(awaiting),
    ticker.restsUntil(now),
    sources.restsUntil(now),
    housekeeping.restsUntil,
  ]);
}

/** Resolves when everything that has been taken up so far is done. */
export async function drained({ streams, retries, ticker, roundtables, plane, notifier }: DaemonParts): Promise<void> {
  await streams.drained(); // the signals they give are routed
  await retries.drained();
  await ticker.drained();
  await roundtables.drained();
  await plane?.drained();
  await notifier.drained();
}

/** Takes up nothing more, and resolves when what is in flight has ended. */
export async function closed(parts: DaemonParts): Promise<void> {
  const { timers, ticker, retries, streams, roundtables, plane, sources, notifier } = parts;
  timers.close();
  await Promise.all([sources, ticker, retries, streams, roundtables, plane, notifier].map((queue) => queue?.close()));
}

/** Resolves when some work is done, or after so many ms. */
export async function settledWithin(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const cut = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.then(() => undefined), cut]);
  clearTimeout(timer);
}
