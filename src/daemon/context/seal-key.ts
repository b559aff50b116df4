import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { type Diagnostic, diagnostic, reasonOf, systemCode } from '../../vault/errors.ts';
import { sha256 } from '../../vault/hash.ts';
import { stateFolder } from '../server/runtime-paths.ts';

const KEY_BYTES = 32;

/** The key of the program's mark, and what is wrong where it could not be kept. */
interface SealKey {
  readonly key: Uint8Array;
  readonly trouble: Diagnostic | null;
}

/** Returns where this user's key lies: in their state folder, outside every vault. */
export function sealKeyFile(env: NodeJS.ProcessEnv): string {
  return path.join(stateFolder(env), 'seal-key');
}

/**
 * Returns the key in a file, making it where there is none and `make` allows it. Without a file that can be read there
 * is a key for this run alone: then nothing of before counts as the program's own, which is safe.
 */
export function sealKeyAt(file: string | null, make: boolean): SealKey {
  if (file === null) return { key: randomBytes(KEY_BYTES), trouble: null };
  try {
    return { key: make ? keptKey(file) : readKey(file), trouble: null };
  } catch (error) {
    const isMissing = systemCode(error) === 'ENOENT' && !make;
    return { key: randomBytes(KEY_BYTES), trouble: isMissing ? null : notKept(file, error) };
  }
}

function keptKey(file: string): Uint8Array {
  try {
    return readKey(file);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  // Written beside and linked into place: whoever comes second finds the first one's key, and never half of it.
  const part = `${file}.${process.pid}`;
  fs.writeFileSync(part, randomBytes(KEY_BYTES).toString('hex'), { mode: 0o600 });
  try {
    fs.linkSync(part, file);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  } finally {
    fs.rmSync(part, { force: true });
  }
  return readKey(file);
}

function readKey(file: string): Uint8Array {
  const key = Buffer.from(fs.readFileSync(file, 'utf8').trim(), 'hex');
  if (key.length !== KEY_BYTES) throw new Error('it does not hold a key');
  return key;
}

function notKept(file: string, error: unknown): Diagnostic {
  return diagnostic({
    code: 'seal-key',
    file: null,
    message: `The key by which the program knows its own notes cannot be kept in ${file}: ${reasonOf(error)}.`,
    hint: 'Make the folder writable. Until then, notes from before this start count as somebody else’s.',
  });
}

/** A vault, by where it lies and by what it remembers of itself: it may be moved, or lose its memory, but not both. */
interface VaultIdentity {
  readonly root: string;
  readonly id: string;
}

/** Whether this key has never been used on a vault. */
export function isFirstMeeting(file: string, vault: VaultIdentity): boolean {
  return !meetingFiles(file, vault).some((met) => fs.existsSync(met));
}

/** Remembers, outside the vault, that this key has been used on it. Where the disk refuses that, the key is not kept either. */
export function rememberMeeting(file: string, vault: VaultIdentity): void {
  for (const met of meetingFiles(file, vault).filter((one) => !fs.existsSync(one))) {
    try {
      fs.mkdirSync(path.dirname(met), { recursive: true, mode: 0o700 });
      fs.writeFileSync(met, '', { mode: 0o600 });
    } catch (error) {
      if (systemCode(error) === null) throw error;
    }
  }
}

/** Forgets that this key has been used on a vault at `root`: another one has taken its place. */
export function forgetMeeting(file: string, root: string): void {
  fs.rmSync(meetingFile(file, path.resolve(root)), { force: true });
}

function meetingFiles(file: string, { root, id }: VaultIdentity): string[] {
  return [meetingFile(file, path.resolve(root)), meetingFile(file, id)];
}

function meetingFile(file: string, name: string): string {
  return path.join(`${file}.vaults`, sha256(name).slice(0, 16));
}
