import path from 'node:path';
import { readEnvironment } from '../daemon/environment.ts';
import { faultEvent } from '../daemon/faults/fault-problems.ts';
import { unexpectedFault } from '../daemon/faults/unexpected-fault.ts';
import { notifier, releaseMemoryWhenIdle, stopSignal } from '../daemon/process.ts';
import { endWithin, type Fault } from '../daemon/runtime/last-resort.ts';
import { programUpdate } from '../daemon/runtime/program-update.ts';
import { runtimePaths } from '../daemon/server/runtime-paths.ts';
import { VaultFolder } from '../daemon/several/vault-folder.ts';
import { Vaults } from '../daemon/several/vaults.ts';
import { EXIT, type StewardError } from '../vault/errors.ts';
import type { DaemonLog } from './base/daemon-log.ts';
import type { CommandContext, CommandResult } from './base.ts';
import { count } from './print/plain-text.ts';

/** How often (ms) it is told how many vaults are looked after, where that has changed. */
const TELL_MS = 10_000;
/** After an error of the process itself, an end in order may take so long (ms). */
const END_MS = 20_000;

/** Which vaults are looked after, as they were named. */
interface Which {
  readonly named: readonly string[];
  /** A folder of vaults. */
  readonly vaults: string | undefined;
}

/**
 * `steward run` on several vaults: those that are named, and those in a folder as they come and go. What befalls one ends no
 * other: a vault that cannot be looked after is told of, and tried again. Throws `vaults-away` (75) where the folder is not
 * there at the start.
 */
export async function runSeveral(log: DaemonLog, { named, vaults }: Which, context: CommandContext): CommandResult {
  const resolved = named.map((one) => path.resolve(context.cwd, one));
  const env = readEnvironment(context.env);
  const systemd = notifier(context.env);
  const stop = stopSignal();
  process.chdir('/'); // the folder that it was started in may be deleted or unmounted
  const nameOf = namer();
  const broken = Promise.withResolvers<StewardError>();
  const kept = new Vaults({
    ...{ env, now: Date.now },
    outside: () => (log.trouble === null ? [] : [log.trouble]),
    pathsOf: (root) => runtimePaths(root, context.env),
    emitFor: (root) => log.of({ root, name: nameOf(root) }),
    unowned: (fault: Fault) => {
      log.emit(faultEvent(fault, Date.now()));
      endWithin(END_MS);
      broken.resolve(unexpectedFault(fault.error));
    },
  });
  using _folder = vaults === undefined ? null : folderOf(path.resolve(context.cwd, vaults), kept);
  kept.keep(resolved);
  await Promise.race([stop, kept.tried(), broken.promise]);
  const tally = new Tally(kept, log);
  systemd.ready(tally.words);
  kept.beats.every(TELL_MS, () => tally.hasChanged() && systemd.status(tally.words));
  releaseMemoryWhenIdle();
  const endWatchdog = systemd.watchdog();
  const ending: unknown = await Promise.race([stop, programUpdate(), broken.promise]);
  systemd.stopping();
  await kept[Symbol.asyncDispose]();
  endWatchdog();
  if (ending !== undefined) throw ending;
  return EXIT.done;
}

function folderOf(folder: string, kept: Vaults): VaultFolder {
  return new VaultFolder(folder, kept.beats, {
    there: (roots) => kept.keep(roots),
    gone: (root) => void kept.letGo(root),
  });
}

/** Returns what names a vault in lines for people: its folder, or its whole path where another has that name. */
function namer(): (root: string) => string {
  const roots = new Map<string, string>();
  return (root) => {
    const name = path.basename(root);
    const first = roots.get(name) ?? root;
    roots.set(name, first);
    return first === root ? name : root;
  };
}

/** How many vaults are looked after, told once and when it has changed. */
class Tally {
  readonly #kept: Vaults;
  readonly #log: DaemonLog;
  words = '';

  constructor(kept: Vaults, log: DaemonLog) {
    this.#kept = kept;
    this.#log = log;
    this.hasChanged();
  }

  /** Tells how many there are by now; returns whether that is anything new. */
  hasChanged(): boolean {
    const { vaults, running } = this.#kept.count;
    const words = `${running} of ${count(vaults, 'vault')}`;
    if (words === this.words) return false;
    this.words = words;
    this.#log.emit({ what: 'keeping', vaults, running });
    return true;
  }
}
