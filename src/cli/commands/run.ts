import type { DaemonEvent } from '../../daemon/context/daemon-event.ts';
import { readEnvironment } from '../../daemon/context/environment.ts';
import { Daemon } from '../../daemon/daemon.ts';
import { releaseMemorySoon } from '../../daemon/runtime/release-memory.ts';
import { notifier } from '../../daemon/runtime/systemd.ts';
import { runtimePaths } from '../../daemon/server/runtime-paths.ts';
import { EXIT } from '../../vault/errors.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../base/context.ts';
import { LastingOutput } from '../base/lasting-output.ts';
import { presentVaultDir } from '../base/vault-dir.ts';
import { eventText } from '../print/print-event.ts';
import { Printer } from '../print/printer.ts';

/**
 * `steward run`: the daemon in the foreground, one line for each thing that happens, until SIGTERM, SIGINT or SIGHUP. Lines that
 * cannot be written do not end it.
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
    const daemon = await Daemon.start({ root, env, now: Date.now, emit, outside }, paths);
    systemd.ready(`${daemon.matters} matters`);
    releaseMemorySoon();
    const endWatchdog = systemd.watchdog();
    await stop;
    systemd.stopping();
    await daemon[Symbol.asyncDispose]();
    endWatchdog();
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

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
    process.once('SIGHUP', () => resolve()); // Node undoes what nohup asks for, so this is the end either way
  });
}
