import { EXIT, StewardError } from '../../vault/errors.ts';
import { describeError } from './describe-error.ts';

/** Returns the error `unexpected-fault` (75), with which a daemon ends after an error that it can't continue after. */
export function unexpectedFault(error: unknown): StewardError {
  const { name, message } = describeError(error, true);
  const what = message === '' ? name : `${name}: ${message}`;
  return new StewardError(
    {
      code: 'unexpected-fault',
      message: `Steward stopped because of an unexpected error (${what}).`,
      hint: 'A service starts it again; in a terminal, start it yourself. This is a fault of the program: please report it with the stack from `steward status --json`.',
    },
    EXIT.tryAgain,
    { cause: error },
  );
}
