import { type Composed, compose, type Parts } from './compose.ts';
import { Edits } from './edits.ts';
import { FaultBook } from './faults/fault-book.ts';
import { Clearing } from './fetched-mails.ts';
import { Housekeeping } from './housekeeping.ts';
import { Streams } from './ingest-queue.ts';
import { Notifier } from './notify.ts';
import type { PlaneWork } from './plane-work.ts';
import { RetryQueue } from './queues.ts';
import { Reactions } from './reactions.ts';
import { Deliberations, RoundtableQueue } from './roundtable.ts';
import { within } from './runtime/component.ts';
import { SettingsReload } from './settings-reload.ts';
import { SourceWork } from './source-work.ts';
import { connectorFor } from './sources/connectors.ts';
import { Ticker } from './ticker.ts';
import { Timers } from './timers.ts';

/** Everything that runs in a daemon. `streams` stands apart: a large mail must not hold up an order or a strong signal. */
export interface DaemonParts extends Composed {
  readonly timers: Timers;
  readonly retries: RetryQueue;
  readonly streams: Streams;
  readonly roundtables: RoundtableQueue;
  readonly ticker: Ticker;
  readonly reactions: Reactions;
  readonly edits: Edits;
  readonly reload: SettingsReload;
  readonly housekeeping: Housekeeping;
  readonly sources: SourceWork;
  readonly clearing: Clearing;
  readonly notifier: Notifier;
  readonly faults: FaultBook;
  /** Null where the environment names no Plane. */
  readonly plane: PlaneWork | null;
}

/**
 * Puts together everything that runs in a daemon. Apart from `compose.ts`, so that a command that only reads does not load
 * what it never runs. Throws as `compose` does.
 */
export async function composeDaemon(parts: Parts): Promise<DaemonParts> {
  const composed = await compose({ ...parts, watches: true });
  const { space, displaced } = composed;
  const timers = new Timers(space.context.now, parts.loop?.beats);
  const faults = new FaultBook(space.context);
  const retries = new RetryQueue(space);
  const clearing = new Clearing({ space, retries, timers });
  const streams = new Streams(space, timers, () => within('sources', () => clearing.soon()));
  const roundtables = new RoundtableQueue(space);
  const ticker = new Ticker({ space, retries, timers });
  const { schedules } = ticker;
  const deliberations = new Deliberations({ space, roundtables, retries, timers });
  const reactions = new Reactions({ space, schedules, retries, streams, timers, deliberations });
  const edits = new Edits({ space, retries, timers, schedules });
  const reload = new SettingsReload({ space, retries, streams, schedules });
  const sources = new SourceWork({
    space,
    streams,
    retries,
    connect: connectorFor,
    chance: Math.random,
    demand: parts.demand ?? (() => {}),
    unexpected: (error) => faults.caught('sources', error),
  });
  const housekeeping = new Housekeeping({ space, displaced, retries, timers, sources });
  const plane = await planeFor({ space, retries, timers });
  const access = parts.env.notify ?? null;
  const notifier = new Notifier({ space, retries, timers, access, chance: Math.random });
  const loops = { ticker, reactions, edits, reload, sources, housekeeping, clearing, notifier, plane };
  return { ...composed, faults, timers, retries, streams, roundtables, ...loops };
}

// Without Plane in the environment nothing of it is loaded.
async function planeFor(parts: Pick<DaemonParts, 'space' | 'retries' | 'timers'>): Promise<PlaneWork | null> {
  const access = parts.space.context.env.plane ?? null;
  if (access === null) return null;
  const { PlaneWork } = await import('./plane-work.ts');
  return new PlaneWork({ ...parts, access, chance: Math.random });
}
