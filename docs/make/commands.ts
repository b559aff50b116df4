import type { CommandShape } from '../../src/cli/print/completion/command-shape.ts';

const MADE = '<!-- Made by `npm run docs` from the command table of the program. Edits here are lost. -->';

/** Returns the page of all commands, as Markdown: what `--help` says of each. */
export function commandsPage(program: CommandShape): string {
  const lines = [
    MADE,
    '',
    '# Commands',
    '',
    '`steward [--vault DIR] COMMAND`. Without `--vault` the vault is `$STEWARD_VAULT`, else the nearest folder upward that holds',
    '`steward.md` or `.obsidian`. Every reading command has `--json`. Results go to standard output, everything else to standard error.',
    '',
    'Exit codes: 0 done · 1 refused, a conflict, or nothing found · 2 wrong usage · 75 try again: the vault is away, or another holds it ·',
    '78 the settings cannot be used · 129, 130, 143 ended by a closed terminal, Ctrl-C, a shutdown.',
    '',
    ...program.commands.flatMap((command) => commandLines(command, '')),
  ];
  return `${lines.join('\n').trim()}\n`;
}

function commandLines(command: CommandShape, above: string): string[] {
  if (command.commands.length > 0)
    return command.commands.flatMap((one) => commandLines(one, `${above}${command.name} `));
  const own = command.options.filter(
    ({ names, summary }) => summary !== VAULT && !COMMON.some((name) => names.includes(name)),
  );
  return [
    `## \`steward ${above}${command.usage}\``,
    '',
    sentence(command.summary),
    '',
    ...own.map(({ flags, summary }) => `- \`${flags}\`: ${summary}`),
    ...(own.length === 0 ? [] : ['']),
  ];
}

/** What every command takes, where it says no more of it than that. */
const VAULT = 'the vault';
const COMMON = ['--help'];

function sentence(summary: string): string {
  return `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}${/[.?!]$/.test(summary) ? '' : '.'}`;
}
