import type { Command } from 'commander';
import { EXIT, StewardError } from '../../vault/errors.ts';
import { stem } from '../../vault/layout.ts';
import { vaultDir } from '../client.ts';
import { type CommandContext, type CommandResult, clean, usageError } from '../terminal.ts';
import { newestEvents } from './log.ts';
import { statusNow } from './status.ts';

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

/** `steward complete -- WORD…`, which the shells ask: prints the candidates for the last word. Never fails. */
export async function complete(
  program: CommandShape,
  words: readonly string[],
  context: CommandContext,
): CommandResult {
  const found = findCompletions(program, words);
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
    return []; // an error would go unseen: the shell has the line
  }
}

const SHELLS = ['bash', 'zsh', 'fish'] as const;

type Shell = (typeof SHELLS)[number];

/** Returns what a shell runs once to complete the words of `steward`: it asks the program itself, which knows its commands. */
function completionScript(shell: Shell): string {
  return SCRIPTS[shell];
}

const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# mkdir -p ~/.local/share/bash-completion/completions && steward completion bash > ~/.local/share/bash-completion/completions/steward
_steward() {
  local value about quoted
  COMPREPLY=()
  while IFS=$'\\t' read -r value about; do
    printf -v quoted %q "$value"
    COMPREPLY+=("$quoted")
  done < <(steward complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _steward steward
`,
  zsh: `#compdef steward
# steward completion zsh > "\${fpath[1]}/_steward"
_steward() {
  local -a found
  local value about
  while IFS=$'\\t' read -r value about; do
    found+=("\${value//:/\\\\:}:$about")
  done < <(steward complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then _describe -V steward found; else _files; fi
}
if [ "\${funcstack[1]}" = "_steward" ]; then _steward "$@"; else compdef _steward steward; fi
`,
  fish: `# mkdir -p ~/.config/fish/completions && steward completion fish > ~/.config/fish/completions/steward.fish

function __steward_words
    set -l words (commandline -opc) (commandline -ct | string collect --allow-empty)
    steward complete -- $words[2..] 2>/dev/null
end
complete -c steward -a '(__steward_words)'
`,
};

interface Candidate {
  readonly value: string;
  readonly about: string;
}

interface Completion {
  readonly words: readonly Candidate[];
  readonly events: EventCommand | null;
}

const EVENT_COMMANDS = ['undo', 'confirm', 'dismiss'] as const;

type EventCommand = (typeof EVENT_COMMANDS)[number];

const FIXED: Readonly<Record<string, readonly string[]>> = {
  completion: SHELLS,
  service: ['install', 'uninstall', 'status'],
};

/** Returns the possible replacements of the last word. The first of `words` is the one after `steward`. */
export function findCompletions(program: CommandShape, words: readonly string[]): Completion {
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

/** An option as a person sees it. */
interface OptionShape {
  /** `-n, --count <n>` */
  readonly flags: string;
  readonly names: readonly string[];
  readonly takesValue: boolean;
  readonly summary: string;
}

/** A command of the table, with what it takes. */
export interface CommandShape {
  readonly name: string;
  readonly summary: string;
  /** `undo [event...]`, without the program's name. */
  readonly usage: string;
  readonly options: readonly OptionShape[];
  readonly commands: readonly CommandShape[];
}

/** Returns the shape of a command and of all below it; hidden ones are left out. */
export function describeCommand(command: Command): CommandShape {
  const help = command.createHelp();
  return {
    name: command.name(),
    summary: command.description(),
    usage: [command.name(), ...command.registeredArguments.map(argumentText)].join(' '),
    options: help.visibleOptions(command).map(({ flags, short, long, required, optional, description }) => ({
      flags,
      names: [short, long].filter((name) => name !== undefined),
      takesValue: required || optional,
      summary: description,
    })),
    commands: help
      .visibleCommands(command)
      .filter((one) => one.name() !== 'help')
      .map(describeCommand),
  };
}

function argumentText(argument: Command['registeredArguments'][number]): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** Returns the man page `steward.1` of the command table, in the language of man pages (roff). */
export function manPage(program: CommandShape, version: string): string {
  return `${[
    `.TH STEWARD 1 "" "steward ${roff(version)}" "User Commands"`,
    '.SH NAME',
    `steward \\- ${roff(program.summary)}`,
    '.SH SYNOPSIS',
    '.B steward',
    roff('[--vault DIR] COMMAND'),
    '.SH OPTIONS',
    ...optionLines(program),
    '.SH COMMANDS',
    ...program.commands.flatMap((command) => commandLines(command, '')),
    '.SH EXIT STATUS',
    ...EXITS.flatMap(([code, meaning]) => ['.TP', `.B ${code}`, roff(meaning)]),
  ].join('\n')}\n`;
}

const EXITS = [
  ['0', 'Done.'],
  ['1', 'Refused, a conflict, or not found.'],
  ['2', 'The command or an option is wrong.'],
  ['75', 'Try again: the vault is away, or another process is using it.'],
  ['78', 'The settings or the environment cannot be used.'],
  ['129, 130, 143', 'Ended by a closed terminal, by Ctrl-C, by a shutdown.'],
] as const;

function commandLines(command: CommandShape, above: string): string[] {
  if (command.commands.length > 0)
    return command.commands.flatMap((one) => commandLines(one, `${above}${command.name} `));
  return [
    `.SS ${roff(`steward ${above}${command.usage}`)}`,
    sentence(command.summary),
    ...optionLines({
      ...command,
      options: command.options.filter(({ names }) => !COMMON.some((one) => names.includes(one))),
    }),
  ];
}

const COMMON = ['--vault', '--help'];

function optionLines({ options }: Pick<CommandShape, 'options'>): string[] {
  return options.flatMap(({ flags, summary }) => ['.TP', `.B ${roff(flags)}`, sentence(summary)]);
}

function sentence(summary: string): string {
  return roff(`${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}${/[.?!]$/.test(summary) ? '' : '.'}`);
}

// A backslash begins an order, and so does a dot or an apostrophe at the beginning of a line. A hyphen is meant as one.
function roff(text: string): string {
  return text.replaceAll('\\', '\\e').replaceAll('…', '...').replaceAll('-', '\\-').replace(/^[.']/gm, '\\&$&');
}
