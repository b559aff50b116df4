import path from 'node:path';
import { VaultFolder } from '../several/folder-watch.ts';
import { tenantBudget } from '../several/shared-budget.ts';
import { type VaultEvent, Vaults } from '../several/vaults.ts';
import {
  type CommandContext,
  type Diagnostic,
  EXIT,
  type ExitCode,
  runtimePaths,
  StewardError,
  stateFolder,
} from '../steward.ts';
import {
  count,
  DaemonLog,
  endWithin,
  type Fault,
  faultEvent,
  type LogEntry,
  type LogOptions,
  local,
  makeLogEntry,
  notifier,
  type Printer,
  programUpdate,
  readEnvironment,
  releaseMemoryWhenIdle,
  stopSignal,
  troubleFields,
  troubleText,
  unexpectedFault,
} from '../steward-daemon.ts';
import type { Asked } from './context.ts';

/** How often (ms) it is told how many vaults are looked after, where that has changed. */
const TELL_MS = 10_000;
/** After an error of the process itself, an end in order may take so long (ms). */
const END_MS = 20_000;

/**
 * `steward-fleet run`: the daemons of several vaults in one process, until SIGTERM, SIGINT or SIGHUP: of those that are named, and
 * of those in folders as they come and go. A vault that cannot be looked after is told of, and tried again; the others go on.
 * Throws `vaults-away` (75) if a folder is not there at the start.
 */
export async function run(asked: Asked, context: CommandContext): Promise<ExitCode> {
  if (asked.words.length + asked.vaults.length === 0) {
    const hint = 'Name folders of vaults, or a folder of vaults with --vaults DIR.';
    throw new StewardError({ code: 'usage', message: 'No vault is named.', hint }, EXIT.usage);
  }
  const log = new DaemonLog(process.stdout, context.env, logOptions(asked));
  try {
    return await runWith(log, asked, context);
  } catch (error) {
    if (error instanceof StewardError && log.ended(error.trouble)) return error.exit;
    throw error;
  } finally {
    log.close();
  }
}

function logOptions({ json, log, logLevel }: Asked): LogOptions {
  const form = log ?? (json ? 'json' : undefined);
  return {
    ...(form !== undefined && { log: choice('--log', form, ['text', 'json']) }),
    ...(logLevel !== undefined && { logLevel: choice('--log-level', logLevel, ['warning', 'info', 'debug']) }),
  };
}

function choice<Word extends string>(option: string, written: string, words: readonly Word[]): Word {
  const found = words.find((word) => word === written);
  if (found !== undefined) return found;
  throw new StewardError(
    { code: 'usage', message: `${option} takes one of: ${words.join(', ')}.`, hint: 'See `steward-fleet --help`.' },
    EXIT.usage,
  );
}

async function runWith(log: DaemonLog, { words, vaults }: Asked, context: CommandContext): Promise<ExitCode> {
  const named = words.map((one) => path.resolve(context.cwd, one));
  const folders = vaults.map((one) => path.resolve(context.cwd, one));
  const sharedBudget = tenantBudget(context.env, stateFolder(context.env), (trouble) =>
    log.tell((_, detail) => ({
      level: 'error',
      code: 'budget',
      fields: troubleFields(trouble, detail),
      text: troubleText(trouble, detail),
    })),
  );
  const env = { ...readEnvironment(context.env), sharedBudget };
  const systemd = notifier(context.env);
  const stop = stopSignal();
  process.chdir('/'); // the folder that it was started in may be deleted or unmounted
  const nameOf = namer();
  const broken = Promise.withResolvers<StewardError>();
  const kept = new Vaults({
    env,
    now: Date.now,
    outside: () => (log.trouble === null ? [] : [log.trouble]),
    pathsOf: (root) => runtimePaths(root, context.env),
    emitFor: (root) => {
      const vault = { root, name: nameOf(root) };
      return (event) => log.tell(vaultEntry(event), vault);
    },
    unowned: (fault: Fault) => {
      log.emit(faultEvent(fault, Date.now()));
      endWithin(END_MS);
      broken.resolve(unexpectedFault(fault.error));
    },
  });
  using watched = new DisposableStack();
  for (const folder of folders) watched.use(folderOf(folder, kept));
  kept.keep(named);
  await Promise.race([stop, kept.tried(), broken.promise]);
  const tally = new Tally(kept, log);
  systemd.ready(tally.words);
  kept.intervals.every(TELL_MS, () => tally.hasChanged() && systemd.status(tally.words));
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
  return new VaultFolder(folder, kept.intervals, {
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

function vaultEntry(event: VaultEvent): Parameters<DaemonLog['tell']>[0] {
  if (event.what === 'unkept') return unkeptEntry(event.trouble, event.again);
  if (event.what !== 'let-go') return makeLogEntry(event);
  return () => ({ level: 'notice', code: 'let-go', fields: {}, text: 'let go: its folder is gone' });
}

function unkeptEntry(trouble: Diagnostic, again: number): Parameters<DaemonLog['tell']>[0] {
  const clock = local(new Date(again).toISOString()).slice('YYYY-MM-DD '.length);
  return (out: Printer, detail): LogEntry => ({
    level: 'error',
    code: 'unkept',
    fields: { ...troubleFields(trouble, detail), again },
    text: `${out.paint('red', 'not kept')}, tried again at ${clock}: ${troubleText(trouble, detail)}`,
  });
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
    const text = `${words} looked after`;
    this.#log.tell(() => ({ level: 'info', code: 'keeping', fields: { vaults, running }, text }));
    return true;
  }
}
