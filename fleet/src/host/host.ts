import path from 'node:path';
import { Context } from '@temporalio/activity';
import { Client, Connection } from '@temporalio/client';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';
import { connectionOptions, type EngineAccess, engineAway } from '../engine/engine.ts';
import { Keepers } from '../engine/keepers.ts';
import type { Visits } from '../workflow/signals.ts';
import type { HostEvent } from './host-log.ts';
import { Reconciler } from './reconciler.ts';
import type { Registry } from './registry.ts';
import { Sleepers } from './sleepers.ts';
import type { Standing, Standings } from './standings.ts';
import { BrokenOff, HostVisits, type VisitVault } from './visits.ts';

/** How often (ms) a visit tells the engine that it goes on: it may miss two of them. */
const HEARTBEAT_MS = 4_000;
/** How long (ms) visits may take to leave in order when the host stops. */
const STOP_WITHIN_MS = 20_000;
/** In the installed package all code is in `dist`. */
const IS_PACKAGED = !import.meta.filename.endsWith('.ts');
const DIST = IS_PACKAGED ? import.meta.dirname : path.resolve(import.meta.dirname, '..', '..', 'dist');
const FAILURES = IS_PACKAGED
  ? path.join(DIST, 'failures.js')
  : path.join(import.meta.dirname, '..', 'engine', 'failures.ts');

interface HostParts {
  readonly access: EngineAccess;
  readonly registry: Registry;
  readonly standings: Standings;
  readonly visitVault: VisitVault;
  readonly folders: readonly string[];
  /** So many vaults are open at once. */
  readonly visitsAtOnce: number;
  /** So many workflows are kept in memory; another is read anew when it wakes. */
  readonly cached: number;
  readonly emit: (event: HostEvent) => void;
}

/**
 * Serves the vaults of this host until `stop` or a signal to the process: visits them when the engine says so, and watches
 * those that sleep. Throws `engine-away` (75) where the engine cannot be reached at the start.
 */
export async function serve(parts: HostParts, stop: AbortSignal): Promise<void> {
  const { access, registry, standings, emit } = parts;
  const connection = await connected(access);
  // Lazily: nudges wait for an engine that is away.
  const client = new Client({
    connection: Connection.lazy(connectionOptions(access)),
    namespace: access.namespace,
    identity: registry.host,
  });
  const keepers = new Keepers(client);
  const nudge = async (id: string) => {
    if (await keepers.nudge(id, registry.host)) emit({ what: 'nudged', vault: id });
  };
  const failed = (vault: string) => emit({ what: 'unwatched', vault });
  const sleepers = new Sleepers({ registry, standings, nudge, failed });
  const visits = new HostVisits({ ...parts, sleepers, now: Date.now });
  const worker = await workerFor(parts, visits, connection);
  const watcher = registry.watch((id) => void sleepers.follow(id));
  stop.addEventListener('abort', () => worker.shutdown());
  const running = worker.run();
  emit({ what: 'serving', host: registry.host, vaults: registry.ids().length });
  const reconciler = new Reconciler({ registry, standings, visits, keepers, nudge, now: Date.now, emit });
  reconciler.start();
  void sleepers.start();
  try {
    await running;
  } finally {
    reconciler.close();
    watcher.close();
    await sleepers.close();
    standings.flush();
    await client.connection.close();
    await connection.close();
    emit({ what: 'stopped' });
  }
}

async function connected(access: EngineAccess): Promise<NativeConnection> {
  try {
    return await NativeConnection.connect(connectionOptions(access));
  } catch (error) {
    throw engineAway(access, error);
  }
}

function workerFor(parts: HostParts, visits: HostVisits, connection: NativeConnection): Promise<Worker> {
  const { access, registry, visitsAtOnce, cached } = parts;
  return Worker.create({
    connection,
    namespace: access.namespace,
    taskQueue: registry.host,
    identity: registry.host,
    workflowBundle: { codePath: path.join(DIST, 'workflow.js') },
    dataConverter: { failureConverterPath: FAILURES },
    activities: {
      visitVault: async () => {
        const { until, code } = await oneVisit(visits);
        return { restMs: until === null ? null : Math.max(0, until - Date.now()), code };
      },
      visit: async () => (await oneVisit(visits)).until,
    } satisfies Visits,
    maxConcurrentActivityTaskExecutions: visitsAtOnce,
    maxCachedWorkflows: cached,
    stickyQueueScheduleToStartTimeout: '3 s',
    maxHeartbeatThrottleInterval: HEARTBEAT_MS,
    shutdownGraceTime: 0,
    shutdownForceTime: STOP_WITHIN_MS,
  });
}

// Whatever is thrown goes to the engine as one word.
async function oneVisit(visits: HostVisits): Promise<Standing> {
  const { info, cancellationSignal, heartbeat } = Context.current();
  const beat = setInterval(() => heartbeat(), HEARTBEAT_MS / 2);
  try {
    return await visits.visit(info.workflowExecution?.workflowId ?? '', cancellationSignal);
  } catch (error) {
    if (cancellationSignal.aborted) throw new CancelledFailure('stopped');
    if (process.env.STEWARD_DEBUG === '1') console.error(error);
    const code = error instanceof BrokenOff ? error.code : 'fault';
    throw ApplicationFailure.create({ type: code, message: code });
  } finally {
    clearInterval(beat);
  }
}
