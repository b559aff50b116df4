import type { CommandShape } from '../../print/completion/command-shape.ts';
import { SHELLS } from '../../print/completion/scripts.ts';

/** A word that may stand next, and what it means. */
export interface Candidate {
  readonly value: string;
  readonly about: string;
}

/** What the words of a command line ask for: words that are known, or the events that one of these commands can answer. */
interface Completion {
  readonly words: readonly Candidate[];
  readonly events: EventCommand | null;
}

const EVENT_COMMANDS = ['undo', 'confirm', 'dismiss'] as const;
export type EventCommand = (typeof EVENT_COMMANDS)[number];

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
export function fitting(candidates: readonly Candidate[], typed: string): Candidate[] {
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
