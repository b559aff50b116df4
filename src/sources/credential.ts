import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Environment } from '../daemon/environment.ts';
import { endLeftOver } from '../daemon/program.ts';
import { systemCode } from '../vault/errors.ts';
import { shellWord } from '../vault/note-text.ts';
import { type Credential, type Grant, passwordCredential, passwordVariable, SourceError } from './source.ts';

const LIMIT_MS = 30_000;
const MAX_BYTES = 16 * 1024;
/** How long the output is read after the command has ended: something that it left running may hold it open. */
const DRAIN_MS = 1_000;

/** Whatever a command has started is found again by the value of this variable. */
const MARK = 'STEWARD_PASSWORD_COMMAND';

/** A command that prints the password, token or key of a source on its first line. */
interface PasswordCommand {
  readonly source: string;
  /** The program and its arguments. It is started without a shell. */
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly limitMs?: number;
}

/** How a command ended. `flood`: it was ended because it printed too much; `late`: because it took too long. */
type Ending =
  | { readonly how: 'exit'; readonly code: number; readonly output: string }
  | { readonly how: 'signal'; readonly signal: string }
  | { readonly how: 'unstarted'; readonly error: unknown }
  | { readonly how: 'late' | 'flood' | 'aborted' };

/**
 * Runs a command and returns the first line that it prints. Throws a `SourceError` with a sentence for each way in
 * which it can fail. The command's output is a secret, and so is its error output: the error contains no part of it.
 */
async function readPasswordCommand(command: PasswordCommand, abort: AbortSignal): Promise<string> {
  const mark = `${command.source}-${randomUUID()}`;
  const ending = abort.aborted ? ({ how: 'aborted' } as const) : await runCommand(command, mark, abort);
  const hasWorked = ending.how === 'exit' && ending.code === 0;
  // The programs that a script started outlive it. Those of a command that worked are kept: the agent of a keyring, for
  // example.
  if (!hasWorked) await endLeftOver(`${MARK}=${mark}`);
  const password = hasWorked ? (ending.output.split('\n')[0]?.replace(/\r$/, '') ?? '') : '';
  if (password !== '') return password;
  throw failureOf(command, ending);
}

function runCommand(command: PasswordCommand, mark: string, abort: AbortSignal): Promise<Ending> {
  const { argv, environment, limitMs = LIMIT_MS } = command;
  const [program = '', ...words] = argv;
  return new Promise((resolve) => {
    let child: ChildProcess;
    try {
      const env = { ...environment, [MARK]: mark };
      child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'ignore'] });
    } catch (error) {
      resolve({ how: 'unstarted', error }); // an argument that no program can be given
      return;
    }
    const parts: Buffer[] = [];
    let size = 0;
    let drain: NodeJS.Timeout | undefined;
    const end = (ending: Ending) => {
      clearTimeout(limit);
      clearTimeout(drain);
      abort.removeEventListener('abort', leave);
      child.stdout?.destroy();
      child.kill('SIGKILL');
      resolve(ending);
    };
    const leave = () => end({ how: 'aborted' });
    const limit = setTimeout(() => end({ how: 'late' }), limitMs);
    abort.addEventListener('abort', leave, { once: true });
    child.stdout?.on('data', (part: Buffer) => {
      size += part.length;
      parts.push(part);
      if (size > MAX_BYTES) end({ how: 'flood' });
    });
    child.stdout?.on('error', () => {}); // its end is what counts
    child.on('error', (error) => end({ how: 'unstarted', error }));
    const ended = (code: number | null, signal: NodeJS.Signals | null) =>
      end(
        code === null
          ? { how: 'signal', signal: signal ?? 'unknown' }
          : { how: 'exit', code, output: Buffer.concat(parts).toString('utf8') },
      );
    child.on('exit', (code, signal) => {
      clearTimeout(limit);
      drain = setTimeout(() => ended(code, signal), DRAIN_MS);
    });
    child.on('close', ended);
  });
}

function failureOf({ source, limitMs = LIMIT_MS }: PasswordCommand, ending: Ending): SourceError {
  const [says, hint] = wordsFor(ending, limitMs);
  return new SourceError({
    kind: ending.how === 'aborted' ? 'away' : 'setup',
    message: `The command that prints the password of ${source} ${says}.`,
    hint,
  });
}

// The name of the program is not shown: somebody may have typed the password in its place.
function wordsFor(ending: Ending, limitMs: number): readonly [says: string, hint: string] {
  switch (ending.how) {
    case 'unstarted':
      return unstartedWords(ending.error);
    case 'exit':
      if (ending.code !== 0)
        return [
          `failed with exit code ${ending.code}`,
          'Run it by hand to see its error message, and fix what it reports.',
        ];
      return ending.output.trim() === ''
        ? ['printed nothing', 'Run it by hand. It must print the password on its first line.']
        : ['printed an empty first line', 'Run it by hand. The password must be on the first line.'];
    case 'signal':
      return [`was ended by the signal ${ending.signal}`, 'Run it by hand to see whether it crashes.'];
    case 'late':
      return [
        `did not end within ${limitMs / 1000} seconds`,
        'Run it by hand. It must not ask a question: unlock the keyring or the password store first.',
      ];
    case 'flood':
      return [
        `printed more than ${MAX_BYTES / 1024} KiB`,
        'Use a command that prints only the password, on its first line.',
      ];
    case 'aborted':
      return ['was interrupted', 'Run the test again.'];
  }
}

function unstartedWords(error: unknown): readonly [says: string, hint: string] {
  const code = systemCode(error);
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return [
        'was not found',
        'Check its spelling, and give the whole path of the program: the daemon may have a shorter PATH than your shell.',
      ];
    case 'EACCES':
    case 'EPERM':
    case 'ENOEXEC':
      return ['is not executable', 'Make it executable for the user who runs the daemon: chmod u+x FILE'];
    default:
      return [
        `could not be started (${code ?? 'unknown reason'})`,
        'Check the command, and whether the machine has free memory and processes.',
      ];
  }
}

/** Variables for the daemon alone, or for another source. */
const KEYS = /^(?:ANTHROPIC_API_KEY|PLANE_API_KEY|STEWARD_SOURCE_.*_PASSWORD|STEWARD_NOTIFY_.*)$/;

/**
 * Returns where the password, token or key of a source is had each time that it is needed: the environment, else the
 * service's credential, else the command that was allowed, which ends when `abort` says so. Never from the vault (contract,
 * section 10). `limitMs`: how long the command may take, if not as long as usual.
 */
export function credentialFor(
  name: string,
  env: Environment,
  given: Grant,
  abort: AbortSignal,
  limits: { readonly limitMs?: number } = {},
): Credential {
  return {
    async reveal() {
      const set = env.sourcePassword?.(name) ?? null;
      if (set !== null) return set;
      if (given.passwordCommand !== null) {
        const command = { source: name, argv: given.passwordCommand, environment: withoutKeys(env), ...limits };
        return readPasswordCommand(command, abort);
      }
      throw new SourceError({
        kind: 'setup',
        message: `No password is set for ${name}.`,
        hint: `Set ${passwordVariable(name)}, give the service the credential ${passwordCredential(name)}, or name a command that prints it: steward source test ${shellWord(name)} --password-command "…".`,
      });
    },
  };
}

function withoutKeys({ variables = {} }: Environment): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(variables).filter(([variable]) => !KEYS.test(variable)));
}
