import type { Diagnostic } from '../../vault/errors.ts';
import type { Printer } from './printer.ts';

/** One thing that `steward doctor` looked at, and what it found. */
export interface Check {
  readonly name: string;
  readonly found: string;
}

/** Prints what was checked, then every trouble; says so where all is well. */
export function printDoctor(out: Printer, troubles: readonly Diagnostic[], checks: readonly Check[]): void {
  out.rows(checks.map(({ name, found }) => [name, found]));
  if (troubles.length === 0) out.line(out.paint('green', 'All is well.'));
  printTroubles(out, troubles);
}

/** Prints the troubles under a heading with their number; nothing where there are none. */
export function printTroubles(out: Printer, troubles: readonly Diagnostic[]): void {
  if (troubles.length === 0) return;
  out.heading(`Trouble (${troubles.length})`);
  for (const trouble of troubles) out.trouble(trouble);
}
