import { EXIT, StewardError } from '../../vault/errors.ts';

/** Returns the error `usage` (2), for words that a command cannot take. */
export function usageError(message: string, hint: string): StewardError {
  return new StewardError({ code: 'usage', message, hint }, EXIT.usage);
}
