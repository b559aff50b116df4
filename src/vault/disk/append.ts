import fs from 'node:fs';
import { systemCode } from '../errors.ts';

const { O_WRONLY, O_CREAT, O_APPEND, O_EXCL, O_NONBLOCK, O_NOFOLLOW } = fs.constants;
/** Waits for nobody to read a pipe in its place, and follows no link. */
const APPEND = O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_NOFOLLOW;
const OWN_MODE = 0o600;

/** Where files lie that are only added to, whether they may be written, and what time it is. */
export interface GrowingFiles {
  readonly folder: string;
  /** Throws where the folder is no longer this process's to write to. */
  readonly demand: () => void;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * Adds a text at the end of a file of the program's own, and makes it where there is none. Not durably: a crash of the
 * machine may lose it. Throws what the disk refuses.
 */
export function append(file: string, text: string): void {
  const handle = fs.openSync(file, APPEND, OWN_MODE);
  try {
    fs.writeFileSync(handle, text);
  } finally {
    fs.closeSync(handle);
  }
}

/**
 * The same, where the file is as long as it should be: `bytes`, or 0 for one that there must not be yet. Returns false,
 * with nothing written, where it is gone or has another length.
 */
export function appendBehind(file: string, text: Uint8Array, bytes: number): boolean {
  const handle = openAt(file, bytes);
  if (handle === null) return false;
  try {
    const stat = fs.fstatSync(handle);
    if (!stat.isFile() || stat.size !== bytes) return false;
    fs.writeFileSync(handle, text);
    return true;
  } finally {
    fs.closeSync(handle);
  }
}

function openAt(file: string, bytes: number): number | null {
  try {
    return fs.openSync(file, bytes === 0 ? APPEND | O_EXCL : APPEND & ~O_CREAT, OWN_MODE);
  } catch (error) {
    if (bytes > 0 && ['ENOENT', 'ELOOP', 'ENXIO', 'EISDIR'].includes(systemCode(error) ?? '')) return null;
    throw error;
  }
}

/**
 * The same, so that it survives a power cut. `isNew`: there must be no such file yet. Throws what the disk refuses; then
 * some of the text may be there.
 */
export function appendLasting(file: string, text: string, isNew: boolean): void {
  const handle = fs.openSync(file, isNew ? APPEND | O_EXCL : APPEND, OWN_MODE);
  try {
    fs.writeFileSync(handle, text);
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}
