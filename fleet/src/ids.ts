import { randomBytes } from 'node:crypto';
import { z } from 'zod';

/**
 * A name for a vault or a host that says nothing: 80 bits of chance. It is all that the engine is told of either.
 */
export const opaqueId = z.string().regex(/^[vh]-[0-9a-f]{20}$/);

/** Returns a new name for a vault (`v`) or a host (`h`). */
export function newId(of: 'v' | 'h'): string {
  return `${of}-${randomBytes(10).toString('hex')}`;
}

/** Whether a word is such a name. */
export function isId(word: string): boolean {
  return opaqueId.safeParse(word).success;
}
