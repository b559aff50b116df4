import fs from 'node:fs';
import path from 'node:path';
import { EXIT, StewardError, systemCode } from '../../errors.ts';

/**
 * Throws `no-permission` or `read-only` (exit 75) where the system says beforehand that nothing can be written into a
 * folder. A folder that is not there yet passes: it is made.
 */
export function demandFolder(root: string, folder: string): void {
  const code = refusal(path.join(root, folder));
  if (code !== null) throw refused(folder, code, `Nothing may be written into ${folder} (${code}).`);
}

/** The same for a note that may not be changed by anybody: it is write-protected, or lies on a read-only disk. */
export function demandNote(root: string, note: string): void {
  const code = refusal(path.join(root, note));
  // A note without write permission is replaced all the same, where its folder may be written.
  if (code !== null && code !== 'EACCES') throw refused(note, code, `${note} may not be changed (${code}).`);
}

function refusal(place: string): string | null {
  try {
    fs.accessSync(place, fs.constants.W_OK);
    return null;
  } catch (error) {
    const code = systemCode(error);
    return code === 'EACCES' || code === 'EPERM' || code === 'EROFS' ? code : null;
  }
}

function refused(file: string, code: string, message: string): StewardError {
  const hint =
    'Let the user who runs the daemon write there: look at its permissions, its mount and its write protection (lsattr).';
  return new StewardError(
    { code: code === 'EROFS' ? 'read-only' : 'no-permission', file, message, hint },
    EXIT.tryAgain,
  );
}
