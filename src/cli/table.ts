import { Command, CommanderError, InvalidArgumentError, Option, type OptionValues } from 'commander';
import { EXIT, type ExitCode } from '../vault/errors.ts';
import { parseLocalTime } from '../vault/time.ts';
import { type CommandContext, type CommonOptions, version } from './terminal.ts';

/** Adds what tells shells and `man` of the table. Two are hidden: what shells ask on every Tab, and the page that the build keeps. */
function addCompletionCommands(program: Command, context: CommandContext, end: (code: ExitCode) => void): void {
  const shape = async () => (await import('./commands/completion.ts')).describeCommand(program);
  program
    .command('completion <shell>')
    .description('print the completion script for bash, zsh or fish')
    .exitOverride()
    .showHelpAfterError('(see steward completion --help)')
    .action(async (shell) => end(await (await import('./commands/completion.ts')).completion(shell, context)));
  program
    .command('complete [word...]', { hidden: true })
    .action(async (words) =>
      end(await (await import('./commands/completion.ts')).complete(await shape(), words, context)),
    );
  program.command('man', { hidden: true }).action(async () => {
    const { manPage } = await import('./commands/completion.ts');
    for (const line of manPage(await shape(), program.version() ?? '')
      .trimEnd()
      .split('\n'))
      context.out.line(line);
    end(EXIT.done);
  });
}

interface Table {
  readonly program: Command;
  readonly context: CommandContext;
  readonly end: (code: ExitCode) => void;
  /** Adds the vault that the program was given to a command's own options. */
  readonly options: (own: OptionValues) => OptionValues;
}

/** Adds `steward licence [list] | sign SENDER | end LICENCE` to the command table. */
function addLicenceCommands({ program, context, end, options }: Table): void {
  const licence = program
    .command('licence')
    .description('list, sign and end licences: who may change what without asking, until when')
    .option('--vault <dir>', 'the vault')
    .option('--json', 'print JSON')
    .exitOverride()
    .showHelpAfterError('(see steward licence --help)');
  const given = (self: Command) => options({ ...licence.opts(), ...self.opts() });
  const command = (name: string, description: string) =>
    licence.command(name).description(description).option('--vault <dir>', 'the vault').option('--json', 'print JSON');

  command('list', 'list all licences, those in force first').action(async (_own, self: Command) =>
    end(await (await import('./commands/licence.ts')).licenceList(given(self), context)),
  );
  command(
    'sign <sender>',
    'let a sender make changes without asking; SENDER is an address, mail:ADDRESS, or a licence on offer',
  )
    .option('-m, --matter <matter>', 'only on this matter (default: every matter that names the sender)')
    .option('--kind <kind>', 'done, archived, due, fields or matter; repeatable (default: done and due)', listed)
    .option('--until <day>', 'the last day, YYYY-MM-DD (default: in a year)')
    .action(async (sender, _own, self: Command) =>
      end(await (await import('./commands/licence.ts')).licenceSign(sender, given(self), context)),
    );
  command('end <licence>', 'end a licence; from then on its sender only proposes').action(
    async (name, _own, self: Command) =>
      end(await (await import('./commands/licence.ts')).licenceEnd(name, given(self), context)),
  );
  licence
    .allowExcessArguments() // it says more than commander about a mistyped subcommand
    .action(async (_own, self: Command) =>
      end(await (await import('./commands/licence.ts')).licenceList(given(self), context, self.args)),
    );
}

