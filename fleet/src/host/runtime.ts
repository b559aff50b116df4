import { type LogLevel, type LogMetadata, Runtime, type RuntimeOptions } from '@temporalio/worker';
import { EXIT, errorReason, StewardError } from '../steward.ts';
import type { HostEvent } from './host-log.ts';

/** The same is said once in this time (ms): while the engine is away each of many askers says that it asks again. */
const AGAIN_MS = 60_000;

/**
 * Sets up the SDK of this process, once: its log comes here without the values and the stacks beside its messages, and
 * workers tell the engine nothing of this machine (a heartbeat of theirs would hold its name). `metrics`: the address
 * (host:port) at which Prometheus finds them; null for none. Throws `metrics-address` (75) where that can't be had.
 */
export function installRuntime(emit: (event: HostEvent) => void, metrics: string | null): Runtime {
  const saidAt = new Map<string, number>();
  const isNews = (says: string) => {
    const [kind, now] = [says.replace(/\d+/g, '#'), Date.now()];
    const isIt = now - (saidAt.get(kind) ?? 0) >= AGAIN_MS;
    if (isIt) saidAt.set(kind, now);
    return isIt;
  };
  const log = (level: LogLevel, says: string, meta?: LogMetadata) => {
    if ((level === 'WARN' || level === 'ERROR') && isNews(says))
      emit({ what: 'engine', level: level.toLowerCase(), says: said(says, meta) });
  };
  const of = (level: LogLevel) => (says: string, meta?: LogMetadata) => log(level, says, meta);
  return installed(metrics, {
    workerHeartbeatInterval: 0,
    logger: { log, trace: of('TRACE'), debug: of('DEBUG'), info: of('INFO'), warn: of('WARN'), error: of('ERROR') },
    telemetryOptions: {
      logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} },
      ...(metrics === null ? {} : { metrics: { prometheus: { bindAddress: metrics, countersTotalSuffix: true } } }),
    },
  });
}

function installed(metrics: string | null, options: RuntimeOptions): Runtime {
  try {
    return Runtime.install(options);
  } catch (error) {
    if (metrics === null) throw error;
    throw new StewardError(
      {
        code: 'metrics-address',
        message: `Metrics can't be served at ${metrics}: ${errorReason(error).split('\n')[0]}.`,
        hint: 'Another program may use the port. Free it, or give another address with --metrics HOST:PORT.',
      },
      EXIT.tryAgain,
      { cause: error },
    );
  }
}

function said(says: string, meta?: LogMetadata): string {
  const id = meta?.workflowId;
  return typeof id === 'string' ? `${says} (${id})` : says;
}
