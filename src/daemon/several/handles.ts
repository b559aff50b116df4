import fs from 'node:fs';
import { EXIT, StewardError } from '../../vault/errors.ts';

/** So many file handles are left to the vaults that are kept already: each opens a few for a moment, over and over. */
const SPARE = 64;

/**
 * Throws `too-many-open` (75) where this process has hardly any file handles left: one vault more would take them from all
 * the others. Says nothing where the system does not tell.
 */
export function demandHandles(limit: number | null = limitOfHandles(), used: number | null = usedHandles()): void {
  if (limit === null || used === null || used + SPARE <= limit) return;
  throw new StewardError(
    {
      code: 'too-many-open',
      message: `This process may have ${limit} files open: ${used} are, and ${SPARE} are left to the vaults that it looks after.`,
      hint: 'Raise the limit (LimitNOFILE= of the service, `ulimit -n`), or keep some vaults by another process.',
    },
    EXIT.tryAgain,
  );
}

function limitOfHandles(): number | null {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(fs.readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null; // not Linux
  }
}

function usedHandles(): number | null {
  try {
    return fs.readdirSync('/proc/self/fd').length;
  } catch {
    return null;
  }
}
