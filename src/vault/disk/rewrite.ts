import fs from 'node:fs';
import { sha256 } from '../hash.ts';

/**
 * Writes new bytes into an existing file, which keeps its owner, its attributes and whoever has it open. Returns false,
 * with nothing changed, where the file holds other bytes than those of `before` (SHA-256). A crash half way leaves a mix:
 * it is for a file whose name nobody reads at that moment, and of whose bytes there is a copy.
 */
export function rewrite(file: string, before: string, bytes: Uint8Array): boolean {
  const handle = fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_NOFOLLOW);
  try {
    if (sha256(fs.readFileSync(handle)) !== before) return false;
    for (let written = 0; written < bytes.length; ) {
      written += fs.writeSync(handle, bytes, written, bytes.length - written, written);
    }
    fs.ftruncateSync(handle, bytes.length);
    fs.fsyncSync(handle);
    return true;
  } finally {
    fs.closeSync(handle);
  }
}
