import { EXIT, type ExitCode, reasonOf, StewardError, systemCode } from '../vault/errors.ts';
import type { CommandContext, CommonOptions } from './base/context.ts';
import { Printer } from './print/print.ts';

const context: CommandContext = {
  out: new Printer(process.stdout, process.env),
  err: new Printer(process.stderr, process.env),
  env: process.env,
  cwd: process.cwd(),
};

process.exitCode = await main(process.argv.slice(2));

/** Runs one command; every error ends here, as one sentence with a hint and its exit code. */
async function main(words: readonly string[]): Promise<ExitCode> {
  try {
    const asked = plainStatus(words);
    if (asked !== null) return await (await import('./commands/status.ts')).status(asked, context);
    return await (await import('./command-table.ts')).runCommand(words, context);
  } catch (error) {
    return failed(error);
  }
}

/**
 * The options of a bare `steward status`, or null for anything else: what is asked most often, by people and by status
 * lines, does not wait for the command table, which takes longer to load than the daemon to answer.
 */
function plainStatus(words: readonly string[]): CommonOptions | null {
  const [vault, ...more] = words.flatMap((word, at) => (words[at - 1] === '--vault' ? [word] : []));
  const others = words.filter((word, at) => word !== '--vault' && words[at - 1] !== '--vault');
  const isPlain = ['status', 'status --json'].includes(others.join(' '));
  if (!isPlain || more.length > 0 || words.at(-1) === '--vault' || vault?.startsWith('-')) return null;
  return { json: others.includes('--json'), ...(vault === undefined ? {} : { vault }) };
}

async function failed(error: unknown): Promise<ExitCode> {
  if (error instanceof StewardError) {
    context.err.trouble(error.trouble);
    return error.exit;
  }
  const path = error instanceof Error && 'path' in error ? String(error.path) : null;
  if (path !== null && systemCode(error) !== null) {
    const { fileError } = await import('../vault/files.ts');
    context.err.trouble({ ...fileError(error, path).trouble, file: null });
    return EXIT.refused;
  }
  context.err.line(`Something went wrong that should not: ${reasonOf(error)}`);
  if (process.env.STEWARD_DEBUG === '1' && error instanceof Error) context.err.line(error.stack);
  return EXIT.refused;
}
