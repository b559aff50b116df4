import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** Where servers are installed: the search path of an ordinary user often leaves `sbin` out. */
const FOLDERS = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin', '/usr/bin'];

/** Returns where a program is on this machine; null where it is not. */
export function commandHere(name: string): string | null {
  return FOLDERS.map((folder) => path.join(folder, name)).find(isProgram) ?? null;
}

/** Runs a short program to its end, and returns what it prints. Throws where it fails. */
export function ran(name: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(commandHere(name) ?? name, [...args], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name} ${args[0] ?? ''} failed: ${error?.message ?? stderr}`);
  return stdout;
}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
