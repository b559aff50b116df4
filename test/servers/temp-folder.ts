import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const MEMORY = '/dev/shm';
/** As much as the largest mailbox of a test needs, many times over. */
const ROOM_BYTES = 2 * 1024 ** 3;

/**
 * Makes a folder for a server; in memory where there is room, since servers make sure of every file. Its path is short: the
 * path of a socket in it may have only a hundred bytes.
 */
export function tempFolder(): string {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(hasRoom(MEMORY) ? MEMORY : os.tmpdir(), 'vs-srv-')));
  // A server that is started by root drops its rights, and its processes still have to find the way.
  fs.chmodSync(folder, 0o755);
  return folder;
}

function hasRoom(folder: string): boolean {
  try {
    fs.accessSync(folder, fs.constants.W_OK);
    const { bavail, bsize } = fs.statfsSync(folder);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    return false;
  }
}
