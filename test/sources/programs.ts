import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { commandSource } from '../../src/sources/command.ts';
import type { Credential } from '../../src/sources/source.ts';
import { MemoryInlet } from './memory-inlet.ts';

type Parts = Parameters<typeof commandSource>[0];

/** A folder for programs, removed when the test ends. */
export function programFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vs-programs-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a program, a script for a shell where it says nothing else, and returns its path. */
export function program(text: string, folder: string = programFolder()): string {
  const file = path.join(folder, 'events');
  fs.writeFileSync(file, text.startsWith('#!') ? text : `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return file;
}

/** A session with a program, and what it brings. */
export async function opened(argv: readonly string[], parts: Partial<Parts> = {}, inlet = new MemoryInlet()) {
  const abort = new AbortController();
  const environment = { PATH: process.env.PATH };
  const session = await commandSource({ argv, credential: null, environment, ...parts }).open(inlet, abort.signal);
  onTestFinished(() => session.close());
  return { session, inlet, abort };
}

/** The lines of a program that prints these values. */
export function printing(...values: readonly unknown[]): string {
  return `cat <<'END'\n${values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n')}\nEND`;
}

export const SECRET: Credential = { reveal: async () => 'plainly-made-up-secret' };

/** The ids of the processes whose environment or arguments hold a text. */
export function processesWith(text: string): string[] {
  const all = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return all.filter((pid) => [`/proc/${pid}/environ`, `/proc/${pid}/cmdline`].some((file) => holds(file, text)));
}

function holds(file: string, text: string): boolean {
  try {
    return fs.readFileSync(file, 'latin1').includes(text);
  } catch {
    return false;
  }
}
