import type { DaemonEvent } from '../../daemon/context/daemon-event.ts';
import { readEnvironment } from '../../daemon/context/environment.ts';
import { Daemon } from '../../daemon/daemon.ts';
import { releaseMemorySoon } from '../../daemon/runtime/release-memory.ts';
import { notifier } from '../../daemon/runtime/systemd.ts';
import { runtimePaths } from '../../daemon/server/runtime-paths.ts';
import { EXIT } from '../../vault/errors.ts';
import type { CommandContext, CommandResult, CommonOptions } from '../base/context.ts';
import { presentVaultDir } from '../base/vault-dir.ts';
import { eventText } from '../print/print-event.ts';

/** `steward run`: the daemon in the foreground, one line for each thing that happens, until SIGTERM or SIGINT. */
export async function run(options: CommonOptions, context: CommandContext): CommandResult {
  const root = presentVaultDir(options, context);
  const env = readEnvironment(context.env);
  const systemd = notifier(context.env);
  const stop = stopSignal();
  const emit = eventPrinter(context);
  const daemon = await Daemon.start({ root, env, now: Date.now, emit }, runtimePaths(root, context.env));
  systemd.ready(`${daemon.matters} matters`);
  releaseMemorySoon();
  const endWatchdog = systemd.watchdog();
  await stop;
  systemd.stopping();
  await daemon[Symbol.asyncDispose]();
  endWatchdog();
  return EXIT.done;
}

// journald takes a priority at the start of a line and adds the time itself; elsewhere the time is printed.
function eventPrinter(context: CommandContext): (event: DaemonEvent) => void {
  const inJournal = context.env.JOURNAL_STREAM !== undefined;
  return (event) => {
    const text = eventText(context.out, event);
    const prefix = inJournal ? `<${priorityOf(event)}>` : `${new Date().toTimeString().slice(0, 8)}  `;
    context.out.line(`${prefix}${text}`);
  };
}

function priorityOf(event: DaemonEvent): number {
  if (event.what === 'trouble') return 4;
  return event.what === 'away' ? 3 : 6;
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
  });
}