/** Adds `steward source add|list|test|pause` to the command table. Each is loaded only when it is called. */
function addSourceCommands({ program, context, end, options }: Table): void {
  const source = program
    .command('source')
    .description('connect, list, test and pause sources: mailboxes, calendars, a webhook, a program')
    .option('--vault <dir>', 'the vault')
    .exitOverride()
    .showHelpAfterError('(see steward source --help)');
  const given = (self: Command) => options({ ...source.opts(), ...self.opts() });
  const command = (name: string, description: string) =>
    source.command(name).description(description).option('--vault <dir>', 'the vault');

  command('add [name] [program...]', 'connect a source: ask for missing settings, test it, write its note')
    .option('--kind <kind>', 'imap (a mailbox), caldav, ics (a calendar at an address), webhook, command')
    .option('--user <name>', 'imap, caldav, ics: the address or name of the account')
    .option('--host <server>', 'imap: the server (not needed for well-known providers)')
    .option('--port <n>', 'imap, webhook: the port', port)
    .option('--security <way>', 'imap: tls (default) or starttls; none only for a server on this machine')
    .option('--auth <way>', 'imap, caldav: password (default) or oauth2')
    .option('--folder <name>', 'imap: a folder; repeatable (default: INBOX)', listed)
    .option('--since <day>', 'imap: only mails since this day, YYYY-MM-DD (default: 30 days ago)')
    .option('--sender <who>', 'imap: only mails from this address or domain; repeatable', listed)
    .option('--keep <what>', 'imap: what to keep of each mail in stream/: mail, text or quote')
    .option('--mail-server <name>', "imap: your provider's server, trusted to authenticate senders")
    .option('--sent-folder <name>', 'imap: read what you sent as your own word; auto: the folder that the server marks')
    .option('--own-address <address>', 'imap: another address of yours in sent mails; repeatable', listed)
    .option('--url <address>', 'caldav, ics: the address, https://…')
    .option('--calendar <name>', 'caldav: only this calendar; repeatable', listed)
    .option('--every <pace>', 'how often to fetch: 5m, 1h, 1d')
    .option('--password-command <command...>', 'a command that prints the password or token on its first line')
    .option('--no-test', 'write the note without connecting')
    .option('-y, --yes', 'ask no questions; trust no mail server')
    .addHelpText('after', ADD_HELP)
    .action(async (name, words, _own, self: Command) =>
      end(await (await import('./commands/source-add.ts')).sourceAdd(name, words, given(self), context)),
    );
  command('list', 'list the sources: state, address, and where the password comes from')
    .option('--json', 'print JSON')
    .action(async (_own, self: Command) =>
      end(await (await import('./commands/source.ts')).sourceList(given(self), context)),
    );
  command('test <name> [program...]', 'show the address, allow it on this machine, and connect once without fetching')
    .option('--password-command <command...>', 'use this command for the password or token from now on')
    .option('-y, --yes', 'allow the address without asking')
    .action(async (name, words, _own, self: Command) =>
      end(await (await import('./commands/source.ts')).sourceTest(name, words, given(self), context)),
    );
  command('pause <name>', 'stop fetching from a source until you resume it')
    .option('--off', 'resume it')
    .action(async (name, _own, self: Command) =>
      end(await (await import('./commands/source.ts')).sourcePause(name, given(self), context)),
    );
}

const ADD_HELP = `
On a terminal, \`steward source add\` asks for everything. In a script:
  steward source add inbox --kind imap --user anna@example.org --host imap.example.org --password-command "pass mail/inbox"
  steward source add calendar --kind caldav --user anna --url https://dav.example.org/
  steward source add holidays --kind ics --url https://example.org/holidays.ics
  steward source add tickets --kind command -- /home/anna/bin/tickets --json
Give passwords in a variable, a credential of the service, or a command; never as an argument or in
the vault. You allow each address once on this machine. If the address in the note changes later,
the source stays off until you allow it. See docs/sources.md.`;

function port(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0 && number < 65_536) return number;
  throw new InvalidArgumentError('Give the number of a port, 1 to 65535.');
}

