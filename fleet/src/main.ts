import { parseArgs } from 'node:util';
import type { Asked } from './commands/context.ts';
import {
  type CommandContext,
  EXIT,
  type ExitCode,
  printUnexpected,
  processContext,
  reasonOf,
  StewardError,
} from './steward.ts';

type Command = (asked: Asked, context: CommandContext) => Promise<ExitCode>;

// Each loads only what it needs: a host loads ten times as much as the others.
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  host: async () => (await import('./commands/host.ts')).host,
  add: async () => (await import('./commands/add.ts')).add,
  remove: async () => (await import('./commands/remove.ts')).remove,
  status: async () => (await import('./commands/status.ts')).status,
  nudge: async () => (await import('./commands/nudge.ts')).nudge,
  drain: async () => (await import('./commands/drain.ts')).drain,
};

const HELP = `steward-fleet: keeps the vaults of many hosts, with one small Temporal workflow for each.

  host [--vaults DIR]… [--visits N] [--lease SECONDS] [--metrics HOST:PORT]
                                     serves the vaults of this host; those in DIR are found by their ids
  add DIR… | --vaults DIR [--take]   has vaults kept by this host; --take: from a host that is lost
  remove VAULT…                      nobody keeps them from now on; they stay as they are
  status                             the vaults of this host, and until when each sleeps
  nudge VAULT…                       has them visited now
  drain --to HOST                    hands all vaults of this host over to another

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
    printUnexpected(context.err, reasonOf(error));
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
        metrics: text,
        vaults: { type: 'string', multiple: true, default: [] },
        json: flag,
        take: flag,
        help: { ...flag, short: 'h' },
      },
    });
    const [name = '', ...rest] = positionals;
    const { help, ...options } = values;
    return { name, asked: { ...options, words: rest }, isHelp: help };
  } catch (error) {
    throw new StewardError(
      { code: 'usage', message: `${reasonOf(error).split('\n')[0]}`, hint: 'See `steward-fleet --help`.' },
      EXIT.usage,
    );
  }
}
