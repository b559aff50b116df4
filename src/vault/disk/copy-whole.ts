import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { isOurs, StewardError, systemCode } from '../errors.ts';
import { type FileStat, insideVault, newPlace, notAFile, syncFolder } from '../files.ts';
import { linkOrCopy } from '../part-file.ts';
import { openedAt } from '../slices.ts';

/** So much of a file is in memory at once, however large it is. */
const CHUNK_BYTES = 1024 * 1024;
/** The mode of a new file, before the person's umask. */
const NEW_MODE = 0o666;

/** A regular file that is open to be read, and its size and times when it was opened. */
export interface OpenFile {
  readonly handle: FileHandle;
  readonly stat: FileStat;
}

/** Where a copy goes, and who hears of it. */
interface CopyOrder {
  readonly root: string;
  /** The vault's own folder for parts: what a crash leaves there is removed at the next start. */
  readonly tmp: string;
  /** The name in the vault that the copy gets. */
  readonly file: string;
  /** Gives the part what it needs beside its bytes; `folder` is where it will lie. */
  readonly ready: (part: string, folder: string) => void;
  /** Throws where the vault is no longer this process's to write to. */
  readonly demand: () => void;
  /** Hears how many bytes are copied. */
  readonly copied: (bytes: number) => void;
  /** Ends the copying; nothing is left of it. */
  readonly abort: AbortSignal;
}

/**
 * Opens a regular file. Never blocks on a pipe. Throws the system error, or `not-a-file`. Whoever opens it closes it.
 */
export async function openFile(file: string, flags = 0): Promise<OpenFile> {
  const handle = await open(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK | flags);
  try {
    const stat = await handle.stat();
    if (stat.isFile()) return { handle, stat };
    throw notAFile(file);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Copies an open file into the vault, a part at a time: it is whole when it appears under its name, and never replaces
 * another. What was added to the file since it was opened is left out. Returns false where the name is taken. Throws the
 * system error, `lock-lost`, `changed-meanwhile` where the file was rewritten, and the signal's reason where that is aborted.
 */
export async function copyWhole(source: OpenFile, order: CopyOrder): Promise<boolean> {
  const part = path.join(order.tmp, `${randomUUID()}.part`);
  try {
    await writePart(source, part, order);
    if (await isRewritten(source)) throw rewritten(order.file);
    order.abort.throwIfAborted();
    nameWhole(part, order);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    // In a vault that another has by now nothing is taken away either: a start empties the folder for parts.
    if (isOurs(order.demand)) fs.rmSync(part, { force: true });
  }
}

// A hard link refuses a taken name, where a rename would replace it.
function nameWhole(part: string, { root, file, ready, demand }: CopyOrder): void {
  demand();
  const target = newPlace(root, file);
  ready(part, path.dirname(target));
  linkOrCopy(part, target);
  syncFolder(path.dirname(target));
}

async function writePart(source: OpenFile, part: string, { copied, abort, demand }: CopyOrder): Promise<void> {
  demand();
  const target = await open(part, 'wx', NEW_MODE);
  try {
    let done = 0;
    for await (const bytes of chunksOf(source)) {
      abort.throwIfAborted();
      demand();
      await writeAll(target, bytes);
      done += bytes.length;
      copied(done);
    }
    await target.sync();
  } finally {
    await target.close();
  }
}

// A full disk takes less than it is given, and says so only at the next write.
async function writeAll(target: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await target.write(bytes, at, bytes.length - at)).bytesWritten;
}

async function* chunksOf({ handle, stat }: OpenFile): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, stat.size));
  for (let at = 0; at < stat.size; ) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, stat.size - at), at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

// A mailbox that a mail program adds to meanwhile is whole as it was when it was opened.
async function isRewritten({ handle, stat }: OpenFile): Promise<boolean> {
  const now = await handle.stat();
  return now.size < stat.size || (now.size === stat.size && now.mtimeMs !== stat.mtimeMs);
}

function rewritten(file: string): StewardError {
  return new StewardError({
    code: 'changed-meanwhile',
    message: `${path.posix.basename(file)} was rewritten while it was copied.`,
    hint: 'Nothing of it is in the vault; try again when no other program writes to it.',
  });
}

/**
 * Whether a vault-relative path means a file with the very bytes of an open one. What lies there may be a pipe, which never
 * ends, or a link out of the vault: those are other files.
 */
export async function hasSameBytes(root: string, file: string, source: OpenFile): Promise<boolean> {
  const there = await openInside(root, file);
  if (there === null) return false;
  try {
    return there.stat.size === source.stat.size && (await areEqual(there, source));
  } finally {
    await there.handle.close();
  }
}

async function areEqual(one: OpenFile, other: OpenFile): Promise<boolean> {
  const others = chunksOf(other);
  for await (const bytes of chunksOf(one)) {
    const next = await others.next();
    if (next.done === true || !bytes.equals(next.value)) return false;
  }
  return (await others.next()).done === true;
}

async function openInside(root: string, file: string): Promise<OpenFile | null> {
  let opened: OpenFile | null = null;
  try {
    const real = insideVault(root, file);
    opened = await openFile(real, fs.constants.O_NOFOLLOW);
    // Between the look at the path and its opening a folder on the way may be replaced by a link.
    const at = openedAt(opened.handle.fd);
    if (at === null || at === real) return opened;
  } catch {
    return null;
  }
  await opened.handle.close();
  return null;
}
