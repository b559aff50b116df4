/**
 * Returns the time (ms) by the boot's own clock, which nobody sets. On Linux it stands still while the machine sleeps, and
 * goes on while a process is stopped.
 */
export function sinceBoot(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}
