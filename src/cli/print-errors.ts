import { clean } from './print/plain-text.ts';
import type { Printer } from './print/printer.ts';

/** Prints an error that nobody foresaw. */
export function printUnexpected(err: Printer, reason: string): void {
  err.line(`The steward met an unexpected error: ${reason}`);
}

/** Prints what the protocol of assistants complains about. */
export function printProtocolFault(err: Printer, reason: string): void {
  err.line(`From the protocol: ${clean(reason).slice(0, 500)}`);
}

/** Says to an assistant that it cannot answer for the person. */
export function printPersonAlone(out: Printer): void {
  out.line('Only the person answers these.');
}
