import { parseArgs } from 'node:util';
import type { Asked } from './commands/context.ts';
import {
  type CommandContext,
  EXIT,
  type ExitCode,
  errorReason,
  printUnexpected,
  processContext,
  StewardError,
} from './steward.ts';

type Command = (asked: Asked, context: CommandContext) => Promise<ExitCode>;

// Each loads only what it needs: a host loads ten times as much as the others.
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  run: async () => (await import('./commands/run.ts')).run,
  host: async () => (await import('./commands/host.ts')).host,
  add: async () => (await import('./commands/add.ts')).add,
  remove: async () => (await import('./commands/remove.ts')).remove,
  status: async () => (await import('./commands/status.ts')).status,
  nudge: async () => (await import('./commands/nudge.ts')).nudge,
  drain: async () => (await import('./commands/drain.ts')).drain,
};

const HELP = `steward-fleet: keeps many vaults, in one process or on many hosts.

  run DIR… | --vaults DIR [--log text|json] [--log-level warning|info|debug]
                                     the daemons of several vaults in one process; needs no server
                                     --vaults: each subfolder that is a vault, as they come and go

With one small Temporal workflow for each vault:

  host [--vaults DIR]… [--visits N] [--lease SECONDS] [--slack MINUTES] [--metrics HOST:PORT]
                                     serves the vaults of this host; finds those in DIR by their ids
  add DIR… | --vaults DIR [--take] [--adopt]
                                     gives vaults to this host; --take: also those of a host that is lost
                                     --adopt: also if their notes have the marks of another key
  remove VAULT…                      stops keeping these vaults, and changes no file in them
  status [--all]                     the vaults of this host, and until when each sleeps
                                     --all: also the vaults of other hosts that don't run
  nudge VAULT…                       visits these vaults now, and waits
  drain --to HOST                    moves all vaults of this host to another

  VAULT is an id or a folder. All take --address HOST:PORT (else STEWARD_FLEET_ADDRESS) and --json.
  STEWARD_FLEET_NAMESPACE, STEWARD_FLEET_API_KEY, STEWARD_FLEET_TLS_CA, _CERT and _KEY say how the server is reached.
`;

const context = processContext();
process.exitCode = await main(process.argv.slice(2));

/** Runs one command and returns its exit code. Every error ends here, printed as one sentence with a hint. */
async function main(words: readonly string[]): Promise<ExitCode> {
  try {
    const { name, asked, isHelp } = read(words);
    const command = COMMANDS[name];
    if (command === undefined || isHelp) {
      (isHelp ? context.out : context.err).line(HELP.trimEnd());
      return isHelp ? EXIT.done : EXIT.usage;
    }
    return await (await command())(asked, context);
  } catch (error) {
    if (error instanceof StewardError) {
      context.err.trouble(error.trouble);
      return error.exit;
    }
    printUnexpected(context.err, errorReason(error));
    if (process.env.STEWARD_DEBUG === '1' && error instanceof Error) context.err.line(error.stack);
    return EXIT.refused;
  }
}

function read(words: readonly string[]): { name: string; asked: Asked; isHelp: boolean } {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        address: text,
        to: text,
        visits: text,
        lease: text,
        slack: text,
        metrics: text,
        log: text,
        'log-level': text,
        vaults: { type: 'string', multiple: true, default: [] },
        json: flag,
        take: flag,
        adopt: flag,
        all: flag,
        help: { ...flag, short: 'h' },
      },
    });
    const [name = '', ...rest] = positionals;
    const { help, 'log-level': logLevel, ...options } = values;
    return { name, asked: { ...options, logLevel, words: rest }, isHelp: help };
  } catch (error) {
    throw new StewardError(
      { code: 'usage', message: `${errorReason(error).split('\n')[0]}`, hint: 'See `steward-fleet --help`.' },
      EXIT.usage,
    );
  }
}
