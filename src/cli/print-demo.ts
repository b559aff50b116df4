import type { DaemonEvent } from '../daemon/environment.ts';
import { stem } from '../vault/note-names.ts';
import { shellWord } from '../vault/notes/shell-word.ts';
import type { Printer } from './print/printer.ts';

/** Where the demo's vault lies, and how this program is called here. */
interface Called {
  readonly dir: string;
  readonly program: string;
}

/** Prints what the demo is about to do. */
export function printOpening(out: Printer, { dir }: Called): void {
  out.line(`The demo works on a copy of vault-example in ${dir}/. Open it in Obsidian and watch.\n`);
}

/** Prints that a mail arrives now. */
export function printArrival(out: Printer, file: string): void {
  out.line(`\n→ a mail arrives: ${file}`);
}

/** Prints what becomes of the mail of an unknown sender. */
export function printUnknownSender(out: Printer): void {
  out.line('    Its sender is new, so it waits for the tick, where a model weighs it. The reply is a recorded one.');
}

/** Prints what the rules and the model say of the same question. */
export function printVerdicts(out: Printer, rules: string, model: string, name: string, reasoning: string): void {
  out.line(`    the rules would say: ${rules}`);
  out.line(`    ${name} says: ${model}`);
  out.line(`    “${reasoning}”`);
}

/** Prints where to look after something happened. */
export function printHints(out: Printer, event: DaemonEvent, called: Called): void {
  for (const line of hintsOf(event, called)) out.line(`    ${line}`);
}

function hintsOf(event: DaemonEvent, { dir, program }: Called): string[] {
  if (event.what === 'acted') {
    return [
      `look: ${dir}/${event.target}`,
      `why:  ${dir}/${event.event}`,
      `undo: tick \`undo\` there, or  ${program} --vault ${shellWord(dir)} undo ${shellWord(stem(event.event))}`,
    ];
  }
  return event.what === 'proposed' ? [`decide: tick \`confirm\` or \`dismiss\` in ${dir}/${event.event}`] : [];
}

/** Prints what to try in another terminal. */
export function printClosing(out: Printer, { dir, program }: Called): void {
  out.line(`
All mails are read. Now try it yourself, in another terminal:
  ${program} --vault ${shellWord(dir)} status
  ${program} --vault ${shellWord(dir)} log
  ${program} --vault ${shellWord(dir)} explain pay-notary-deposit
  ${program} --vault ${shellWord(dir)} undo --last 1
  ${program} --vault ${shellWord(dir)} confirm compare-tile-offers
or edit a note, tick a box in an event note, drop a mail into ${dir}/stream/. Ctrl-C ends the demo.
`);
}
