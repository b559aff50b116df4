import { NOUNS } from '../../../steward/attention/kinds.ts';
import type { Waiting, WaitingAnswer } from '../../../steward/attention/waiting.ts';
import { clean, local } from '../plain-text.ts';
import type { Printer } from '../printer.ts';

/** Prints each entry: what kind it is, its note and what is asked, then who said it, and the event to answer. */
export function printWaiting(out: Printer, waiting: readonly Waiting[]): void {
  for (const entry of waiting) printEntry(out, entry);
}

/** Prints one entry of the list. */
export function printEntry(out: Printer, entry: Waiting): void {
  const { kind, target, change, event, candidates } = entry;
  const what = [target, change].flatMap((part) => (part === null ? [] : [clean(part)]));
  out.line(`  ${out.paint('yellow', NOUNS[kind])}  ${what.join('  ')}`);
  const said = saidText(entry);
  if (entry.told !== null) out.plain(`    ${entry.told}`);
  if (said !== '') out.plain(`    ${said}`);
  candidates.forEach((link, at) => {
    out.plain(`    ${at + 1}  ${link}`);
  });
  if (kind === 'proposal' && !entry.answers.includes('confirm'))
    out.plain('    its note has changed since: judged again at the next tick');
  if (event !== null) out.styled('dim', `    ${event}`);
}

/** Prints how the entries are answered, as far as any of them can be. */
export function printHowToAnswer(out: Printer, waiting: readonly Waiting[]): void {
  const possible = new Set(waiting.flatMap(({ answers }) => answers));
  const ways = WAYS.filter(([answer]) => possible.has(answer)).map(([, command]) => command);
  if (ways.length > 0) out.styled('dim', `  ${ways.join(', ')}, or answer in the note`);
}

const WAYS: readonly (readonly [WaitingAnswer, string])[] = [
  ['confirm', 'steward confirm EVENT'],
  ['dismiss', 'steward dismiss EVENT'],
  ['choose', 'steward confirm EVENT --choose NOTE'],
  ['force', 'steward undo EVENT --force'],
];

function saidText({ from, quote, told, since }: Waiting): string {
  return [
    ...(from === null ? [] : [`from ${from}`]),
    // Of a booking or an appointment the line above holds the quote already.
    ...(quote === null || told?.includes(quote) === true ? [] : [`“${quote}”`]),
    ...(since === null ? [] : [`since ${local(since)}`]),
  ].join('  ');
}
