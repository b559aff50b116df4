import fs from 'node:fs';
import path from 'node:path';
import { systemCode } from '../../vault/errors.ts';
import { isSecret } from './secret.ts';

/** Where a file lies, with links resolved, or why it is not read. */
export type Place = { readonly real: string; readonly reason: null } | { readonly real: null; readonly reason: string };

/** The reason against a folder: a glob leaves it out without a word. */
export const FOLDER = 'is a folder; name its files, as in folder/**';
/** The reason against hidden names, which people do not mean when they name a folder. */
export const HIDDEN = 'is hidden: a name on the way to it begins with a dot; such files are never read';
const SECRET = 'is where keys or passwords are kept, by its name; such files are never read';
const OUTSIDE = 'leads out of the folder that may be read, or nowhere';
const SECOND_NAME =
  'has a second name elsewhere (a hard link), so nobody can tell whose it is; a copy of it can be read';
const NO_FILE = 'is a pipe, a socket, a device or no file of a disk';
/** Folders whose files are the system's own talk: the environment of a process, with its keys, is one of them. */
const KERNEL = /^\/(?:proc|sys|dev)(?:\/|$)/;

/** Whether an absolute path is a folder or lies in it, judged by its text alone. */
export function isBelow(folder: string, absolute: string): boolean {
  return absolute === folder || absolute.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}

/** Whether a name on the way from a folder down to a path in it begins with a dot. Both are absolute and without links. */
export function isHiddenBelow(folder: string, absolute: string): boolean {
  return hasHiddenName(absolute.slice(folder.length));
}

/** Whether a relative path, or a pattern, holds a name that begins with a dot. */
export function hasHiddenName(relative: string): boolean {
  return HIDDEN_NAME.test(relative);
}

const HIDDEN_NAME = /(?:^|\/)\.(?!\.?(?:\/|$))/;

/**
 * Returns where a path below a root leads, or why that is not read. `root`: as it was allowed, absolute, links resolved;
 * what is a link by now leads out of it. Of what lies outside nothing is told, not even whether it is there.
 */
export function placeOf(root: string, file: string): Place {
  if (isSecret(file)) return refused(SECRET);
  const lexical = path.resolve(root, file);
  if (file.includes('\0') || !isBelow(root, lexical)) return refused(OUTSIDE);
  try {
    const real = fs.realpathSync.native(lexical);
    if (!isBelow(root, real)) return refused(OUTSIDE);
    const reason = reasonAgainstReal(root, real) ?? reasonAgainstKind(fs.statSync(real));
    return reason === null ? { real, reason } : refused(reason);
  } catch (error) {
    return refused(reasonOfError(error, root, lexical));
  }
}

/** Returns why a file is not read for where it really lies, or null. The whole path counts: a root may be `.ssh`. */
export function reasonAgainstReal(root: string, real: string): string | null {
  if (!isBelow(root, real)) return OUTSIDE;
  if (isSecret(real)) return SECRET;
  if (isHiddenBelow(root, real)) return HIDDEN;
  return KERNEL.test(real) ? NO_FILE : null;
}

/** Returns why a file is not read for what it is, or null. */
export function reasonAgainstKind(stat: fs.Stats): string | null {
  if (stat.isDirectory()) return FOLDER;
  if (!stat.isFile()) return NO_FILE;
  return stat.nlink > 1 ? SECOND_NAME : null;
}

function reasonOfError(error: unknown, root: string, lexical: string): string {
  const code = systemCode(error);
  if (code === 'ELOOP') return 'is a link that leads round in a circle';
  if (leadsOut(root, lexical)) return OUTSIDE;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'is not there';
  return `cannot be looked at (${code ?? 'its name is not valid'})`;
}

// The way to what cannot be reached is followed as far as it goes: a link on it may lead out.
function leadsOut(root: string, lexical: string): boolean {
  for (let at = lexical; isBelow(root, at) && at !== root; at = path.dirname(at)) {
    if (isLink(at) && !isReachedBelow(root, at)) return true;
  }
  return !isReachedBelow(root, root);
}

// A path that goes on behind a file, or whose name is too long, is none.
function isLink(at: string): boolean {
  try {
    return fs.lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return false;
  }
}

function isReachedBelow(root: string, at: string): boolean {
  try {
    return isBelow(root, fs.realpathSync.native(at));
  } catch {
    return false;
  }
}

function refused(reason: string): Place {
  return { real: null, reason };
}
