import { readEnvironment } from '../../daemon/context/environment.ts';
import { Daemon } from '../../daemon/daemon.ts';
import { aborted } from '../../daemon/runtime/aborted.ts';
import { programUpdate } from '../../daemon/runtime/program-update.ts';
import { releaseMemoryWhenIdle } from '../../daemon/runtime/release-memory.ts';
import { stopSignal } from '../../daemon/runtime/stop-signal.ts';
import { notifier } from '../../daemon/runtime/systemd.ts';
import { runtimePaths } from '../../daemon/server/runtime-paths.ts';
import { EXIT, StewardError } from '../../vault/errors.ts';
import type { CommandContext, CommandResult } from '../base/context.ts';
import { DaemonLog, type LogOptions } from '../base/daemon-log.ts';
import { presentVaultDir } from '../base/vault-dir.ts';
import { count } from '../print/plain-text.ts';

interface RunOptions extends LogOptions {
  /** The vaults that were named: none, one or several. */
  readonly named: readonly string[];
  /** A folder of vaults. */
  readonly vaults?: string;
}

/**
 * `steward run`: the daemon in the foreground, one line for each thing that happens, until SIGTERM, SIGINT or SIGHUP.
 * Lines that cannot be written do not end it. In a log for programs or for journald its last line says why it ended.
 */
export async function run(options: RunOptions, context: CommandContext): CommandResult {
  const log = new DaemonLog(process.stdout, context.env, options);
  try {
    return await runWith(log, options, context);
  } catch (error) {
    if (error instanceof StewardError && log.ended(error.trouble)) return error.exit;
    throw error;
  } finally {
    log.close();
  }
}

async function runWith(log: DaemonLog, options: RunOptions, context: CommandContext): CommandResult {
  const { vaults } = options;
  const named = options.named.filter((one) => one !== ''); // a script's empty variable means none
  if (vaults !== undefined || named.length > 1) {
    return await (await import('./several/run-several.ts')).runSeveral(log, { named, vaults }, context);
  }
  const [only] = named;
  const root = presentVaultDir(only === undefined ? {} : { vault: only }, context);
  const env = readEnvironment(context.env);
  const systemd = notifier(context.env);
  const stop = stopSignal();
  const paths = runtimePaths(root, context.env);
  process.chdir('/'); // the folder that it was started in may be deleted or unmounted
  const outside = () => (log.trouble === null ? [] : [log.trouble]);
  const parts = { root, env, now: Date.now, emit: log.emit, outside };
  const daemon = await startUnless(stop, (signal) => Daemon.start(parts, paths, signal));
  if (daemon === null) return EXIT.done;
  systemd.ready(count(daemon.matters, 'matter'));
  releaseMemoryWhenIdle();
  const endWatchdog = systemd.watchdog();
  const lost: unknown = await Promise.race([stop, lossOf(daemon.lost), programUpdate()]);
  systemd.stopping();
  await daemon[Symbol.asyncDispose]();
  endWatchdog();
  if (lost !== undefined) throw lost;
  return EXIT.done;
}

// A start may wait for a lock that cannot be judged. Who is asked to stop meanwhile stops, as when it had started.
async function startUnless(
  stop: Promise<void>,
  start: (signal: AbortSignal) => Promise<Daemon>,
): Promise<Daemon | null> {
  const waiting = new AbortController();
  void stop.then(() => waiting.abort());
  try {
    return await start(waiting.signal);
  } catch (error) {
    if (waiting.signal.aborted) return null;
    throw error;
  }
}

async function lossOf(lost: AbortSignal): Promise<unknown> {
  await aborted(lost);
  return lost.reason;
}
