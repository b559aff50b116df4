import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Grant, grant } from '../../source/grant.ts';
import { pinned, type SourceSettings } from '../../source/source-note.ts';
import { systemCode } from '../../vault/errors.ts';
import { fileError, writeState } from '../../vault/files.ts';
import { sha256 } from '../../vault/hash.ts';
import { realRoot } from '../context/own-folders.ts';

const grants = z.record(z.string(), grant);

/**
 * Returns the file of what was allowed for the vault at `root`: in this user's state folder, outside every vault. Throws
 * `vault-away`.
 */
export function grantsFile(root: string, folder: string): string {
  return path.join(folder, `${sha256(realRoot(root)).slice(0, 16)}.json`);
}

/** Returns what a person allowed a source, or null. A file that makes no sense allows nothing. Throws what the disk refuses. */
export function grantOf(file: string, name: string): Grant | null {
  return grantsIn(file)(name);
}

/** The same for many sources: the file is read once, now. */
export function grantsIn(file: string): (name: string) => Grant | null {
  const all = read(file);
  return (name) => (Object.hasOwn(all, name) ? all[name] : null) ?? null; // a source may be called `constructor`
}

/** Writes what a person allows a source; null takes it back. Throws what the disk refuses. */
export function allow(file: string, name: string, given: Grant | null): void {
  const { [name]: _, ...others } = read(file);
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    writeState(file, JSON.stringify(given === null ? others : { ...others, [name]: given }));
  } catch (error) {
    throw fileError(error, file);
  }
}

/** Whether a note still says what was allowed. */
export function isAsAllowed(settings: SourceSettings, given: Grant): boolean {
  return isDeepStrictEqual(pinned(settings), given.pinned) && (settings.kind !== 'command' || given.run !== null);
}

function read(file: string): Record<string, Grant> {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return {};
    throw fileError(error, file);
  }
  try {
    return grants.parse(JSON.parse(text));
  } catch {
    return {};
  }
}
