import { count } from './plain-text.ts';
import type { Printer } from './printer.ts';

/** How the service of a vault is, as the system's manager of services sees it. */
export interface ServiceState {
  readonly name: string;
  /** The file that tells the system of it; null where nothing is installed. */
  readonly file: string | null;
  /** The manager's own word: active, activating, inactive, failed… */
  readonly state: string;
  /** Whether it starts by itself. */
  readonly starts: boolean;
  /** Since when it is so, in the manager's words. */
  readonly since: string | null;
  readonly pid: number | null;
  /** What the steward says of itself. */
  readonly status: string | null;
  readonly restarts: number;
  /** The exit code with which it ended last. */
  readonly exit: number;
  /** The Node that the file names, where it is gone. */
  readonly missing: string | null;
  /** What a person has set beside it. */
  readonly dropIns: readonly string[];
  /** The command that shows what it says. */
  readonly journal: string;
}

/** Returns whether the service works. */
export function isRunning({ state }: ServiceState): boolean {
  return state === 'active';
}

/** Prints how the service is, and what to do about it. */
export function printService(out: Printer, service: ServiceState): void {
  if (service.file === null) {
    out.plain('No service is installed. `steward service install` sets one up; --print shows it first.');
    return;
  }
  out.plain(stateText(service));
  out.plain(`  ${service.starts ? 'starts by itself' : 'starts only by hand'}, by ${service.file}`);
  for (const dropIn of service.dropIns) out.plain(`  with your settings in ${dropIn}`);
  if (service.restarts > 0) out.plain(`  started again ${count(service.restarts, 'time')}`);
  if (service.missing !== null) out.plain(`  ${service.missing} is gone: run \`steward service install\` again`);
  out.plain(`  what it says: ${service.journal}`);
}

function stateText(service: ServiceState): string {
  const { name, state, since, pid, status, exit } = service;
  const when = since === null ? '' : ` since ${since}`;
  if (isRunning(service)) {
    return `${name} is running${when}${pid === null ? '' : ` (pid ${pid})`}${status === null ? '' : `: ${status}`}`;
  }
  if (exit === 78) return `${name} has ended${when}: a setting is wrong (78), and you must mend it`;
  if (state === 'activating') return `${name} is starting${when}${exit === 0 ? '' : `; it ended with ${exit} before`}`;
  if (state === 'failed') return `${name} has failed${when}: it ended with ${exit}`;
  return `${name} does not run${when}`;
}
