import type { Command } from 'commander';

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
export function shapeOf(command: Command): CommandShape {
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
      .map(shapeOf),
  };
}

function argumentText(argument: Command['registeredArguments'][number]): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}
