import { streams } from '../streams/streams.ts';
import type { Own, StartedCapability } from './capability.ts';
import { Reactions } from './changes.ts';
import { CAPABILITIES, type Composition, compose, type Parts } from './compose.ts';
import { FaultBook, SCHEDULE, within } from './faults.ts';
import { Housekeeping } from './housekeeping.ts';
import { RetryQueue } from './queue.ts';
import { SettingsReload } from './settings.ts';
import { Ticker } from './ticker.ts';
import { Timers } from './timers.ts';

/** Everything that runs in a daemon. */
export interface DaemonParts extends Composition {
  readonly timers: Timers;
  readonly retries: RetryQueue;
  readonly ticker: Ticker;
  readonly reactions: Reactions;
  readonly reload: SettingsReload;
  readonly housekeeping: Housekeeping;
  readonly faults: FaultBook;
  readonly started: readonly StartedCapability[];
}

/**
 * Puts together everything that runs in a daemon. Apart from `compose.ts`, so that a command that only reads does not load
 * what it never runs. Throws as `compose` does.
 */
export async function composeDaemon(parts: Parts): Promise<DaemonParts> {
  const { capabilities = CAPABILITIES } = parts;
  const composed = await compose(parts);
  const { space, displaced } = composed;
  const timers = new Timers(space.context.now, parts.loop?.intervals);
  const faults = new FaultBook(space.context);
  const retries = new RetryQueue(space);
  const ticker = new Ticker({ space, retries, timers });
  const { schedules } = ticker;
  const started: StartedCapability[] = [];
  const find: Own['find'] = (capability) => {
    const found = started.find((one) => Object.is(one.capability, capability));
    // The list pairs each capability with what its own `start` returned.
    return (found?.running ?? null) as ReturnType<typeof capability.start> | null;
  };
  const intake = {
    add: (file: string) => within(streams, () => find(streams)?.add(file)),
    idle: async () => find(streams)?.idle(),
  };
  const own = {
    space,
    retries,
    timers,
    schedules,
    find,
    streams: intake,
    caughtUp: async () => {
      await intake.idle();
      within(SCHEDULE, () => schedules.look());
      await ticker.idle();
    },
    demand: parts.demand ?? (() => {}),
    chance: Math.random,
    streamRead: () => {
      for (const { capability, running } of started) within(capability, () => running.streamRead?.());
    },
  };
  for (const capability of capabilities) {
    const reportFault = (error: unknown) => faults.caught(capability, error);
    const running = await within(capability, () => capability.start({ ...own, reportFault }));
    if (running !== null) started.push({ capability, running });
  }
  const reactions = new Reactions({ space, schedules, retries, timers, newsAbout: (path) => ticker.newsAbout(path) });
  const reload = new SettingsReload({ space, retries, schedules, started });
  const housekeeping = new Housekeeping({ space, displaced, retries, timers, started });
  return { ...composed, faults, timers, retries, ticker, reactions, reload, housekeeping, started };
}
