import { SourceError, type SourceFailure } from '../../../source/failure.ts';
import { StewardError } from '../../../vault/errors.ts';

/** Why a source gave nothing, as it goes to a command. */
export interface PlainFailure {
  readonly kind: SourceFailure;
  readonly message: string;
  readonly hint: string;
}

/** Returns the error that a command prints of a failure: `source-refused`, `source-away` … */
export function failureOf({ kind, message, hint }: PlainFailure): StewardError {
  return new StewardError({ code: `source-${kind}`, message: message.replace(/\.?$/, '.'), hint });
}

/** Does the work, and throws what a source answers as the error that a command prints. */
export async function inPlainWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof SourceError ? failureOf(error) : error;
  }
}
