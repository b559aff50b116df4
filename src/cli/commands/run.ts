import type { DaemonEvent } from '../../daemon/context/daemon-event.ts';
import { readEnvironment } from '../../daemon/context/environment.ts';
import { Daemon } from '../../daemon/daemon.ts';
import { releaseMemoryWhenIdle } from '../../daemon/runtime/release-memory.ts';
import { notifier } from '../../daemon/runtime/systemd.ts';
import { runtimePaths } from '../../daemon/server/runtime-paths.ts';
import { EXIT } from '../../vault/errors.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../base/context.ts';
import { LastingOutput } from '../base/lasting-output.ts';
import { presentVaultDir } from '../base/vault-dir.ts';
import { eventText } from '../print/print-event.ts';
import { Printer } from '../print/printer.ts';

/**
 * `steward run`: the daemon in the foreground, one line for each thing that happens, until SIGTERM, SIGINT or SIGHUP.
 * Lines that cannot be written do not end it.
 */
export async function run(options: CommonOptions, context: CommandContext): CommandResult {
  const root = presentVaultDir(options, context);
  const env = readEnvironment(context.env);
  const systemd = notifier(context.env);
  const stop = stopSignal();
  const { output, emit } = eventOutput(context);
  const paths = runtimePaths(root, context.env);
  process.chdir('/'); // the folder that it was started in may be deleted or unmounted
  const outside = () => (output.trouble === null ? [] : [output.trouble]);
  try {
    const parts = { root, env, now: Date.now, emit, outside };
    const daemon = await startUnless(stop, (signal) => Daemon.start(parts, paths, signal));
    if (daemon === null) return EXIT.done;
    systemd.ready(`${daemon.matters} matters`);
    releaseMemoryWhenIdle();
    const endWatchdog = systemd.watchdog();
    const lost = await Promise.race([stop, daemon.lost]);
    systemd.stopping();
    await daemon[Symbol.asyncDispose]();
    endWatchdog();
    if (lost !== undefined) throw lost;
  } finally {
    output.close();
  }
  return EXIT.done;
}

// journald takes a priority at the start of a line and adds the time itself; elsewhere the time is printed.
function eventOutput({ env }: CommandContext): { output: LastingOutput; emit: (event: DaemonEvent) => void } {
  const inJournal = env.JOURNAL_STREAM !== undefined;
  const lineOf = (event: DaemonEvent): string => {
    const prefix = inJournal ? `<${priorityOf(event)}>` : `${new Date().toTimeString().slice(0, 8)}  `;
    return `${prefix}${eventText(out, event)}`;
  };
  const output = new LastingOutput(process.stdout, lineOf);
  const out = new Printer(output, env);
  return { output, emit: (event) => out.line(lineOf(event)) };
}

function priorityOf(event: DaemonEvent): number {
  if (event.what === 'trouble' || event.what === 'unsaid') return 4;
  return event.what === 'away' ? 3 : 6;
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

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
    process.once('SIGHUP', () => resolve()); // Node undoes what nohup asks for, so this is the end either way
  });
}
