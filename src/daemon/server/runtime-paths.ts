import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { EXIT, StewardError, systemCode } from '../../vault/errors.ts';
import { sha256 } from '../../vault/hash.ts';
import { OWN_FOLDER, SETTINGS_FILE } from '../../vault/layout.ts';
import { readLockText } from '../../vault/lock-file.ts';

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
  const name = sha256(path.resolve(root)).slice(0, 16);
  const runtime = env.RUNTIME_DIRECTORY ?? env.XDG_RUNTIME_DIR ?? path.join(os.tmpdir(), `vault-steward-${userId()}`);
  return {
    socket: path.join(runtime, 'vault-steward', `${name}.sock`),
    snapshot: path.join(stateFolder(env), `${name}.json`),
  };
}

/** Returns the number of the user who runs this process, who need not have a name (in a container, say). */
export function userId(): number {
  return process.getuid?.() ?? os.userInfo().uid;
}

/** Returns the folder of this user's own state, outside every vault. */
export function stateFolder(env: NodeJS.ProcessEnv): string {
  const state = env.STATE_DIRECTORY ?? env.XDG_STATE_HOME ?? path.join(os.homedir(), '.local', 'state');
  return path.join(state, 'vault-steward');
}

/** Returns the folder in the state folder where this machine keeps what it knows of the locks of vaults. */
export function lockMemories(env: NodeJS.ProcessEnv): string {
  return path.join(stateFolder(env), 'locks');
}

/** Returns the socket of the vault's daemon: the one its lock names, else the one this user's daemon would have. */
export function daemonSocket(root: string, env: NodeJS.ProcessEnv): string {
  try {
    const lock: unknown = JSON.parse(readLockText(path.join(root, OWN_FOLDER, 'lock'))?.text ?? 'null');
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
 * Returns why the folder at `root` is not the vault that was there before, or null where it may be. An empty folder
 * counts as a disk that is not mounted, even if Obsidian or a sync tool has left its dot-folder in it.
 */
export function missingReason(root: string, { snapshot }: RuntimePaths): string | null {
  try {
    const names = fs.readdirSync(root);
    const isBare = !names.includes(OWN_FOLDER) && names.every((name) => name.startsWith('.') || name === 'lost+found');
    return isBare && fs.existsSync(snapshot) ? 'its folder is empty, and held notes before' : null;
  } catch (error) {
    const code = systemCode(error);
    return code === 'ENOENT' ? NOT_THERE : `its folder cannot be read (${code ?? 'unknown'})`;
  }
}

/** What shows that a folder is a vault. */
const MARKS = ['steward.md', '.obsidian', OWN_FOLDER, 'matter', 'task'];

/**
 * Throws `vault-away` (75) where the vault is not in its place, `vault-none` (2) where the folder is none and never was. To
 * be called before anything is written.
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
      message: `${root} is no vault: it has neither ${SETTINGS_FILE} nor .obsidian. Nothing is written.`,
      hint: 'Name the vault with --vault, or make this folder one with `steward init`.',
    },
    EXIT.usage,
  );
}

/** Makes the folder of such a file, readable by its owner alone. Throws where another user owns it. */
export function ownFolder(file: string): void {
  const folder = path.dirname(file);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid } = fs.lstatSync(folder);
  if (uid !== userId()) throw new Error(`${folder} belongs to another user`);
}
