import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Running } from '../../../test/stories/support.ts';
import { signal } from '../../../test/support/notes.ts';
import { House } from './house.ts';

const MAIN = path.resolve(import.meta.dirname, '..', '..', 'bin', 'steward-fleet.js');
const FAULTS = path.join(import.meta.dirname, 'faults.ts');

const line = z.object({
  code: z.string().nullish(),
  what: z.string().optional(),
  trouble: z.string().optional(),
  vault: z.string().optional(),
});
type Line = z.infer<typeof line>;

/**
 * A process that keeps a folder of vaults. The two ways of keeping them, resident (`run`) and asleep (`host`), are the two
 * subclasses.
 */
export abstract class VaultProcess implements AsyncDisposable {
  readonly house: House;
  /** Variables of the process, for its next start. */
  readonly env: NodeJS.ProcessEnv = {};
  protected running: Running | null = null;

  constructor(...names: readonly string[]) {
    this.house = new House(...names);
  }

  /** Starts it. Resolves when each vault was tried once. */
  abstract start(): Promise<void>;
  /** Has a vault of the folder kept that is new. */
  abstract add(name: string): Promise<void>;
  /** Has it look at a vault now. */
  abstract look(name: string): Promise<void>;
  /** Resolves to the code for which a vault can't be kept, the next time that it says one. */
  abstract refusal(name: string): Promise<string>;

  get pid(): number {
    return this.running?.pid ?? 0;
  }

  /** A strong signal comes into a vault, and its task is done. */
  async acts(name: string): Promise<void> {
    expect(this.house.read(name, 'task/pay.md')).toContain('state: open');
    this.house.write(name, 'signal/paid.md', signal({ target_path: 'task/pay.md' }));
    await expect.poll(() => this.house.read(name, 'task/pay.md')).toContain('state: done');
  }

  /** Leaves the process so many file handles more than it has open. */
  limitHandles(spare: number): void {
    const used = fs.readdirSync(`/proc/${this.pid}/fd`).length;
    execFileSync('prlimit', ['--pid', `${this.pid}`, `--nofile=${used + spare}:`]);
  }

  /** Asks it to end, and waits until it has. Returns its exit code. */
  async end(how: NodeJS.Signals = 'SIGTERM'): Promise<number | string> {
    this.running?.kill(how);
    const ended = await this.running?.ended;
    this.running = null;
    return ended?.exit ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.house[Symbol.asyncDispose]();
  }

  protected spawn(words: string): Running {
    const node = `'${process.execPath}' --import '${FAULTS}' '${MAIN}'`;
    this.running = this.house.sandbox.start(`${node} ${words}`, { STEWARD_LIVE_MODE: 'live', ...this.env });
    return this.running;
  }

  /** Resolves to the next line of JSON that it prints and that fits. */
  protected async says(fits: (said: Line) => boolean, named: string): Promise<Line> {
    if (this.running === null) throw new Error('It does not run.');
    const read = (text: string) => line.safeParse(parsed(text)).data;
    const isIt = (text: string) => {
      const said = read(text);
      return said !== undefined && fits(said);
    };
    const found = read(await this.running.line(isIt, named));
    if (found === undefined) throw new Error('unreachable');
    return found;
  }
}

/** `steward-fleet run`: a daemon on each vault. */
export class ResidentVaults extends VaultProcess {
  async start(): Promise<void> {
    this.spawn('run --vaults vaults --log json');
    await this.says(({ code }) => code === 'keeping', 'keeping');
  }

  async add(): Promise<void> {} // it follows the folder

  async look(): Promise<void> {} // its daemon does

  async refusal(name: string): Promise<string> {
    const isIt = ({ code, vault, trouble }: Line) =>
      vault === this.house.path(name).replace(/\/$/, '') &&
      (code === 'unkept' || code === 'away' || trouble === 'vault-away'); // the last: its folder is let go of before it is away
    const { trouble, code } = await this.says(isIt, `${name} is refused`);
    return trouble ?? `vault-${code}`;
  }
}

/** `steward-fleet host`: an engine has each vault visited. */
export class SleepingVaults extends VaultProcess {
  readonly #ids = new Map<string, string>();

  constructor(address: string, ...names: readonly string[]) {
    super(...names);
    this.env.STEWARD_FLEET_ADDRESS = address;
  }

  async start(): Promise<void> {
    this.spawn('host --json');
    await this.says(({ what }) => what === 'serving', 'serving');
    const added = await this.#register(fs.readdirSync(this.house.folder).filter((name) => !this.#ids.has(name)));
    for (const id of added)
      await this.says(({ what, vault }) => what === 'visited' && vault === id, `${id} is visited`);
  }

  async add(name: string): Promise<void> {
    await this.#register([name]);
  }

  async look(name: string): Promise<void> {
    await this.#command(`nudge ${this.#ids.get(name)}`);
  }

  async refusal(name: string): Promise<string> {
    const isIt = ({ what, vault, code }: Line) => what === 'visited' && vault === this.#ids.get(name) && code != null;
    return (await this.says(isIt, `${name} is refused`)).code ?? '';
  }

  async #register(names: readonly string[]): Promise<string[]> {
    if (names.length === 0) return [];
    const folders = names.map((name) => `'${this.house.path(name)}'`);
    const { stdout, stderr } = await this.#command(`add --json ${folders.join(' ')}`);
    const { data } = z.object({ added: z.array(z.object({ id: z.string() })) }).safeParse(parsed(stdout));
    if (data === undefined) throw new Error(stderr);
    for (const [nth, { id }] of data.added.entries()) this.#ids.set(names[nth] ?? '', id);
    return data.added.map(({ id }) => id);
  }

  #command(words: string) {
    return this.house.sandbox.sh(`'${process.execPath}' '${MAIN}' ${words}`, this.env);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
