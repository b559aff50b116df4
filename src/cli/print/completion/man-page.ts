import type { CommandShape } from './command-shape.ts';

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
  ['1', 'Refused, a conflict, or nothing found.'],
  ['2', 'The words of the command were not understood.'],
  ['75', 'Try again: the vault is away, or another process holds it.'],
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

/** What every command takes. */
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
