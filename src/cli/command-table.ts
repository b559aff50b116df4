import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { endOfLocalDay, isDateOnly, parseLocalTime } from '../steward/local-time.ts';
import { EXIT, type ExitCode } from '../vault/errors.ts';
import { PACKAGE } from './base/package-dir.ts';
import type { CommandContext, CommonOptions } from './base.ts';
import { addCompletionCommands } from './completion-table.ts';
import { addSourceCommands } from './source-table.ts';

/** Runs the command that `words` name and returns its exit code. Where they name none, prints why and returns 2. */
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
    .description(
      'Keeps the notes of a Markdown vault true. It acts only when it may, and can take back whatever it did.',
    )
    .version(version(), '-V, --version')
    .option('--vault <dir>', 'the vault (else $STEWARD_VAULT, else the nearest one upward)', listed)
    .exitOverride()
    .showHelpAfterError('(see steward --help)');

  const bare = (name: string, description: string) =>
    program
      .command(name)
      .description(description)
      .exitOverride()
      .showHelpAfterError(`(see steward ${name.split(' ')[0]} --help)`);
  const command = (name: string, description: string) => bare(name, description).option('--vault <dir>', 'the vault');
  const reading = (name: string, description: string) => command(name, description).option('--json', 'for programs');
  // Wherever it stands, the program itself takes --vault; the last one counts, but for the command that takes several.
  const named = () => program.opts<{ readonly vault?: readonly string[] }>().vault ?? [];
  const options = <Options extends CommonOptions>(own: Options): Options => {
    const vault = named().at(-1);
    return { ...(vault === undefined ? {} : { vault }), ...own };
  };

  command('init [dir]', 'set up a new vault, or an existing one; changes no note')
    .option('-y, --yes', 'agree to every proposal without being asked')
    .option('--anyway', 'even in a folder that looks like no vault')
    .action(async (dir, own) => end(await (await import('./setup-init.ts')).init(dir, options(own), context)));
  command('demo', 'watch the steward work on a copy of its example vault; needs no key')
    .option('--dir <dir>', 'where the copy goes; an earlier demo there is removed', 'steward-demo')
    .option('--once', 'end after the last mail')
    .action(async ({ dir, once = false }: { readonly dir: string; readonly once?: boolean }) =>
      end(await (await import('./demo.ts')).demo(context, { dir, once, program: 'steward' })),
    );
  bare('run', 'run the daemon in the foreground; one line for each thing that happens')
    .option('--vault <dir>', 'the vault; may be repeated: one process looks after all of them')
    .option('--vaults <dir>', 'each subfolder of it that is a vault; new ones are taken up, gone ones let go of')
    .addOption(new Option('--log <form>', 'lines for people, or JSON: one object a line').choices(['text', 'json']))
    .addOption(
      new Option(
        '--log-level <level>',
        'warning: what is wrong; info: what happened; debug: what notes say, too (default on a terminal)',
      ).choices(['warning', 'info', 'debug']),
    )
    .action(async (own) => end(await (await import('./commands/run.ts')).run({ ...own, named: named() }, context)));
  reading('tick [matter...]', 'do one round now: strong signals first, then the ticks')
    .option('--force', 'include what is not due yet')
    .action(async (matters, own) =>
      end(await (await import('./commands/tick.ts')).tick(matters, options(own), context)),
    );
  reading('status', 'show how things stand on one screen: what waits for you, what is wrong, whether the daemon runs')
    .option('--schedules', 'add when each matter was last looked at, and when it is next')
    .option('--all', 'add everything: schedules, gates, costs, sources, files, all that is wrong')
    .option('--watch', 'keep it on the screen, up to date; q ends it')
    .action(async (own) => end(await (await import('./commands/status.ts')).status(options(own), context)));
  reading('inbox', 'go through what waits for you: proposals, questions, choices, conflicts, kept files, trouble')
    .option('--answer', 'answer one by one; the default on a terminal')
    .option('--list', 'only print it')
    .action(async (own) => end(await (await import('./commands/inbox.ts')).inbox(options(own), context)));
  reading('log', 'show what happened, newest first')
    .option('-n, --count <n>', 'how many', positive, 20)
    .option('-m, --matter <matter>', 'only one matter and its tasks')
    .action(async (own) => end(await (await import('./commands/log.ts')).log(options(own), context)));
  reading(
    'explain <note>',
    'say why something happened, or nothing: NOTE is a note, an event, a file of stream/, an event in one (FILE#ID), or a sender',
  ).action(async (note, own) =>
    end(await (await import('./commands/explain.ts')).explain(note, options(own), context)),
  );
  reading('undo [event...]', 'take changes back; EVENT is a name, path, link, or a unique part of a name')
    .option('--last <n>', 'the newest n that can still be taken back', positive)
    .option('--reason <text>', 'kept in the reversal note')
    .option('--force', 'also where somebody has edited the same field since')
    .option('--dry-run', 'only say what would happen')
    .action(async (events, own) => end(await (await import('./commands/undo.ts')).undo(events, options(own), context)));
  for (const kind of ['confirm', 'dismiss'] as const) {
    const answering = reading(
      `${kind} [event...]`,
      kind === 'confirm' ? 'make proposed changes' : 'close proposals and questions; the notes stay as they are',
    );
    if (kind === 'confirm') answering.option('--choose <note>', 'the right note, where several are possible');
    answering
      .option('-m, --matter <matter>', 'all that wait for one matter and its tasks')
      .option('--class <class>', 'all that wait of one class: state_change, context_edit, parent_matter, related')
      .option('--min-confidence <figure>', 'all that wait and are at least this sure', confidence)
      .option('--source <source>', 'all that wait from one source')
      .option('--all', 'all that wait')
      .option('--dry-run', 'only say what would happen')
      .action(async (events, own) =>
        end(await (await import('./commands/answer.ts')).answer(kind, events, options(own), context)),
      );
  }
  reading('import <file...>', 'put files and Maildirs into stream/ and read them')
    .option('--dry-run', 'only say which signals would come, and why')
    .option('--all', 'with --dry-run: every signal, not the first 20')
    .action(async (files, own) =>
      end(await (await import('./commands-import.ts')).importCommand(files, options(own), context)),
    );
  addSourceCommands({ program, context, end, options });
  reading('lookup <request>', 'find what stands in files, word for word, with its lines')
    .option('--briefing <note>', 'in the files that the note lists under "Steward-Registered Files"')
    .option('--files <glob...>', 'in these files; relative to the vault, unless absolute or beginning with ./')
    .option('--root <dir>', 'a folder outside the vault that the briefing may have read; may be repeated', listed)
    .addHelpText('after', LOOKUP_HELP)
    .action(async (request, own) =>
      end(await (await import('./commands/lookup.ts')).lookup(request, options(own), context)),
    );
  reading('roundtable <briefing>', 'hold a roundtable, or continue it; BRIEFING is its id, path or link')
    .option('--recorded', 'play the recorded replies beside the briefing; asks no model')
    .option('--root <dir>', 'a folder outside the vault that the briefing may have read; may be repeated', listed)
    .action(async (briefing, own) =>
      end(await (await import('./commands/roundtable.ts')).roundtable(briefing, options(own), context)),
    );
  command('mcp', 'serve an assistant over stdio: it reads what waits and why, and only proposes').action(async (own) =>
    end(await (await import('./mcp.ts')).mcp(options(own), context)),
  );
  reading(
    'report',
    'show how often it was right, what each mode would have done, and when to raise it; writes a note too',
  )
    .option('--since <date>', 'only decisions from then on', moment)
    .option('-m, --matter <matter>', 'only one matter and its tasks')
    .option('--no-note', 'leave the note in the vault as it is')
    .action(async (own) => end(await (await import('./commands/report.ts')).report(options(own), context)));
  reading('replay', 'show what other settings would have made of the recorded decisions')
    .requiredOption('--since <date>', 'from then on; must be given', moment)
    .option('--until <date>', 'up to then, the whole day included', momentAfter)
    .option('--set <key=value>', 'a setting to try, as in steward.md, or prior.SOURCE; may be repeated', listed)
    .action(async (own) => end(await (await import('./commands/replay.ts')).replay(options(own), context)));
  reading('notify <what>', 'send a test message to each channel of this machine: steward notify test').action(
    async (what, own) => end(await (await import('./commands-notify.ts')).notify(what, options(own), context)),
  );
  reading('doctor', 'check the vault, the settings, the model, the disk and the daemon, and say what to do')
    .option('--reader [model]', 'try how well the model, or this one, reads twenty built-in mails; may cost money')
    .action(async (own) => end(await (await import('./setup-doctor.ts')).doctor(options(own), context)));
  reading('service <what>', 'install, uninstall or status: the service that runs the steward on the vault')
    .option('--user', 'your own service (default)')
    .option('--system', "the system's: one vault an instance")
    .option('--print', 'only print what would be written')
    .addOption(
      new Option('--for <manager>', "whose service; this machine's by default").choices(['systemd', 'launchd']),
    )
    .action(async (what, own) => end(await (await import('./setup-service.ts')).service(what, options(own), context)));
  addCompletionCommands(program, context, end);
  return program;
}

