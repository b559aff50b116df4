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
    ...program.commands.flatMap((command, nth) => commandLines(command, '', program.commands[nth - 1])),
  ];
  return `${lines.join('\n').trim()}\n\n${GLOSSARY}\n`;
}

function commandLines(command: CommandShape, above: string, before?: CommandShape): string[] {
  if (command.commands.length > 0)
    return command.commands.flatMap((one) => commandLines(one, `${above}${command.name} `));
  const all = command.options.filter(
    ({ names, summary }) => summary !== VAULT && !COMMON.some((name) => names.includes(name)),
  );
  const shared = all.filter((option) => before?.options.some((other) => isSameOption(option, other)));
  const isMentioned = before !== undefined && shared.length >= MIN_SHARED;
  const own = isMentioned ? all.filter((option) => !shared.includes(option)) : all;
  return [
    `## \`steward ${above}${command.usage}\``,
    '',
    sentence(command.summary),
    '',
    ...own.map(({ flags, summary }) => `- \`${flags}\`: ${summary}`),
    ...(isMentioned
      ? [`- ${shared.map(({ names }) => `\`${names.at(-1)}\``).join(', ')}: as for \`${before.name}\``]
      : []),
    ...(own.length === 0 ? [] : ['']),
  ];
}

/** From so many options on that a command shares with the one before, the page only names them. */
const MIN_SHARED = 4;

function isSameOption(one: CommandShape['options'][number], other: CommandShape['options'][number]): boolean {
  return one.flags === other.flags && one.summary === other.summary;
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
