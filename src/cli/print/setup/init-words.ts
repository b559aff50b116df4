import type { State } from '../../../vault/records/values.ts';
import { clean, count } from '../plain-text.ts';
import type { Printer } from '../printer.ts';

/** What `init` asks on a terminal. Paths and words of notes are cleaned here. */
export const INIT_QUESTIONS = {
  begin: (root: string, isNew: boolean) =>
    isNew
      ? `Make a new vault in ${clean(root)}?`
      : `Add the steward's folders and settings to ${clean(root)}? Your notes stay as they are.`,
  lookAfter: (notes: number, folder: string, noun: 'task' | 'matter') =>
    `Look after the ${count(notes, 'note')} in ${clean(folder)} as ${noun}s, where they lie? The settings will say so.`,
  meaning: (notes: number, word: string) =>
    `${count(notes, 'note')} ${notes === 1 ? 'says' : 'say'} "${clean(word)}". What does it mean?`,
  leaveAlone: 'leave these notes alone',
  mend: (wrong: string) => `In Obsidian ${wrong} cannot be ticked, for want of the type checkbox. Mend that?`,
  snippet: (file: string) => `Let Obsidian hide the steward's own fields in event notes (${file})?`,
} as const;

/** Returns the line that tells how far the look around is. */
export function lookingLine(notes: number): string {
  return `Looking at your notes: ${notes}`;
}

/** Says that the person broke it off. */
export function printNothingMade(err: Printer): void {
  err.line('Nothing is made.');
}

/** Prints what lies in the folder already. The lines must be clean. */
export function printFoundLines(out: Printer, root: string, notes: string, lines: readonly string[]): void {
  out.line(`Found in ${clean(root)}, among ${notes}:`);
  for (const line of lines) out.line(`  ${line}`);
}

/** Prints that the vault is set up, and what was made for it. */
export function printSetUp(out: Printer, root: string, isNew: boolean, made: readonly string[]): void {
  out.line(`${isNew ? 'A new vault is ready' : 'Steward is set up'} in ${clean(root)}.`);
  for (const line of made) out.line(`  ${line}`);
}

/** Says that nothing was missing. */
export function printComplete(out: Printer): void {
  out.line('  everything was there already');
}

/** Returns what was left because nobody could be asked, and the command that agrees to all of it. */
export function leftLines(left: readonly string[], command: string): string[] {
  if (left.length === 0) return [];
  return ['With your yes:', ...left.map((line) => `  ${clean(line)}`), `  All of it: \`${command}\`.`];
}

/** What a yes would add, a line each. */
export const LEFT = {
  folder: (folder: string) => `look after the notes in ${folder}`,
  words: 'explain your words for states in the settings',
  types: (wrong: string) => `mend the types of ${wrong} in Obsidian`,
} as const;

/** Prints what models may cost; `cap` in US dollars, null for any sum. A person should not learn it from a bill. */
export function printModelCost(out: Printer, cap: number | null, settings: string): void {
  const may = cap === null ? 'any sum a day' : `up to ${count(cap, 'US dollar')} a day`;
  out.line(`Models are asked only where there is a key, and may cost ${may}: budget_usd_per_day in ${settings}.`);
}

/** Prints what to do next. `matters`: the folder where a first matter belongs; null where there is one. */
export function printNextSteps(out: Printer, options: string, matters: string | null): void {
  const first = matters === null ? '' : `put a matter into ${clean(matters)}/, then `;
  out.line(`Next: ${first}\`steward run ${options}\`. It starts in shadow, and your notes stay as they are.`);
  out.line(`\`steward source add ${options}\` connects your mailbox, so that mail reaches the vault by itself.`);
}

/** Returns the states as choices for a word. */
export function stateChoices(states: readonly State[]): { value: State; label: string }[] {
  return states.map((state) => ({ value: state, label: state }));
}
