import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { TempVault } from '../../support/temp-vault.ts';

const CHILD = path.join(import.meta.dirname, 'kept-child.ts');
/** Another host name for what follows: its pids say nothing to whoever has the first one. */
const ELSEWHERE = ['unshare', '--uts', 'sh', '-c', 'hostname elsewhere.example && exec "$@"', 'sh'];

/** Whether a process can have another host name here; that needs root. */
export const HAS_HOSTS = spawnSync('sh', ['-c', 'unshare --uts hostname elsewhere.example']).status === 0;

/** A daemon in a process of its own, with a folder of its own outside the vault. */
export class Kept {
  readonly socket: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown[]>;
  #said = '';
  #told = Promise.withResolvers<void>();

  private constructor(child: ChildProcess, socket: string) {
    this.#child = child;
    this.socket = socket;
    this.#ended = once(child, 'exit');
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#said += text;
      this.#told.resolve();
      this.#told = Promise.withResolvers();
    });
  }

  /** Starts one. `elsewhere`: on another host, as far as it can tell. */
  static start(vault: TempVault, name: string, { leaseMs = 90_000, elsewhere = false } = {}): Kept {
    const out = path.join(vault.home, name);
    fs.mkdirSync(out, { mode: 0o700 });
    const words = [process.execPath, CHILD, JSON.stringify({ root: vault.root, out, leaseMs })];
    const [program = '', ...rest] = elsewhere ? [...ELSEWHERE, ...words] : words;
    const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    return new Kept(child, path.join(out, 's.sock'));
  }

  get said(): string {
    return this.#said;
  }

  /** Resolves when it has said something. Rejects where it ends before. The test's own timeout is the limit. */
  async hears(words: string): Promise<void> {
    const end = this.#ended.then(([exit]) => {
      if (!this.#said.includes(words)) throw new Error(`it ended (${String(exit)}):\n${this.#said}`);
    });
    while (!this.#said.includes(words)) await Promise.race([this.#told.promise, end]);
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Stops it as a debugger or Ctrl-Z does. Resolves when it stands still. */
  async freeze(): Promise<void> {
    this.kill('SIGSTOP');
    const state = () => fs.readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8').split(') ')[1]?.[0];
    while (state() !== 'T') await new Promise(setImmediate);
  }

  /** Resolves to how it ended. */
  async ended(): Promise<number | null> {
    const [exit] = await this.#ended;
    return typeof exit === 'number' ? exit : null;
  }
}
