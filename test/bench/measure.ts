import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** One line of the final table. */
export interface Row {
  readonly what: string;
  readonly measured: string;
  /** The floor or rival of the same run. */
  readonly floor: string;
  readonly ratio: string;
  readonly aim: string;
  /** Null where no aim is set: shown for information only. */
  readonly met: boolean | null;
}

/** Samples of one quantity, in milliseconds by default. */
export class Samples {
  readonly #sorted: number[];

  constructor(samples: readonly number[]) {
    this.#sorted = [...samples].sort((a, b) => a - b);
  }

  /** Returns the value below which the share `at` (0 to 1) of all samples lies. */
  at(at: number): number {
    return this.#sorted[Math.min(this.#sorted.length - 1, Math.floor(at * this.#sorted.length))] ?? Number.NaN;
  }

  get median(): number {
    return this.at(0.5);
  }

  /** Returns `123 ms (110–140)`: the median, then the least and the greatest. */
  toString(): string {
    return `${ms(this.median)} (${digits(this.at(0))}–${digits(this.at(1))})`;
  }
}

/** Measures several things in turn, round after round, so that whatever slows the machine slows all of them equally. */
export async function interleaved<Name extends string>(
  rounds: number,
  measures: { readonly [N in Name]: () => Promise<number> | number },
): Promise<{ [N in Name]: Samples }> {
  const names = Object.keys(measures) as Name[]; // the keys of our own record
  const taken = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) taken.get(name)?.push(await measures[name]());
  }
  return Object.fromEntries(names.map((name) => [name, new Samples(taken.get(name) ?? [])])) as {
    [N in Name]: Samples;
  };
}

export function ms(value: number): string {
  return `${digits(value)} ms`;
}

export function times(ratio: number): string {
  return `${ratio.toFixed(2)} ×`;
}

function digits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** Returns a child's environment: homes of its own, and no extra certificates, which cost every Node 20 ms. */
export function childEnv(home: string, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, STEWARD_VAULT: ___, ...env } = process.env;
  return { ...env, XDG_RUNTIME_DIR: path.join(home, 'run'), XDG_STATE_HOME: path.join(home, 'state'), ...more };
}

/** Runs a script of this folder to its end and returns what it printed, parsed as JSON. */
export function child<Result>(home: string, script: string, ...args: readonly string[]): Result {
  const file = path.join(import.meta.dirname, script);
  const { stdout, stderr, status } = spawnSync(process.execPath, [file, ...args], {
    env: childEnv(home, { STEWARD_LIVE_MODE: 'live' }),
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (status !== 0) throw new Error(`${script} ${args.join(' ')} failed:\n${stderr}`);
  return JSON.parse(stdout) as Result; // printed by our own script
}

/** Returns how long a process takes from start to end, in ms. Throws where its exit code is not `exit`. */
export function processMs(home: string, args: readonly string[], exit = 0): number {
  const before = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { env: childEnv(home), encoding: 'utf8' });
  const took = performance.now() - before;
  if (status !== exit) throw new Error(`node ${args.join(' ')} ended with ${status}:\n${stderr}`);
  return took;
}

/** Starts a real `steward run` on a vault, and measures how long it takes to print its `started` line. `said`: all that it printed. */
export async function startDaemon(
  home: string,
  vault: string,
  more: NodeJS.ProcessEnv = {},
): Promise<{ pid: number; ms: number; said: () => string; stop: () => Promise<void> }> {
  const before = performance.now();
  const daemon = spawn(process.execPath, [STEWARD, 'run', '--vault', vault], {
    env: childEnv(home, { STEWARD_LIVE_MODE: 'live', ...more }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => daemon.once('exit', () => resolve()));
  let text = '';
  const took = await new Promise<number>((resolve, reject) => {
    daemon.once('exit', (code) => reject(new Error(`steward run ended with ${code}`)));
    daemon.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (/ {2}started on /.test(text)) resolve(performance.now() - before);
    });
  });
  const stop = async () => {
    daemon.kill('SIGTERM');
    await ended;
  };
  return { pid: daemon.pid ?? 0, ms: took, said: () => text, stop };
}

export const STEWARD = path.join(import.meta.dirname, '..', '..', 'bin', 'steward.js');

/** Makes a folder for some work, and removes it afterwards. */
export async function withFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'steward-bench-'));
  try {
    return await work(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Shows progress on a terminal; silent elsewhere. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}