const LOOKUP_HELP = `
Ask in your own words; name the file by its name or the end of its path. It belongs to a vault: the one you are in, or --vault.
Answered without a model:
  steward lookup "show me the relevanceGate function in merger.dart" --files 'lib/**'
  steward lookup "what is the value of vectorFloorStrict in tuning.dart?" --files 'lib/**'
  steward lookup "how many rows in results.json where score is at least 0.5 and gateReason == 'dualSignal'" --files 'data/*'
  steward lookup "list the rows in runs.csv where status is failed" --files 'data/*'
  steward lookup "lines 152-168 of merger.dart" --files 'lib/**'
  steward lookup 'the section "Risks" of plan.md' --briefing roundtable/house/briefing.md
Names are known in Dart, TypeScript, JavaScript, Python, Go, Rust, Java, C, C++, Markdown, JSON, YAML and TOML; rows in JSON,
JSONL and CSV; lines in any text. Any other question goes to a read-only agent where there is a key, and each of its
extracts is compared with the file; without a key, the words are searched for. Exit 1 where nothing was found.`;

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

function momentAfter(text: string): number {
  const at = moment(text);
  return isDateOnly(text) ? endOfLocalDay(at) : at;
}

function listed(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

function confidence(text: string): number {
  const figure = text.trim() === '' ? Number.NaN : Number(text);
  if (figure >= 0 && figure <= 1) return figure;
  throw new InvalidArgumentError('Give a figure from 0 to 1.');
}

function version(): string {
  const manifest: { readonly version: string } = JSON.parse(readFileSync(path.join(PACKAGE, 'package.json'), 'utf8'));
  return manifest.version;
}
