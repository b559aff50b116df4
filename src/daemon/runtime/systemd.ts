import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

/** Reports the state of the service to systemd; does nothing where systemd did not start it. */
interface Notifier {
  readonly ready: (status: string) => void;
  /** Says how things stand, in a line that `systemctl status` shows. */
  readonly status: (status: string) => void;
  readonly stopping: () => void;
  /** Starts the watchdog pings, which stop when the event loop is blocked. Returns the function that ends them. */
  readonly watchdog: () => () => void;
}

/** Returns the notifier for this process, by `$NOTIFY_SOCKET` and `$WATCHDOG_USEC`. */
export function notifier(env: NodeJS.ProcessEnv): Notifier {
  const send = env.NOTIFY_SOCKET === undefined ? () => {} : sender();
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
function sender(): (state: string) => void {
  try {
    const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi');
    const notify = koffi.load('libsystemd.so.0').func('int sd_notify(int, const char *)');
    return (state) => void notify(0, state);
  } catch {
    return (state) => {
      const child = spawn('systemd-notify', state.split('\n'), { stdio: 'ignore' });
      child.on('error', () => {}); // neither exists: systemd will report that it heard nothing
    };
  }
}
