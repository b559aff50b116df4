import type { Command } from 'commander';
import { EXIT, type ExitCode } from '../vault/errors.ts';
import type { CommandContext } from './base.ts';

/** Adds what tells shells and `man` of the table. Two are hidden: what shells ask on every Tab, and the page that the build keeps. */
export function addCompletionCommands(program: Command, context: CommandContext, end: (code: ExitCode) => void): void {
  const shape = async () => (await import('./print/completion/command-shape.ts')).shapeOf(program);
  program
    .command('completion <shell>')
    .description('what bash, zsh or fish run to complete the words of steward')
    .exitOverride()
    .showHelpAfterError('(see steward completion --help)')
    .action(async (shell) => end(await (await import('./commands-completion.ts')).completion(shell, context)));
  program
    .command('complete [word...]', { hidden: true })
    .action(async (words) =>
      end(await (await import('./commands-completion.ts')).complete(await shape(), words, context)),
    );
  program.command('man', { hidden: true }).action(async () => {
    const { manPage } = await import('./print/completion/man-page.ts');
    for (const line of manPage(await shape(), program.version() ?? '')
      .trimEnd()
      .split('\n'))
      context.out.line(line);
    end(EXIT.done);
  });
}
