import type { SourceFailure } from '../../../source/failure.ts';
import { StewardError } from '../../../vault/errors.ts';

/** Why a source gave nothing, or was not asked, as it goes to a command. */
export interface PlainFailure {
  readonly kind: SourceFailure | 'not-allowed';
  readonly message: string;
  readonly hint: string;
}

/** Returns the error that a command prints of a failure: `source-refused`, `source-away` … */
export function failureOf({ kind, message, hint }: PlainFailure): StewardError {
  return new StewardError({ code: `source-${kind}`, message: message.replace(/\.?$/, '.'), hint });
}
