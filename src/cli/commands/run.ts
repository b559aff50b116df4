import { Daemon } from '../../daemon/daemon.ts';
import { readEnvironment } from '../../daemon/environment.ts';
import { endWithin, type Fault, faultEvent, LastResort, unexpectedFault } from '../../daemon/faults.ts';
import { releaseMemoryWhenIdle } from '../../daemon/memory.ts';
import { aborted, notifier, programUpdate, stopSignal } from '../../daemon/process.ts';
import { runtimePaths } from '../../daemon/runtime-paths.ts';
import { EXIT, StewardError } from '../../vault/errors.ts';
import { presentVaultDir } from '../client.ts';
import { DaemonLog, type LogOptions } from '../daemon-log.ts';
import { type CommandContext, type CommandResult, count } from '../terminal.ts';

/** After an unexpected error, an end in order may take so long (ms). */
const END_MS = 20_000;

interface RunOptions extends LogOptions {
  /** The vaults that were named; one process keeps one. */
  readonly named: readonly string[];
  /** A folder of vaults; `steward-fleet` keeps those. */
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
  const named = options.named.filter((one) => one !== ''); // an empty variable of a script names no vault
  if (vaults !== undefined || named.length > 1) throw severalVaults();
  const [only] = named;
  const root = presentVaultDir(only === undefined ? {} : { vault: only }, context);
  const env = readEnvironment(context.env);
  const systemd = notifier(context.env);
  const stop = stopSignal();
  const paths = runtimePaths(root, context.env);
  process.chdir('/'); // the folder that it was started in may be deleted or unmounted
  const outside = () => (log.trouble === null ? [] : [log.trouble]);
  const parts = { root, env, now: Date.now, emit: log.emit, outside };
  using guard = new Guard(log);
  const daemon = await guard.started((made) =>
    startUnless(stop, (signal) => Daemon.start(parts, paths, signal, undefined, made)),
  );
  if (daemon === null) return EXIT.done;
  systemd.ready(count(daemon.matters, 'matter'));
  releaseMemoryWhenIdle();
  const endWatchdog = systemd.watchdog();
  const lost: unknown = await Promise.race([stop, lossOf(daemon.lost), programUpdate(), guard.broken]);
  systemd.stopping();
  await daemon[Symbol.asyncDispose]();
  endWatchdog();
  if (lost !== undefined) throw lost;
  return EXIT.done;
}

function severalVaults(): StewardError {
  return new StewardError(
    {
      code: 'several-vaults',
      message: '`steward-fleet run` runs several vaults in one process. It is in the folder fleet of the sources.',
      hint: 'Start one `steward run` for each vault, or see fleet/README.md.',
    },
    EXIT.usage,
  );
}

// A start may wait for a lock that cannot be judged. A stop in the meantime ends it, as if it had started.
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

/** Handles errors that no code caught: before the daemon runs, and if it can't go on, they end the process in order. */
class Guard implements Disposable {
  readonly #log: DaemonLog;
  readonly #broken = Promise.withResolvers<StewardError>();
  readonly #lastResort = new LastResort((fault) => this.#meet(fault));
  #daemon: Daemon | null = null;

  constructor(log: DaemonLog) {
    this.#log = log;
  }

  /** Resolves with the reason when the daemon has to end. */
  get broken(): Promise<StewardError> {
    return this.#broken.promise;
  }

  /** Returns the daemon that starts. Throws the reason if an error that no code caught comes first. */
  async started(start: (made: (daemon: Daemon) => void) => Promise<Daemon | null>): Promise<Daemon | null> {
    const starting = start((daemon) => {
      this.#daemon = daemon;
      daemon.broken.addEventListener('abort', () => this.#end(daemon.broken.reason), { once: true });
    });
    const broken = this.broken.then((error) => {
      void starting.then((late) => late?.[Symbol.asyncDispose]()).catch(() => {});
      throw error;
    });
    broken.catch(() => {}); // it may come later, and is then somebody else's
    return Promise.race([starting, broken]);
  }

  [Symbol.dispose](): void {
    this.#lastResort[Symbol.dispose]();
  }

  #meet(fault: Fault): void {
    if (this.#daemon === null) {
      this.#log.emit(faultEvent(fault, Date.now()));
      this.#end(unexpectedFault(fault.error));
    } else this.#daemon.meet(fault);
  }

  #end(error: StewardError): void {
    endWithin(END_MS);
    this.#broken.resolve(error);
  }
}
