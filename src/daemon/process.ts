import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import process from 'node:process';
import { EXIT, StewardError } from '../vault/errors.ts';

/** Resolves when this process is asked to stop: by SIGTERM, SIGINT or SIGHUP. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
    process.once('SIGHUP', () => resolve()); // Node undoes what nohup asks for, so this is the end either way
  });
}

/** Reports the state of the service to systemd; does not report if systemd did not start it. */
interface Notifier {
  readonly ready: (status: string) => void;
  /** Says the current state, in a line that `systemctl status` shows. */
  readonly status: (status: string) => void;
  readonly stopping: () => void;
  /** Starts the watchdog pings, which stop when the event loop is blocked. Returns the function that ends them. */
  readonly watchdog: () => () => void;
}

/** Returns the notifier for this process, by `$NOTIFY_SOCKET` and `$WATCHDOG_USEC`. */
export function notifier(env: NodeJS.ProcessEnv): Notifier {
  const send = env.NOTIFY_SOCKET === undefined ? () => {} : sender(env);
  return {
    ready: (status) => send(`READY=1\nSTATUS=${status}`),
    status: (status) => send(`STATUS=${status}`),
    stopping: () => send('STOPPING=1'),
    watchdog: () => {
      const usec = Number(env.WATCHDOG_USEC);
      if (!Number.isFinite(usec) || usec <= 0) return () => {};
      // Half of the time systemd allows, as sd_watchdog_enabled(3) advises.
      const timer = setInterval(() => send('WATCHDOG=1'), usec / 2000);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
}

// Node has no unix datagram sockets: libsystemd sends for it, or else the command that comes with systemd, which a unit has to
// let speak (NotifyAccess=all).
function sender({ PATH, NOTIFY_SOCKET }: NodeJS.ProcessEnv): (state: string) => void {
  try {
    const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi');
    const notify = koffi.load('libsystemd.so.0').func('int sd_notify(int, const char *)');
    return (state) => void notify(0, state);
  } catch {
    return (state) => {
      // The rest of the environment has keys.
      const child = spawn('systemd-notify', state.split('\n'), { stdio: 'ignore', env: { PATH, NOTIFY_SOCKET } });
      child.on('error', () => {}); // neither exists: systemd will report that it heard nothing
    };
  }
}

/**
 * Resolves once a signal is aborted. Without `node:events`, which the command table has loaded for itself: what `run` would
 * share with it would be one file more to find for every command.
 */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** The signals that end a program from outside, with the exit codes by which shells know them. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Until the result is disposed, a signal (a closed terminal, Ctrl-C, a shutdown) ends the process in order, after `work`.
 * `work` must not wait for anything. Work in steps that are whole is never cut within one.
 */
export function onExit(work: () => void): Disposable {
  const listeners = Object.entries(SIGNALS).map(([signal, code]) => [signal, () => process.exit(code)] as const);
  process.once('exit', work);
  for (const [signal, listener] of listeners) process.on(signal, listener);
  return {
    [Symbol.dispose]() {
      process.off('exit', work);
      for (const [signal, listener] of listeners) process.off(signal, listener);
    },
  };
}

/** How often it is looked, in ms. */
const LOOK_MS = 10_000;

/**
 * Resolves when the program was updated while it runs: the file that this process was started from has been gone at two
 * looks, one after the other. Parts that are not loaded yet went with it.
 */
export function programUpdate(file: string = import.meta.filename, everyMs: number = LOOK_MS): Promise<StewardError> {
  return new Promise((resolve) => {
    let wasGone = false;
    const looking = setInterval(() => {
      const isGone = !fs.existsSync(file);
      if (isGone && wasGone) {
        clearInterval(looking);
        resolve(programUpdated());
      }
      wasGone = isGone;
    }, everyMs);
    looking.unref();
  });
}

/** Returns an error as it is to be said: that a part of the program is gone has one reason only. */
export function withoutProgram(error: unknown): unknown {
  const isGone = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
  return isGone ? programUpdated() : error;
}

function programUpdated(): StewardError {
  return new StewardError(
    {
      code: 'program-updated',
      file: null,
      message: 'The program was updated while it ran.',
      hint: 'It stops within half a minute. A service starts it again; in a terminal, start it yourself.',
    },
    EXIT.tryAgain,
  );
}
