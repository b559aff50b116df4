import fs from 'node:fs';
import { EXIT, StewardError } from '../../vault/errors.ts';

/** How often it is looked, in ms. */
const LOOK_MS = 10_000;

/**
 * Resolves when the program was updated while it runs: the file that this process was started from has been gone at two
 * looks, one after the other. Parts that are not loaded yet went with it.
 */
export function programUpdate(file: string = import.meta.filename, everyMs: number = LOOK_MS): Promise<StewardError> {
  return new Promise((resolve) => {
    let wasGone = false;
    const looking = setInterval(() => {
      const isGone = !fs.existsSync(file);
      if (isGone && wasGone) {
        clearInterval(looking);
        resolve(programUpdated());
      }
      wasGone = isGone;
    }, everyMs);
    looking.unref();
  });
}

/** Returns an error as it is to be said: that a part of the program is gone has one reason only. */
export function withoutProgram(error: unknown): unknown {
  const isGone = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
  return isGone ? programUpdated() : error;
}

function programUpdated(): StewardError {
  return new StewardError(
    {
      code: 'program-updated',
      file: null,
      message: 'The program was updated while it ran.',
      hint: 'It ends within half a minute, and goes on when it is started again: a service does that by itself.',
    },
    EXIT.tryAgain,
  );
}
