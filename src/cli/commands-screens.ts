import type { Status } from '../daemon/status.ts';
import { EXIT } from '../vault/errors.ts';
import { CLOSED, Terminal } from './base/terminal.ts';
import { usageError } from './base/usage-error.ts';
import type { CommandContext, CommandResult, CommonOptions } from './base.ts';
import { printStatus, type Shown, watchFooter } from './print/print-status.ts';

const PACE_MS = 2_000;
/** Of the time that looking takes, so much is rest: a vault without a daemon is read anew each time. */
const REST = 10;
const LONGEST_MS = 60_000;
const ENDING = ['q', 'Q', 'ctrl-c', 'ctrl-d', 'escape', CLOSED];

/** `steward status --watch`: keeps the status on the screen and renews it until q or Ctrl-C. */
export async function watch(
  options: CommonOptions & Shown,
  { out, env }: CommandContext,
  statusNow: () => Promise<Status>,
): CommandResult {
  if (options.json === true) throw usageError('--watch and --json exclude each other.', 'Leave out --watch or --json.');
  let status = await statusNow();
  using terminal = Terminal.open(env, true);
  if (terminal === null)
    throw usageError('status --watch needs a terminal.', 'Ask again with `steward status` as often as you like.');
  let tookMs = 0;
  for (;;) {
    const lines = out.lines((page) => printStatus(page, status, options)).map((line) => out.fitted(line));
    terminal.show(onePage(lines, out.height, out.fitted(watchFooter(out, status))));
    const key = await terminal.next(Math.min(Math.max(PACE_MS, tookMs * REST), LONGEST_MS));
    if (key !== null && ENDING.includes(key)) return EXIT.done;
    if (key === 'resize') continue;
    const began = performance.now();
    status = await statusNow();
    tookMs = performance.now() - began;
  }
}

// The last line is the footer's, and what does not fit above it is said there.
function onePage(lines: readonly string[], rows: number, footer: string): string[] {
  const shown = lines.slice(0, Math.max(1, rows - 1));
  const free = Math.max(0, rows - 1 - shown.length);
  return [...shown, ...Array.from({ length: free }, () => ''), footer];
}
