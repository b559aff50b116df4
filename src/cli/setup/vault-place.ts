import fs from 'node:fs';
import path from 'node:path';
import { attributesOf, giveAttributes } from '../../vault/disk/attributes.ts';
import { attributesRefusal, editRefusal } from '../../vault/disk/edit-refusal.ts';
import { loadSystemCalls } from '../../vault/disk/system-calls.ts';
import { StewardError, systemCode } from '../../vault/errors.ts';
import { createWhole, type FileBytes, insideVault, replaceWhole } from '../../vault/files.ts';

/**
 * Returns the real path of what lies at a place of the vault, or null where nothing does. Throws `path-outside-vault`
 * where a link leads out of the vault, `link-dead` where it leads nowhere.
 */
export function realPlace(root: string, file: string): string | null {
  try {
    return insideVault(root, file);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
  if (fs.lstatSync(path.join(root, file), { throwIfNoEntry: false }) === undefined) return null;
  throw new StewardError({
    code: 'link-dead',
    file,
    message: `${file} is a link that leads nowhere.`,
    hint: 'Remove the link, or make what it leads to.',
  });
}

/** Makes a folder of the vault, and returns whether it was missing. Throws `not-a-folder` where a file has its name. */
export function makeFolder(root: string, folder: string): boolean {
  const place = realPlace(root, folder);
  if (place === null) {
    fs.mkdirSync(path.join(root, folder));
    return true;
  }
  if (fs.statSync(place).isDirectory()) return false;
  throw new StewardError({
    code: 'not-a-folder',
    file: folder,
    message: `${folder} is not a folder.`,
    hint: 'Move it elsewhere; it is as it was.',
  });
}

/** Makes a folder of the vault and those it lies in, and returns whether it was missing. */
export function makeFolders(root: string, folder: string): boolean {
  const parts = folder.split('/');
  return parts.map((_, nth) => makeFolder(root, parts.slice(0, nth + 1).join('/'))).at(-1) ?? false;
}

/** Copies a file into the vault, whole or not at all, and returns whether it was missing. */
export function copyNew(from: string, root: string, tmp: string, file: string): boolean {
  if (realPlace(root, file) !== null) return false;
  return createWhole(root, tmp, file, fs.readFileSync(from));
}

/** A file of the vault as it was read, to be written anew. */
interface Former {
  /** Vault-relative. */
  readonly file: string;
  readonly place: string;
  readonly former: FileBytes;
}

/**
 * Writes a file of the vault anew and keeps its owner, mode and attributes. Throws where it may not be written, or was
 * changed since it was read.
 */
export function replaceInVault(tmp: string, { file, place, former }: Former, text: string): void {
  const refusal = editRefusal(file, place, former);
  if (refusal !== null) throw refusal;
  const system = loadSystemCalls();
  const keep = (part: string) => {
    if (!giveAttributes(part, attributesOf(place, system), system)) throw attributesRefusal(file);
  };
  if (replaceWhole(tmp, place, text, former, keep)) return;
  throw new StewardError({
    code: 'file-changed',
    file,
    message: `${file} changed at this very moment.`,
    hint: 'It is as it was; run `steward init` again.',
  });
}
