import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { EXIT, StewardError, systemCode } from '../vault/errors.ts';
import { readBytes } from '../vault/files.ts';
import { OWN_FOLDER, SETTINGS_FILE } from '../vault/layout.ts';

/**
 * The files that must be found while the vault is away: the daemon's socket and the last known status. They are in the
 * user's own runtime and state folders, named by a digest of the vault's path.
 */
export interface RuntimePaths {
  readonly socket: string;
  readonly snapshot: string;
}

/** Returns where these files are for the vault at `root`. Makes nothing. */
export function runtimePaths(root: string, env: NodeJS.ProcessEnv): RuntimePaths {
  const name = createHash('sha256').update(path.resolve(root)).digest('hex').slice(0, 16);
  const runtime = env.RUNTIME_DIRECTORY ?? env.XDG_RUNTIME_DIR ?? path.join(os.tmpdir(), `vault-steward-${userId()}`);
  return {
    socket: path.join(runtime, 'vault-steward', `${name}.sock`),
    snapshot: path.join(stateFolder(env), `${name}.json`),
  };
}

/** Returns the number of the user who runs this process, who need not have a name (in a container, say). */
function userId(): number {
  return process.getuid?.() ?? os.userInfo().uid;
}

/** Returns the folder of this user's own state, outside every vault. */
export function stateFolder(env: NodeJS.ProcessEnv): string {
  const state = env.STATE_DIRECTORY ?? env.XDG_STATE_HOME ?? path.join(os.homedir(), '.local', 'state');
  return path.join(state, 'vault-steward');
}

/** Returns the folder of what this user's commands can do without, outside every vault. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const cache = env.CACHE_DIRECTORY ?? env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache');
  return path.join(cache, 'vault-steward');
}

/** Returns the folder in the state folder where this machine keeps what it knows of the locks of vaults. */
export function lockMemories(env: NodeJS.ProcessEnv): string {
  return path.join(stateFolder(env), 'locks');
}

/** No lock is longer: the rest is a path and some names. */
const MAX_LOCK_BYTES = 16_384;

/** Returns the socket of the vault's daemon: the one its lock names, else the one this user's daemon would have. */
export function daemonSocket(root: string, env: NodeJS.ProcessEnv): string {
  try {
    const { bytes } = readBytes(path.join(root, OWN_FOLDER, 'lock'), MAX_LOCK_BYTES, fs.constants.O_NOFOLLOW);
    const lock: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof lock === 'object' && lock !== null && 'socket' in lock && isSocketName(lock.socket)) return lock.socket;
  } catch {
    // No lock, or the vault is away: the usual path is used.
  }
  return runtimePaths(root, env).socket;
}

// A lock may have been written by whoever shares the vault: it leads to a socket of this program, and to nothing else.
function isSocketName(named: unknown): named is string {
  return typeof named === 'string' && path.isAbsolute(named) && /\/vault-steward\/[0-9a-f]{16}\.sock$/.test(named);
}

const NOT_THERE = 'its folder is not there';

/**
 * Returns why the folder at `root` is not the vault that was there before, or null if it may be. An empty folder counts
 * as a disk that is not mounted, even if Obsidian or a sync tool has left its dot-folder in it.
 */
export function missingReason(root: string, { snapshot }: RuntimePaths): string | null {
  try {
    const names = fs.readdirSync(root);
    const isBare = !names.includes(OWN_FOLDER) && names.every((name) => name.startsWith('.') || name === 'lost+found');
    return isBare && fs.existsSync(snapshot) ? 'its folder is empty, and had notes before' : null;
  } catch (error) {
    const code = systemCode(error);
    return code === 'ENOENT' ? NOT_THERE : `its folder cannot be read (${code ?? 'unknown'})`;
  }
}

const MARKS = ['steward.md', '.obsidian', OWN_FOLDER, 'matter', 'task'];

/**
 * Throws `vault-away` (75) if the vault is not in its place, `vault-none` (2) if the folder is no vault and never was.
 * To be called before anything is written.
 */
export function demandVault(root: string, outside: RuntimePaths): void {
  const reason = missingReason(root, outside);
  if (reason === null) {
    demandMark(root, outside);
    return;
  }
  throw new StewardError(
    {
      code: 'vault-away',
      message: `The vault ${root} is ${reason === NOT_THERE ? 'not there' : `away: ${reason}`}.`,
      hint: 'Mount it, or name another with --vault; `steward init` makes a new one.',
    },
    EXIT.tryAgain,
  );
}

// The state of a vault that was here before is known outside it, whatever is left of it now.
function demandMark(root: string, { snapshot }: RuntimePaths): void {
  if (fs.existsSync(snapshot) || MARKS.some((name) => fs.existsSync(path.join(root, name)))) return;
  throw new StewardError(
    {
      code: 'vault-none',
      message: `${root} isn't a vault: it has neither ${SETTINGS_FILE} nor .obsidian. No file was written.`,
      hint: 'Name the vault with --vault, or make this folder one with `steward init`.',
    },
    EXIT.usage,
  );
}

/** Makes the folder of such a file, readable by its owner alone. Throws if another user owns it. */
export function ownFolder(file: string): void {
  const folder = path.dirname(file);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid } = fs.lstatSync(folder);
  if (uid !== userId()) throw new Error(`${folder} belongs to another user`);
}

// The place at which the daemon and its commands meet. A user who could put a socket there would be asked in the
// daemon's place.

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
 * Throws `socket-place` (75) if somebody else could answer in the daemon's place: the folder or the socket is not this
 * user's own, or is open to others. `vault`: root may also ask the daemon of the vault's owner. A missing socket
 * is not refused.
 */
export function demandOwnSocket(socket: string, vault: string): void {
  try {
    const uid = userId();
    const owners = uid === 0 ? [uid, fs.statSync(vault).uid] : [uid];
    demandPrivate(path.dirname(socket), owners);
    const stat = fs.lstatSync(socket);
    if (!stat.isSocket())
      throw refusal(`${socket} isn't a socket.`, 'Delete it; the daemon creates it again when it starts.');
    if (!owners.includes(stat.uid)) throw foreign(socket, stat.uid);
  } catch (error) {
    if (error instanceof StewardError || !['ENOENT', 'ENOTDIR', 'EACCES'].includes(systemCode(error) ?? ''))
      throw error;
  }
}

// The folder itself, and the one it is in: a user who may rename in that one could put another in its place.
function demandPrivate(folder: string, owners: readonly number[]): void {
  const parent = fs.statSync(path.dirname(folder));
  const isShared = (parent.mode & 0o022) !== 0 && (parent.mode & 0o1000) === 0;
  if (isShared || ![0, ...owners].includes(parent.uid)) throw foreign(path.dirname(folder), parent.uid);
  const stat = fs.lstatSync(folder);
  if (!stat.isDirectory()) throw refusal(`${folder} is a link or a file, and should be a folder.`, REMOVE);
  if (!owners.includes(stat.uid)) throw foreign(folder, stat.uid);
  if ((stat.mode & 0o077) !== 0) {
    throw refusal(`${folder} is open to other users.`, `Run \`chmod 700 ${folder}\`, and check who made it.`);
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
