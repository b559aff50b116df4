import { EXIT, type ExitCode, errorReason, StewardError, systemCode } from '../vault/errors.ts';
import { type CommonOptions, printUnexpected, processContext } from './terminal.ts';

const context = processContext();

// Nothing waits for it here: what a command loads imports from this file's own part of the bundle, and would wait for it too.
void main(process.argv.slice(2)).then((exit) => {
  process.exitCode = exit;
});

/** Runs one command and returns its exit code. Every error ends here, printed as one sentence with a hint. */
async function main(words: readonly string[]): Promise<ExitCode> {
  try {
    const status = plainOptions(words, 'status');
    if (status !== null) return await (await import('./commands/status.ts')).status(status, context);
    const doctor = plainOptions(words, 'doctor');
    if (doctor !== null) return await (await import('./commands/doctor.ts')).doctor(doctor, context);
    return await (await import('./table.ts')).runCommand(words, context);
  } catch (error) {
    return printError(error);
  }
}

/**
 * Returns the options of a bare `steward status` or `steward doctor`, or null for anything else. People and status lines run
 * them more often than other commands, and the command table takes longer to load than the daemon takes to answer.
 */
function plainOptions(words: readonly string[], command: 'status' | 'doctor'): CommonOptions | null {
  const [vault, ...more] = words.flatMap((word, at) => (words[at - 1] === '--vault' ? [word] : []));
  const others = words.filter((word, at) => word !== '--vault' && words[at - 1] !== '--vault');
  const isPlain = [command, `${command} --json`].includes(others.join(' '));
  if (!isPlain || more.length > 0 || words.at(-1) === '--vault' || vault?.startsWith('-')) return null;
  return { json: others.includes('--json'), ...(vault === undefined ? {} : { vault }) };
}

async function printError(error: unknown): Promise<ExitCode> {
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
  printUnexpected(context.err, errorReason(error));
  if (process.env.STEWARD_DEBUG === '1' && error instanceof Error) context.err.line(error.stack);
  return EXIT.refused;
}
