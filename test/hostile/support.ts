import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Diagnostic } from '../../src/vault/errors.ts';
import { type Running, Sandbox } from '../stories/support.ts';
import { namesIn, placed } from '../support/placed.ts';

const LIVE = { STEWARD_LIVE_MODE: 'live' };

/** Whether files can be write-protected here (`chattr +i`): it takes root, and a file system that knows it. */
export const CAN_PROTECT = canProtect();

function canProtect(): boolean {
  const file = path.join(os.tmpdir(), `protect-${process.pid}`);
  fs.writeFileSync(file, '');
  const done = spawnSync('chattr', ['+i', file]).status === 0;
  if (done) execFileSync('chattr', ['-i', file]);
  fs.rmSync(file);
  return done;
}

/** Nobody may change these files or folders, not even root, until the test ends or `again` is called. */
export function protect(...files: string[]): { again: () => void } {
  execFileSync('chattr', ['+i', ...files]);
  const again = () => void spawnSync('chattr', ['-i', ...files]);
  onTestFinished(again);
  return { again };
}

/** What a test needs of `status --json`. */
interface StatusSeen {
  readonly daemon: { readonly state: string; readonly pid: number | null };
  readonly trouble: readonly Diagnostic[];
}

/** The real program on a vault of its own. */
export class Attacked {
  readonly sandbox: Sandbox;
  #daemon: Running | null = null;

  constructor(files: Readonly<Record<string, string | Buffer>>) {
    this.sandbox = new Sandbox('none');
    for (const [file, text] of Object.entries(files)) this.sandbox.write(file, text);
    onTestFinished(() => this.sandbox[Symbol.asyncDispose]());
  }

  at(file: string): string {
    return placed(this.sandbox.vault, file);
  }

  read(file: string): string {
    return this.sandbox.read(file);
  }

  names(folder: string): string[] {
    return namesIn(this.sandbox.vault, folder);
  }

  get daemon(): Running {
    if (this.#daemon === null) throw new Error('no daemon was started');
    return this.#daemon;
  }

  /** Starts the daemon by a shell line, and waits until it says so. */
  async start(line = 'steward run --vault vault', env: NodeJS.ProcessEnv = {}): Promise<Running> {
    this.#daemon = this.sandbox.start(line, { ...LIVE, ...env });
    await this.says('started on');
    return this.#daemon;
  }

  /** Kills the daemon, and waits until it has ended. */
  async kill(): Promise<void> {
    this.daemon.kill('SIGKILL');
    await this.daemon.ended;
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  /** Resolves to the next line of the daemon that holds a text. */
  says(text: string): Promise<string> {
    return this.daemon.line((line) => line.includes(text), text);
  }

  /** Runs a command to its end, and returns its exit code and all that it printed. */
  async steward(...words: string[]): Promise<{ readonly exit: number | string; readonly said: string }> {
    const { exit, stdout, stderr } = await this.sandbox.steward([...words, '--vault', 'vault'], LIVE);
    return { exit, said: `${stdout}${stderr}` };
  }

  async status(): Promise<StatusSeen> {
    const { stdout } = await this.sandbox.steward(['status', '--vault', 'vault', '--json']);
    return JSON.parse(stdout);
  }

  /** Returns the process of the daemon, however it was started. */
  async pid(): Promise<number | null> {
    return (await this.status()).daemon.pid;
  }

  /** Returns the files that `status` names as troubled. */
  async troubled(): Promise<(string | null)[]> {
    const { trouble } = await this.status();
    return [...new Set(trouble.map(({ file }) => file))].sort();
  }
}
