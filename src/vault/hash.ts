import { createHash } from 'node:crypto';

/** Returns the SHA-256 of the bytes in lower-case hex. Text counts as its UTF-8 bytes. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
