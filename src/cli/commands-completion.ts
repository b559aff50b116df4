import { EXIT, StewardError } from '../vault/errors.ts';
import { stem } from '../vault/note-names.ts';
import { usageError } from './base/usage-error.ts';
import type { CommandContext, CommandResult } from './base.ts';
import { newestEvents } from './commands/log.ts';
import { statusNow } from './commands/status.ts';
import { vaultDir } from './daemon-client.ts';
import type { CommandShape } from './print/completion/command-shape.ts';
import { clean } from './print/plain-text.ts';
import { completionScript, SHELLS } from './print-completion.ts';

/** A word that may stand next, and what it means. */
interface Candidate {
  readonly value: string;
  readonly about: string;
}

/** What the words of a command line ask for: words that are known, or the events that one of these commands can answer. */
interface Completion {
  readonly words: readonly Candidate[];
  readonly events: EventCommand | null;
}

const EVENT_COMMANDS = ['undo', 'confirm', 'dismiss'] as const;
type EventCommand = (typeof EVENT_COMMANDS)[number];

/** What stands behind some commands, always the same. */
const FIXED: Readonly<Record<string, readonly string[]>> = {
  completion: SHELLS,
  service: ['install', 'uninstall', 'status'],
};

/** Returns what may stand in the place of the last of the words, of which the first is the one behind `steward`. */
export function completionOf(program: CommandShape, words: readonly string[]): Completion {
  const last = words.at(-1) ?? '';
  const command = commandAt(program, words.slice(0, -1));
  const before = words.at(-2) ?? '';
  if (command.options.some(({ names, takesValue }) => takesValue && names.includes(before))) return NOTHING;
  if (last.startsWith('-')) return { words: fitting(optionsOf(command), last), events: null };
  const below = command.commands.map(({ name, summary }) => ({ value: name, about: summary }));
  const fixed = (FIXED[command.name] ?? []).map((value) => ({ value, about: '' }));
  const events = EVENT_COMMANDS.find((name) => name === command.name) ?? null;
  return { words: fitting([...below, ...fixed], last), events };
}

/** Returns the candidates that begin as it was typed, in any case. */
function fitting(candidates: readonly Candidate[], typed: string): Candidate[] {
  const start = typed.toLowerCase();
  return candidates.filter(({ value }) => value.toLowerCase().startsWith(start));
}

const NOTHING: Completion = { words: [], events: null };

function optionsOf(command: CommandShape): Candidate[] {
  return command.options.flatMap(({ names, summary }) => names.map((value) => ({ value, about: summary })));
}

// An option's value is no command, whatever it is called.
function commandAt(program: CommandShape, words: readonly string[]): CommandShape {
  let command = program;
  words.forEach((word, at) => {
    const before = words[at - 1] ?? '';
    const isValue = command.options.some(({ names, takesValue }) => takesValue && names.includes(before));
    const next = command.commands.find(({ name }) => name === word);
    if (next !== undefined && !isValue) command = next;
  });
  return command;
}

/** How many events are looked at for those that can be taken back. */
const NEWEST = 50;

/** `steward completion SHELL`: prints what the shell runs to complete words. */
export async function completion(shell: string, { out }: CommandContext): CommandResult {
  const known = SHELLS.find((one) => one === shell);
  if (known === undefined)
    throw usageError(`There is no completion for ${shell}.`, `There is one for ${SHELLS.join(', ')}.`);
  for (const line of completionScript(known).trimEnd().split('\n')) out.line(line);
  return EXIT.done;
}

/** `steward complete -- WORD…`, which the shells ask: prints what may stand in place of the last word. Never fails. */
export async function complete(
  program: CommandShape,
  words: readonly string[],
  context: CommandContext,
): CommandResult {
  const found = completionOf(program, words);
  const events = found.events === null ? [] : await eventsFor(found.events, words, context);
  for (const { value, about } of [...found.words, ...fitting(events, words.at(-1) ?? '')])
    context.out.line(`${clean(value)}\t${clean(about)}`);
  return EXIT.done;
}

async function eventsFor(
  command: EventCommand,
  words: readonly string[],
  context: CommandContext,
): Promise<readonly Candidate[]> {
  const named = words[words.lastIndexOf('--vault') + 1];
  const options = words.includes('--vault') && named !== undefined ? { vault: named } : {};
  try {
    const root = vaultDir(options, context);
    const about = command === 'undo' ? await undoable(context, root) : await waiting(context, root, command);
    return about.flatMap((one) => candidatesFor(one, about));
  } catch (error) {
    if (!(error instanceof StewardError)) throw error;
    return []; // nobody sees it: the shell has the line
  }
}

/** An event that can be answered, and the title of its note. */
interface Named {
  readonly event: string;
  readonly title: string | null;
  readonly about: string;
}

async function undoable(context: CommandContext, root: string): Promise<readonly Named[]> {
  const events = await newestEvents(context, root, NEWEST, null);
  return events
    .filter(({ outcome }) => outcome === 'applied' || outcome === 'acted' || outcome === 'confirmed')
    .map(({ event, target, decision }) => ({ event: stem(event), title: titleOf(target), about: decision }));
}

async function waiting(
  context: CommandContext,
  root: string,
  command: Exclude<EventCommand, 'undo'>,
): Promise<readonly Named[]> {
  const { waiting: all } = await statusNow(root, context);
  return all
    .filter(({ answers }) => answers.includes(command) || (command === 'confirm' && answers.includes('choose')))
    .flatMap(({ event, target, change }) =>
      event === null ? [] : [{ event, title: titleOf(target), about: change ?? '' }],
    );
}

function titleOf(target: string | null): string | null {
  return target === null ? null : stem(target);
}

// The title, where it means this event alone; else the name of the event.
function candidatesFor({ event, title, about }: Named, all: readonly Named[]): Candidate[] {
  const isOnly = title !== null && all.filter((one) => one.title === title).length === 1;
  return [
    { value: isOnly && title !== null ? title : event, about: isOnly ? about : `${title ?? ''} ${about}`.trim() },
  ];
}
