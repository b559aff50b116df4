import { type Credential, SourceError } from '../../source/connector.ts';
import { passwordCredential, passwordVariable } from '../../source/password.ts';
import type { Grant } from '../../source/source.ts';
import { shellWord } from '../../vault/notes/shell-word.ts';
import type { Environment } from '../environment.ts';
import { readPasswordCommand } from './password-command.ts';

/** What is meant for the daemon alone, or for another source. */
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

function withoutKeys({ forPrograms = {} }: Environment): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(forPrograms).filter(([variable]) => !KEYS.test(variable)));
}
