import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { type Running, Sandbox } from '../../../test/stories/support.ts';
import { matter, settings, signal, task } from '../../../test/support/notes.ts';

const LONG_AGO = new Date('2020-01-01T00:00:00Z');
const MAIN = path.resolve(import.meta.dirname, '..', '..', 'bin', 'steward-fleet.js');
/** `steward-fleet run`, as a shell starts it. */
export const RUN = `'${process.execPath}' '${MAIN}' run`;
const ENV = { STEWARD_LIVE_MODE: 'live', STEWARD_LOG_LEVEL: 'debug' };

/** A folder of small vaults, and the processes that look after them. */
export class House implements AsyncDisposable {
  readonly sandbox = new Sandbox('none');

  /** Each vault with one matter and one task. */
  constructor(...names: readonly string[]) {
    for (const name of names) this.vault(name);
  }

  /** The folder of vaults. */
  get folder(): string {
    return path.join(this.sandbox.folder, 'vaults');
  }

  path(name: string, file = ''): string {
    return path.join(this.folder, name, file);
  }

  /** Puts a vault into the folder. */
  vault(name: string): void {
    this.write(name, 'steward.md', settings({ default_schedule: '0 0 29 2 *' }));
    this.write(name, 'matter/house.md', matter());
    this.write(name, 'task/pay.md', task());
  }

  write(name: string, file: string, text: string): void {
    const place = this.path(name, file);
    fs.mkdirSync(path.dirname(place), { recursive: true });
    fs.writeFileSync(place, text);
    fs.utimesSync(place, LONG_AGO, LONG_AGO);
  }

  read(name: string, file: string): string {
    return fs.readFileSync(this.path(name, file), 'utf8');
  }

  /**
   * Starts `steward-fleet run` with these words, in the sandbox's folder, and waits until all vaults were tried. `before`: what the
   * shell does first.
   */
  async run(words: string, before = ''): Promise<Running> {
    const running = this.sandbox.start(`${before} ${RUN} ${words}`.trim(), ENV);
    await running.line((line) => / of \d+ vaults? looked after/.test(line), 'looked after');
    return running;
  }

  /** A strong signal comes into a vault, and its task is done. */
  async acts(name: string, running: Running): Promise<void> {
    expect(this.read(name, 'task/pay.md')).toContain('state: open');
    this.write(name, 'signal/paid.md', signal({ target_path: 'task/pay.md' }));
    await running.line((line) => line.includes(`${name}: applied pay`), `${name}: acted`);
    expect(this.read(name, 'task/pay.md')).toContain('state: done');
  }

  /** Returns the names of a vault's event notes. */
  events(name: string): string[] {
    const all = fs.readdirSync(this.path(name, 'event'), { recursive: true, encoding: 'utf8' });
    return all.filter((file) => file.endsWith('.md'));
  }

  /** Whether `steward status` says that a daemon runs on a vault. */
  async isRunning(name: string): Promise<boolean> {
    const { stdout } = await this.sandbox.steward(['status', '--vault', this.path(name), '--json']);
    return JSON.parse(stdout).daemon.state === 'running';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sandbox[Symbol.asyncDispose]();
  }
}

/** Resolves to the next line about a vault that fits. */
export function said(running: Running, name: string, fits: RegExp): Promise<string> {
  return running.line((line) => line.includes(` ${name}: `) && fits.test(line), `${name}: ${fits}`);
}

/** Ends a process, which ends in order. */
export async function ended(running: Running): Promise<string> {
  running.kill('SIGTERM');
  const { exit, stdout, stderr } = await running.ended;
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  return stdout;
}

/** A small disk in the place of a folder. */
export class Disk implements Disposable {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    fs.mkdirSync(folder, { recursive: true });
    this.#mount('-t', 'tmpfs', 'tmpfs');
  }

  remount(how: 'ro' | 'rw'): void {
    this.#mount('-o', `remount,${how}`);
  }

  [Symbol.dispose](): void {
    spawnSync('umount', ['-l', this.#folder]);
  }

  #mount(...words: readonly string[]): void {
    expect(spawnSync('mount', [...words, this.#folder], { encoding: 'utf8' })).toMatchObject({ status: 0 });
  }
}
