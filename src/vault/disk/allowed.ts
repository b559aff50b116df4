import { systemCode } from '../errors.ts';

/** What may be refused to this user, or by this file system. Everything else is an error of the disk. */
const REFUSALS: ReadonlySet<string | null> = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENODATA', 'EINVAL']);

/** Makes a call that changes whose a file is, and returns whether it was allowed. Throws any other error. */
export function isAllowed(call: () => void): boolean {
  try {
    call();
    return true;
  } catch (error) {
    if (!REFUSALS.has(systemCode(error))) throw error;
    return false;
  }
}
