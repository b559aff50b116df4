import fs from 'node:fs';
import path from 'node:path';
import { EXIT, StewardError, systemCode } from '../../vault/errors.ts';
import { userId } from './runtime-paths.ts';

// Where the daemon and its commands meet. Whoever could put a socket there would be asked in the daemon's place.

/** The most bytes a socket's path may have (sun_path without its end), on the system that allows the fewest. */
const MAX_PATH_BYTES = 103;

/** Makes the folder of the socket where it is missing. Throws `socket-place` (75) where it is not this user's alone. */
export function prepareSocketPlace(socket: string): void {
  if (Buffer.byteLength(socket) > MAX_PATH_BYTES) {
    throw refusal(
      `The path of the daemon’s socket is too long: ${socket}.`,
      `Set XDG_RUNTIME_DIR to a folder with a shorter path; ${MAX_PATH_BYTES} bytes are the most.`,
    );
  }
  fs.mkdirSync(path.dirname(socket), { recursive: true, mode: 0o700 });
  demandPrivate(path.dirname(socket), [userId()]);
}

/**
 * Throws `socket-place` (75) where somebody else could answer in the daemon's place: where the folder or the socket is
 * not this user's own, or open to others. `vault`: root may also ask the daemon of whoever owns the vault. Nothing there
 * is nothing to refuse.
 */
export function demandOwnSocket(socket: string, vault: string): void {
  try {
    const uid = userId();
    const owners = uid === 0 ? [uid, fs.statSync(vault).uid] : [uid];
    demandPrivate(path.dirname(socket), owners);
    const stat = fs.lstatSync(socket);
    if (!stat.isSocket())
      throw refusal(`${socket} is no socket.`, 'Delete it; the daemon makes it anew when it starts.');
    if (!owners.includes(stat.uid)) throw foreign(socket, stat.uid);
  } catch (error) {
    if (error instanceof StewardError || !['ENOENT', 'ENOTDIR', 'EACCES'].includes(systemCode(error) ?? ''))
      throw error;
  }
}

// The folder itself, and the one it lies in: whoever may rename in that one could put another in its place.
function demandPrivate(folder: string, owners: readonly number[]): void {
  const parent = fs.statSync(path.dirname(folder));
  const isShared = (parent.mode & 0o022) !== 0 && (parent.mode & 0o1000) === 0;
  if (isShared || ![0, ...owners].includes(parent.uid)) throw foreign(path.dirname(folder), parent.uid);
  const stat = fs.lstatSync(folder);
  if (!stat.isDirectory()) throw refusal(`${folder} is a link or a file, and should be a folder.`, REMOVE);
  if (!owners.includes(stat.uid)) throw foreign(folder, stat.uid);
  if ((stat.mode & 0o077) !== 0) {
    throw refusal(`${folder} is open to other users.`, `Run \`chmod 700 ${folder}\`, and look at who made it.`);
  }
}

const REMOVE = 'Remove it, or set XDG_RUNTIME_DIR to a folder that is yours alone.';

function foreign(file: string, uid: number): StewardError {
  return refusal(
    `${file} belongs to another user (uid ${uid}) or may be changed by others; who answers there is not known.`,
    `Set XDG_RUNTIME_DIR to a folder that is yours alone, or run the command as the daemon’s user.`,
  );
}

function refusal(message: string, hint: string): StewardError {
  return new StewardError({ code: 'socket-place', message, hint }, EXIT.tryAgain);
}
