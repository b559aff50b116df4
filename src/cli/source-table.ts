import { type Command, InvalidArgumentError, type OptionValues } from 'commander';
import type { ExitCode } from '../vault/errors.ts';
import type { CommandContext } from './base.ts';

/** What the commands need of the table they are added to. */
interface Table {
  readonly program: Command;
  readonly context: CommandContext;
  readonly end: (code: ExitCode) => void;
  /** Adds the vault that the program was given to a command's own options. */
  readonly options: (own: OptionValues) => OptionValues;
}

/** Adds `steward source add|list|test|pause` to the command table. Each is loaded only when it is called. */
export function addSourceCommands({ program, context, end, options }: Table): void {
  const source = program
    .command('source')
    .description('connect, list, test and pause sources: mailboxes, calendars, a webhook, a program')
    .option('--vault <dir>', 'the vault')
    .exitOverride()
    .showHelpAfterError('(see steward source --help)');
  const given = (self: Command) => options({ ...source.opts(), ...self.opts() });
  const command = (name: string, description: string) =>
    source.command(name).description(description).option('--vault <dir>', 'the vault');

  command('add [name] [program...]', 'connect one: asks for what is missing, tests it, writes its note')
    .option('--kind <kind>', 'imap (a mailbox), caldav, ics (a calendar at an address), webhook, command')
    .option('--user <name>', 'imap, caldav, ics: the address or name of the account')
    .option('--host <server>', 'imap: the server; known for well-known providers')
    .option('--port <n>', 'imap, webhook', port)
    .option('--security <way>', 'imap: tls (default), starttls; none for this machine alone')
    .option('--auth <way>', 'imap, caldav: password (default) or oauth2')
    .option('--folder <name>', 'imap: INBOX unless said; may be repeated', listed)
    .option('--since <day>', 'imap: no mail that came before, as 2026-11-01; else of the last 30 days')
    .option('--sender <who>', 'imap: only mails of this address or domain; may be repeated', listed)
    .option('--keep <what>', 'imap: what stays of a mail in stream/: mail, text, or quote')
    .option('--mail-server <name>', "imap: your provider's server, whose word about senders is believed")
    .option('--url <address>', 'caldav, ics: https://…')
    .option('--calendar <name>', 'caldav: only this calendar; may be repeated', listed)
    .option('--every <pace>', 'how often it is asked: 5m, 1h, 1d')
    .option('--password-command <command...>', 'a command that prints the password or token on its first line')
    .option('--no-test', 'write it without connecting')
    .option('-y, --yes', 'ask nothing; takes no word about senders for granted')
    .addHelpText('after', ADD_HELP)
    .action(async (name, words, _own, self: Command) =>
      end(await (await import('./source-add.ts')).sourceAdd(name, words, given(self), context)),
    );
  command('list', 'list each with its state, where it leads and where its password comes from')
    .option('--json', 'for programs')
    .action(async (_own, self: Command) =>
      end(await (await import('./commands/source/list.ts')).sourceList(given(self), context)),
    );
  command(
    'test <name> [program...]',
    'say where it leads, allow that on this machine, and connect once; fetches nothing',
  )
    .option('--password-command <command...>', 'from now on: a command that prints the password or token')
    .option('-y, --yes', 'allow where it leads without being asked')
    .action(async (name, words, _own, self: Command) =>
      end(await (await import('./commands/source/test.ts')).sourceTest(name, words, given(self), context)),
    );
  command('pause <name>', 'let it rest until further notice')
    .option('--off', 'ask it again')
    .action(async (name, _own, self: Command) =>
      end(await (await import('./commands/source/pause.ts')).sourcePause(name, given(self), context)),
    );
}

const ADD_HELP = `
On a terminal, \`steward source add\` alone asks for everything. Without being asked:
  steward source add inbox --kind imap --user anna@example.org --host imap.example.org --password-command "pass mail/inbox"
  steward source add calendar --kind caldav --user anna --url https://dav.example.org/
  steward source add holidays --kind ics --url https://example.org/holidays.ics
  steward source add tickets --kind command -- /home/anna/bin/tickets --json
A password is never an argument and never in the vault: it comes from a variable, a credential of the service, or a command.
Where a source leads is allowed on this machine, outside the vault; a note that leads elsewhere later is not followed. See docs/sources.md.`;

function port(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0 && number < 65_536) return number;
  throw new InvalidArgumentError('Give the number of a port, 1 to 65535.');
}

function listed(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
