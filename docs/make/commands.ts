import type { CommandShape } from '../../src/cli/commands/completion.ts';
import { GLOSSARY } from './reference.ts';

const MADE = '<!-- Made by `npm run docs` from the command table of the program. Edits here are lost. -->';

/** Returns the page of all commands, as Markdown: what `--help` says of each. */
export function commandsPage(program: CommandShape): string {
  const lines = [
    MADE,
    '',
    '# Commands',
    '',
    '`steward [--vault DIR] COMMAND`. Without `--vault`, Steward uses `$STEWARD_VAULT`, or the nearest folder upward that contains',
    '`steward.md` or `.obsidian`. Commands print results to standard output and everything else to standard error. With `--json` they',
    `print JSON; without this option: ${withoutJson(program, '').join(', ')}.`,
    '',
    '| exit code | meaning |',
    '|---|---|',
    '| 0 | done |',
    '| 1 | refused, a conflict, or no result |',
    '| 2 | wrong usage |',
    '| 75 | try again: the vault is unavailable, or another program has its lock |',
    '| 78 | the settings have an error |',
    '| 129, 130, 143 | ended by a closed terminal, by Ctrl-C, or by a shutdown |',
    '',
    ...program.commands.flatMap((command) => commandLines(command, '')),
  ];
  return `${lines.join('\n').trim()}\n\n${GLOSSARY}\n`;
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

/** The summary of `--vault`, which each command has: the page names the option once. */
const VAULT = 'the vault';
const COMMON = ['--help', '--json'];

/** Returns the names of the commands that print no JSON. */
function withoutJson({ commands }: CommandShape, above: string): string[] {
  return commands.flatMap((command) => {
    if (command.commands.length > 0) return withoutJson(command, `${above}${command.name} `);
    const hasJson = command.options.some(({ names }) => names.includes('--json'));
    return hasJson ? [] : [`\`${above}${command.name}\``];
  });
}

function sentence(summary: string): string {
  return `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}${/[.?!]$/.test(summary) ? '' : '.'}`;
}
