import type { Explanation } from '../../daemon/explain/explanation.ts';
import type { Printer } from './printer.ts';

/** Prints an explanation: the one sentence that answers, then its sections. */
export function printExplanation(out: Printer, { sentence, sections }: Explanation): void {
  out.styled('bold', sentence);
  for (const { title, lines } of sections) {
    out.heading(title);
    for (const line of lines) out.plain(`  ${line}`);
  }
}
