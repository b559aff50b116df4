import { shellWord } from '../../../vault/notes/shell-word.ts';
import type { Printer } from '../printer.ts';

/** What `source add` asks and tells on a terminal. */
export const ADDING = {
  allTheSame: 'Write the note all the same?',
  ownServer: (server: string) => `Is ${server} the server of your own provider?`,
  aboutServer: (server: string) =>
    `${server} has marked the newest mails to say whether their senders are who they claim to be. If it is your own provider’s server, the steward believes it, and a mail of somebody you know may change a note; otherwise mails only propose.`,
  isRight: (isSent: boolean) => `Is that right?${isSent ? ' Its password is sent there.' : ''}`,
} as const;

/** Prints that the note of a source is written. */
export function printSourceWritten(out: Printer, file: string): void {
  out.plain(`Wrote ${file}. Where it leads is allowed on this machine from now on.`);
}

/** Says that the person broke it off. */
export function printNothingChanged(err: Printer): void {
  err.line('Nothing is changed.');
}

/** Says how a source is written that failed its test. */
export function printHowUntested(err: Printer): void {
  err.line('With --no-test it is written without a test.');
}

/** Prints which server signs the mails, where nobody can be asked whether to believe it. */
export function printMailServer(out: Printer, server: string): void {
  out.plain(`${server} signs its newest mails. If that is your own provider's server, say so: --mail-server ${server}`);
  out.plain('Until then mails only propose.');
}

/** Prints whether a source rests. */
export function printPaused(out: Printer, name: string, paused: boolean, changed: boolean): void {
  const now = paused ? `paused; \`steward source pause ${shellWord(name)} --off\` wakes it` : 'awake again';
  out.plain(changed ? `${name} is ${now}.` : `${name} is ${paused ? 'paused' : 'awake'} already.`);
}

/** Returns the line that tells where a source is tried. */
export function tryingWords(leads: string): string {
  return `Trying it: ${leads} …`;
}
