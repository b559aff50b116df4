import { SourceError } from '../../source/connector.ts';
import { StewardError, systemCode } from '../../vault/errors.ts';
import { withoutProgram } from '../runtime/program-update.ts';

/**
 * Returns the problem of a source for an error that nobody foresaw. It names the kind of the error alone: its message may
 * contain a part of a password or of a mail.
 */
export function unexpectedFailure(thrown: unknown): SourceError {
  const error = withoutProgram(thrown);
  if (error instanceof StewardError) {
    const { message, hint } = error.trouble;
    return new SourceError({ kind: 'setup', message, hint }, { cause: error });
  }
  const name = error instanceof Error ? error.name : typeof error;
  const code = systemCode(error);
  return new SourceError(
    {
      kind: 'fault',
      message: `Steward met an unexpected error while it worked with this source (${code === null ? name : `${name}, ${code}`}).`,
      hint: 'This is a fault of the program; please report it. Steward tries this source again later.',
    },
    { cause: error },
  );
}
