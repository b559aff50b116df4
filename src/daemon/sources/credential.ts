import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { endLeftOver } from '../../source/command/processes.ts';
import type { Credential } from '../../source/connector.ts';
import { SourceError } from '../../source/failure.ts';
import type { Grant } from '../../source/grant.ts';
import { passwordCredential, passwordVariable } from '../../source/password-place.ts';
import { shellWord } from '../../vault/notes/shell-word.ts';
import type { Environment } from '../context/environment.ts';

const COMMAND_MS = 30_000;
const MAX_BYTES = 16 * 1024;
const run = promisify(execFile);

/** What is meant for the daemon alone, or for another source. */
const KEYS = /^(?:ANTHROPIC_API_KEY|PLANE_API_KEY|STEWARD_SOURCE_.*_PASSWORD|STEWARD_NOTIFY_.*)$/;
/** By its value whatever a command has started is known again. */
const MARK = 'STEWARD_PASSWORD_COMMAND';

/**
 * Returns where the password, token or key of a source is had each time that it is needed: the environment, else the
 * service's credential, else the command that was allowed, which ends when `abort` says so. Never from the vault (contract,
 * section 10).
 */
export function credentialFor(name: string, env: Environment, given: Grant, abort: AbortSignal): Credential {
  return {
    async reveal() {
      const set = env.sourcePassword?.(name) ?? null;
      if (set !== null) return set;
      if (given.passwordCommand !== null) return printed(name, given.passwordCommand, env, abort);
      throw new SourceError({
        kind: 'setup',
        message: `No password is set for ${name}.`,
        hint: `Set ${passwordVariable(name)}, give the service the credential ${passwordCredential(name)}, or name a command that prints it: steward source test ${shellWord(name)} --password-command "…".`,
      });
    },
  };
}

// What the command prints is a secret, also on its error output: none of it is told.
async function printed(
  name: string,
  [program = '', ...words]: readonly string[],
  env: Environment,
  abort: AbortSignal,
): Promise<string> {
  const mark = `${name}-${randomUUID()}`;
  const limits = { timeout: COMMAND_MS, maxBuffer: MAX_BYTES, killSignal: 'SIGKILL', signal: abort } as const;
  const options = { ...limits, encoding: 'utf8', env: { ...withoutKeys(env), [MARK]: mark } } as const;
  const running = run(program, words, options);
  running.child.stdin?.end(); // nobody would answer it
  const { stdout } = await running.catch(async () => {
    // A script's own programs outlive it. What one that worked has left is left: a keyring's agent, for one.
    await endLeftOver(`${MARK}=${mark}`);
    throw new SourceError({
      kind: 'setup',
      message: `The command that prints the password of ${name} failed.`,
      hint: `Run it by hand to see what it says; it is shown by \`steward source list\`.`,
    });
  });
  const password = stdout.split('\n')[0]?.replace(/\r$/, '') ?? '';
  if (password !== '') return password;
  throw new SourceError({
    kind: 'setup',
    message: `The command that prints the password of ${name} printed nothing.`,
    hint: 'Run it by hand; its first line is the password.',
  });
}

function withoutKeys({ forPrograms = {} }: Environment): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(forPrograms).filter(([variable]) => !KEYS.test(variable)));
}