function listed(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** Runs the command that `words` name and returns its exit code. If they name no command, prints why and returns 2. */
export async function runCommand(words: readonly string[], context: CommandContext): Promise<ExitCode> {
  let exit: ExitCode = EXIT.done;
  const program = commandTable(context, (code) => {
    exit = code;
  });
  try {
    await program.parseAsync(words, { from: 'user' });
    return exit;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
}

/** Returns the command table. Each command is loaded only when it is called, so that none waits for the others. */
export function commandTable(context: CommandContext, end: (code: ExitCode) => void): Command {
  const program = new Command('steward')
    .description('Keeps the tasks in a Markdown vault up to date. Changes only what you allow, and can undo it.')
    .version(version(), '-V, --version')
    .option('--vault <dir>', 'the vault (default: $STEWARD_VAULT, or the nearest one upward)', listed)
    .exitOverride()
    .showHelpAfterError('(see steward --help)');

  const bare = (name: string, description: string) =>
    program
      .command(name)
      .description(description)
      .exitOverride()
      .showHelpAfterError(`(see steward ${name.split(' ')[0]} --help)`);
  const command = (name: string, description: string) => bare(name, description).option('--vault <dir>', 'the vault');
  const reading = (name: string, description: string) => command(name, description).option('--json', 'print JSON');
  // Wherever it stands, the program itself takes --vault; the last one counts.
  const named = () => program.opts<{ readonly vault?: readonly string[] }>().vault ?? [];
  const options = <Options extends CommonOptions>(own: Options): Options => {
    const vault = named().at(-1);
    return { ...(vault === undefined ? {} : { vault }), ...own };
  };

  command('init [dir]', 'set up a new or existing vault; changes no note')
    .option('-y, --yes', 'answer yes to every question')
    .option('--anyway', "even if the folder doesn't look like a vault")
    .option('--folder <name>', "in an existing vault: the folder for Steward's own folders (default: Steward)")
    .action(async (dir, own) => end(await (await import('./commands/init.ts')).init(dir, options(own), context)));
  command('demo', 'show Steward at work on a copy of the example vault; needs no key')
    .option('--dir <dir>', 'the folder for the copy; an earlier demo in it is removed', 'steward-demo')
    .option('--once', 'exit after the last mail')
    .action(async ({ dir, once = false }: { readonly dir: string; readonly once?: boolean }) =>
      end(await (await import('./commands/demo.ts')).demo(context, { dir, once, program: 'steward' })),
    );
  bare('run', 'run the daemon in the foreground; print one line per event')
    .option('--vault <dir>', 'the vault')
    .addOption(new Option('--vaults <dir>').hideHelp()) // which moved to `steward-fleet run`
    .addOption(
      new Option('--log <form>', 'text for people, or JSON with one object per line').choices(['text', 'json']),
    )
    .addOption(
      new Option(
        '--log-level <level>',
        'warning: problems; info: what happened; debug: note text too (default on a terminal)',
      ).choices(['warning', 'info', 'debug']),
    )
    .action(async (own) => end(await (await import('./commands/run.ts')).run({ ...own, named: named() }, context)));
  reading('tick [matter...]', 'process signals and check what is due; say why notes were skipped')
    .option('--force', 'also check what is not due yet')
    .action(async (matters, own) =>
      end(await (await import('./commands/tick.ts')).tick(matters, options(own), context)),
    );
  reading('status', 'show what waits for you, the problems, and whether the daemon runs')
    .option('--findings', 'add findings: overdue and untouched notes')
    .option('--schedules', 'add the last and next check of each matter')
    .option('--all', 'add everything: schedules, gates, costs, sources, files, all problems')
    .option('--known <problem...>', 'hide problems until they recur; name them by id, code or file')
    .option('--unhide <problem...>', 'show hidden problems again')
    .option('--watch', 'keep the screen up to date; q quits')
    .action(async (own) => end(await (await import('./commands/status.ts')).status(options(own), context)));
  reading('inbox', 'answer what waits for you: warnings, proposals, questions, conflicts, licences')
    .option('--answer', 'answer one by one (default on a terminal)')
    .option('--list', 'only print the list')
    .action(async (own) => end(await (await import('./commands/inbox.ts')).inbox(options(own), context)));
  reading('log', 'show what happened, newest first')
    .option('-n, --count <n>', 'the number of entries', positive, 20)
    .option('-m, --matter <matter>', 'only this matter and its tasks')
    .action(async (own) => end(await (await import('./commands/log.ts')).log(options(own), context)));
  reading('ledger', 'account for every received event: the outcome of each, and the total')
    .option('--since <date>', 'only events since then', moment)
    .option('--sample <n>', 'show n random events that were set aside', positive)
    .option('--seed <number>', 'with --sample: repeat the same draw', positive)
    .action(async (own) => end(await (await import('./commands/ledger.ts')).ledger(options(own), context)));
  reading(
    'explain <note>',
    'explain a decision; NOTE is a note, event, file in stream/, event in a file (FILE#ID) or sender',
  ).action(async (note, own) =>
    end(await (await import('./commands/explain.ts')).explain(note, options(own), context)),
  );
  reading('undo [event...]', 'undo changes; EVENT is a name, path, link, or a unique part of a name')
    .option('--last <n>', 'the newest n changes that can be undone, undos included', positive)
    .option('--reason <text>', 'the reason, kept in the reversal note')
    .option('--force', 'even if the same field was edited since')
    .option('--dry-run', 'show what would happen')
    .action(async (events, own) => end(await (await import('./commands/undo.ts')).undo(events, options(own), context)));
  for (const kind of ['confirm', 'dismiss'] as const) {
    const answering = reading(
      `${kind} [event...]`,
      kind === 'confirm' ? 'apply proposed changes' : 'close proposals and questions without changing the notes',
    );
    if (kind === 'confirm') {
      answering.option('--choose <note>', 'the right note, if several are possible or another one is meant');
      answering.option('--force', 'even if your mail server rejected the sender');
    } else {
      answering
        .option('--later', 'not now: teaches no lesson, returns only with a new signal (default for filters)')
        .option('--wrong', 'wrong: counts against the senders (default for named events)');
    }
    answering
      .option('-m, --matter <matter>', 'all of one matter and its tasks')
      .option('--class <class>', 'all of one class: state_change, context_edit, parent_matter, related')
      .option('--min-confidence <figure>', 'all with at least this confidence', confidence)
      .option('--source <source>', 'all from one source')
      .option('--all', 'all that wait for you')
      .option('--dry-run', 'show what would happen')
      .action(async (events, own) =>
        end(await (await import('./commands/answer.ts')).answer(kind, events, options(own), context)),
      );
  }
  reading('import <file...>', 'copy files, folders of mails and Maildirs into stream/ and read them')
    .option('--dry-run', 'show which signals would result, and why')
    .option('--all', 'with --dry-run: show all signals, not only 20')
    .option('--sent-by <address>', 'you sent these mails from this address: read them as your own word')
    .action(async (files, own) =>
      end(await (await import('./commands/import.ts')).importCommand(files, options(own), context)),
    );
  reading('teach <mail>', 'say what a mail meant: applies the change and counts its sender as right')
    .requiredOption('--task <note>', 'the task or matter that the mail is about')
    .requiredOption('--set <field=value>', 'the change, such as state=done or due=2026-12-09; repeatable', listed)
    .action(async (mail, own) => end(await (await import('./commands/teach.ts')).teach(mail, options(own), context)));
  reading('rehearse [path...]', 'compare what Steward would have done with your own past mail, with what you did')
    .option('--sent-by <address>', 'you sent the mails from this address: your own word; repeatable', listed)
    .option('--source <name>', 'a connected mailbox; needs --since')
    .option('--since <day>', 'only events from then on', moment)
    .option('--note', 'write a note about it into the vault, too')
    .option('--evaluator <name>', 'rules (default), model, or the id of a model')
    .option('--budget <usd>', 'the most that a model may cost, in US dollars', usd)
    .option('--yes', 'agree to the costs of a model')
    .option('--fresh', "start over, and ask again about offers that you didn't accept")
    .addHelpText('after', REHEARSE_HELP)
    .action(async (paths, own) =>
      end(await (await import('./commands/rehearse.ts')).rehearseCommand(paths, options(own), context)),
    );
  addLicenceCommands({ program, context, end, options });
  addSourceCommands({ program, context, end, options });
  reading('lookup [request]', 'quote passages of files word for word, with line numbers')
    .option('--briefing <note>', 'search the files that this note lists under "Steward-Registered Files"')
    .option('--files <glob...>', 'search these files; relative to the vault, or absolute, or starting with ./')
    .option('--root <dir>', 'a folder outside the vault that the briefing may use; repeatable', listed)
    .addHelpText('after', LOOKUP_HELP)
    .action(async (request, own) =>
      end(await (await import('./commands/lookup.ts')).lookup(request, options(own), context)),
    );
  reading('roundtable <briefing>', 'start or continue a roundtable; BRIEFING is its id, path or link')
    .option('--recorded', 'replay the recorded replies next to the briefing, without a model')
    .option('--root <dir>', 'a folder outside the vault that the briefing may use; repeatable', listed)
    .action(async (briefing, own) =>
      end(await (await import('./commands/roundtable.ts')).roundtable(briefing, options(own), context)),
    );
  command('mcp', 'serve an MCP assistant over stdio; it can read and propose').action(async (own) =>
    end(await (await import('./commands/mcp.ts')).mcp(options(own), context)),
  );
  reading('report', 'show how often Steward was right, compare the modes, and write a report note')
    .option('--since <date>', 'only decisions since then', moment)
    .option('-m, --matter <matter>', 'only this matter and its tasks')
    .option('--no-note', "don't write the note")
    .action(async (own) => end(await (await import('./commands/report.ts')).report(options(own), context)));
  reading('notify <what>', 'send a test message to each channel of this machine: steward notify test').action(
    async (what, own) => end(await (await import('./commands/notify.ts')).notify(what, options(own), context)),
  );
  reading('doctor', 'check the vault, settings, model, disk and daemon, and say what to do').action(async (own) =>
    end(await (await import('./commands/doctor.ts')).doctor(options(own), context)),
  );
  reading('service <what>', 'install or uninstall the service that runs Steward, or show its status')
    .option('--user', 'a service of your account (default)')
    .option('--system', 'a system service, one instance per vault')
    .option('--print', 'print the files without writing them')
    .addOption(
      new Option('--for <manager>', "the service manager (default: this machine's)").choices(['systemd', 'launchd']),
    )
    .action(async (what, own) =>
      end(await (await import('./commands/service.ts')).service(what, options(own), context)),
    );
  command('leave', 'stop Steward and take it out of a vault; keeps your notes and every change in them')
    .option('--undo', 'first undo the changes that can be undone')
    .option('--keep-events', 'keep what was done, and why, in the vault (default)')
    .option('--export <dir>', 'move all notes of Steward to a folder outside the vault')
    .option('--dry-run', 'show what would be removed')
    .option('-y, --yes', "don't ask")
    .action(async (own) => end(await (await import('./commands/leave.ts')).leave(options(own), context)));
  addCompletionCommands(program, context, end);
  return program;
}

const REHEARSE_HELP = `
PATH is a mailbox (mbox), a Maildir, a mail, a folder of mails (.eml), a bank statement, a calendar or a chat export. It copies
and writes no file. On a terminal you are asked about each offer at the end. Without a yes, your notes stay as they are. See
docs/rehearsal.md.`;

const LOOKUP_HELP = `
Ask in your own words. Name a file by its name or the end of its path. These need no model:
  steward lookup "show me the relevanceGate function in merger.dart" --files 'lib/**'
  steward lookup "what is the value of vectorFloorStrict in tuning.dart?" --files 'lib/**'
  steward lookup "how many rows in results.json where score is at least 0.5 and gateReason == 'dualSignal'" --files 'data/*'
  steward lookup "list the rows in runs.csv where status is failed" --files 'data/*'
  steward lookup "lines 152-168 of merger.dart" --files 'lib/**'
  steward lookup 'the section "Risks" of plan.md' --briefing roundtable/house/briefing.md
It finds names in Dart, TypeScript, JavaScript, Python, Go, Rust, Java, C, C++, C#, Kotlin, Swift,
Markdown, JSON, YAML and TOML; rows in JSON, JSONL and CSV; lines in any text. Other questions go
to a read-only agent, and each of its extracts is compared with the file. Without a key, lookup
searches for the words. If it finds no match, it exits with 1.`;

function positive(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('Give a whole number, 1 or more.');
}

function moment(text: string): number {
  const at = parseLocalTime(text);
  if (at !== null) return at;
  throw new InvalidArgumentError('Give a date (YYYY-MM-DD) or a time (YYYY-MM-DDTHH:mm:ss).');
}

function usd(text: string): number {
  const sum = /^\d{1,6}(?:\.\d{1,4})?$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (sum > 0) return sum;
  throw new InvalidArgumentError('Give a sum in US dollars, such as 2 or 0.50.');
}

function confidence(text: string): number {
  const figure = text.trim() === '' ? Number.NaN : Number(text);
  if (figure >= 0 && figure <= 1) return figure;
  throw new InvalidArgumentError('Give a figure from 0 to 1.');
}
