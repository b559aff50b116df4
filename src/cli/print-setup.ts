import type { ModelCheck } from '../daemon/decide/model-check.ts';
import type { BudgetStatus, NearKey } from '../daemon/status.ts';
import { type Mode, round4 } from '../steward/gates-rounding.ts';
import type { State } from '../vault/records/values.ts';
import { clean, count } from './print/plain-text.ts';
import type { Printer } from './print/printer.ts';

/** Said while the sources are asked. */
export const ASKING_SOURCES = 'Asking the sources.';

/** Says that the models are asked now, which takes a while. */
export function printAsking(err: Printer): void {
  err.line('Asking the models; one at home may take minutes.');
}

/** Returns whether the daemon runs. */
export function daemonWords(daemon: 'running' | 'absent' | 'stalled'): string {
  return { running: 'running', absent: 'not running', stalled: 'gives no answer' }[daemon];
}

/** Returns which mode is allowed and which the vault asks for. `isDaemons`: whether the daemon itself was asked. */
export function modeWords(ceiling: Mode, vault: Mode | null, isDaemons: boolean): string {
  const allowed = isDaemons
    ? `the daemon allows ${ceiling}`
    : `this shell allows ${ceiling}; the service may allow another`;
  return `${allowed}; the vault ${vault === null ? 'asks for none' : `asks for ${vault}`}`;
}

/** Returns how the settings were read. */
export function settingsWords(unread: number, unknown: number): string {
  const words = unread === 0 ? 'read' : `${count(unread, 'unusable value')}`;
  return unknown === 0 ? words : `${words}; ${count(unknown, 'unknown key')}`;
}

/** Returns that a field looks like one of the steward's. It may be a person's own, so it is no trouble. */
export function keyWords({ file, key, meant }: NearKey): string {
  return `${key} in ${file} means nothing to the steward; did you mean ${meant}?`;
}

/** Returns who judges. */
export function evaluatorWords(name: string, hasProvider: boolean): string {
  return name === 'rules' ? `rules (built in; ${hasProvider ? 'no network' : 'no key, no network'})` : name;
}

/** Returns whether a model answers. */
export function modelWords(check: ModelCheck): string {
  const { model } = check;
  if (check.outcome === 'failed') return `${model} (gives no usable answer)`;
  if (check.outcome === 'not-asked') return `${model} (not asked: ${check.reason})`;
  const where = check.server === null ? '' : ` at ${check.server}`;
  return `${model}${where} (answered in ${(check.ms / 1000).toFixed(1)} s, held to its form by ${check.way})`;
}

/** Returns what models may cost and did cost. `isLower`: whether the environment lowers what the vault allows. */
export function costLimitWords({ usd, caps }: BudgetStatus, isLower: boolean): string {
  const spent = `${round4(usd)} USD spent in the last 24 hours`;
  if (caps.usd === null) return `unlimited: models may cost any sum; ${spent}`;
  return `models may cost ${caps.usd} USD a day${isLower ? ' (as the environment limits it)' : ''}; ${spent}`;
}

/** Returns how notes are written. Null where that could not be tried yet. */
export function exchangeWords(canExchange: boolean | null): string {
  if (canExchange === null) return 'not tried yet: the first start makes .steward';
  return canExchange ? 'notes are swapped atomically (renameat2)' : 'notes are renamed, with a link to what was there';
}

/** Returns what leaves the vault, and how much of it would leave now. */
export function leavingWords(kept: string, streams: number, events: number, signals: number): string {
  const now = [count(streams, 'stream file'), count(events, 'event'), count(signals, 'signal')];
  return `${kept}; leaving now: ${now.join(', ')}`;
}

/** Returns how many records the vault has. */
export function recordWords(root: string, matters: number, tasks: number, signals: number, events: number): string {
  const all = [count(matters, 'matter'), count(tasks, 'task'), count(signals, 'signal'), count(events, 'event')];
  return `${root}: ${all.join(', ')}`;
}

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
