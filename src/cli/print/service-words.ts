import type { Printer } from './printer.ts';

/** A file of the service that was written. `kept`: where the person's own version of it lies now, if they had changed it. */
interface Written {
  readonly file: string;
  readonly isSame: boolean;
  readonly kept: string | null;
}

/** Prints a file of the service. `advice`: what to say to a person who changed it. */
export function printServiceFile(out: Printer, { file, isSame, kept }: Written, advice: string | null): void {
  out.plain(isSame ? `${file} is up to date` : `wrote ${file}`);
  if (kept !== null)
    out.plain(`  You had changed it: your version is in ${kept}.${advice === null ? '' : ` ${advice}`}`);
}

/** What a person who changes a unit should know. */
export const DROP_IN_ADVICE = 'Put changes into a drop-in: those stay.';

/** Prints that a launch agent works. */
export function printAgentLoaded(out: Printer, label: string, log: string): void {
  out.plain(`${label} is loaded, and logs to ${log}.`);
  out.plain('It starts in shadow. For another mode: STEWARD_LIVE_MODE=live steward service install.');
}

/** Prints a drop-in of the person's own. */
export function printKeptDropIn(out: Printer, file: string): void {
  out.plain(`kept ${file}`);
}

/** Prints that the service works on another vault than before. */
export function printMoved(out: Printer, root: string, before: string): void {
  out.plain(`  It works on ${root} from now on, instead of ${before}.`);
}

/** Prints that a unit works, and how its mode is set. `edit`: the command for that. */
export function printUnitRunning(out: Printer, name: string, status: string, mode: string, edit: string): void {
  out.plain(`${name} is running: ${status}, mode ${mode}. For another mode set STEWARD_LIVE_MODE with ${edit}.`);
}

/** What may be worth changing about a service. */
export const SERVICE_HINTS = {
  root: 'The vault belongs to root, so the service runs as root. Give it to a user if you can, and install again.',
  linger: 'It stops when you log out; `loginctl enable-linger` keeps it running.',
} as const;

/** Says that there is nothing to remove. */
export function printNotInstalled(out: Printer, file: string): void {
  out.plain(`There is no ${file}.`);
}

/** Prints that the service is gone, and the files of the person that stay. */
export function printRemoved(out: Printer, name: string, kept: readonly string[]): void {
  out.plain(`${name} is stopped and removed; the vault is as it was.`);
  for (const file of kept) out.plain(`Yours, and kept: ${file}`);
}

/** Prints that others still need the file of the service. */
export function printStillNeeded(out: Printer, file: string, others: readonly string[]): void {
  out.plain(`${file} stays: ${others.join(', ')} still ${others.length === 1 ? 'needs' : 'need'} it.`);
}
