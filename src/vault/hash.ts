import { createHash } from 'node:crypto';

/** SHA-256 over whole bytes, lower-case hex. Text counts as its UTF-8 bytes. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The first 8 hex digits for a signal: same event, same quote, same signal (contract, section 3). */
export function signalHash(sourceEventPath: string, rawQuote: string): string {
  return sha256(`${sourceEventPath}\0${rawQuote}`).slice(0, 8);
}
