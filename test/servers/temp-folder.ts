import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Makes a folder for a server. Its path is short, since the path of a socket in it may have only a hundred bytes. */
export function tempFolder(): string {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'vs-srv-')));
  // A server that is started by root drops its rights, and its processes still have to find the way.
  fs.chmodSync(folder, 0o755);
  return folder;
}
