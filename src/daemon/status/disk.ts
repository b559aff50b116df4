import fs from 'node:fs';
import path from 'node:path';
import { type Diagnostic, diagnostic, reasonOf, systemCode } from '../../vault/errors.ts';
import type { Vault } from '../../vault/watch/vault.ts';

/** Returns a problem for each folder of the vault that this user cannot write to. */
export function diskProblems(vault: Vault): Diagnostic[] {
  const root = faultOf(vault.root);
  if (systemCode(root) === 'EROFS') return [readOnly()];
  const folders = ['', ...Object.values(vault.layout.folders)];
  return folders.flatMap((folder) => {
    const fault = faultOf(path.join(vault.root, folder));
    return fault === null || systemCode(fault) === 'ENOENT' ? [] : [notWritable(folder, fault)];
  });
}

/** Whether this user may make and remove files in a folder. */
export function isWritable(folder: string): boolean {
  return faultOf(folder) === null;
}

function faultOf(folder: string): unknown {
  try {
    fs.accessSync(folder, fs.constants.W_OK | fs.constants.X_OK);
    return null;
  } catch (error) {
    return error;
  }
}

function readOnly(): Diagnostic {
  return diagnostic({
    code: 'read-only',
    file: '.',
    message: 'The vault lies on a read-only disk, so it stays as it is.',
    hint: 'Mount it writable; work goes on by itself.',
  });
}

function notWritable(folder: string, fault: unknown): Diagnostic {
  return diagnostic({
    code: 'not-writable',
    file: folder === '' ? '.' : folder,
    message: `The folder cannot be written to (${reasonOf(fault).split(',')[0]}).`,
    hint: 'Give the user who runs the daemon write permission; until then it stays as it is.',
  });
}
