import { reasonOf, systemCode } from '../../vault/errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  EPIPE: 'nobody reads it any more (EPIPE)',
  ECONNRESET: 'nobody reads it any more (ECONNRESET)',
  EIO: 'its terminal is gone (EIO)',
  ENOSPC: 'its disk is full (ENOSPC)',
  EDQUOT: 'the quota of its disk is used up (EDQUOT)',
};

/** Returns why an output does not take what is written, as the end of a sentence. */
export function outputReason(error: unknown): string {
  return REASONS[systemCode(error) ?? ''] ?? reasonOf(error);
}
