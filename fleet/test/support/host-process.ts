import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { withTestKey } from '../../../test/support/temp-vault.ts';
import type { HostEvent } from '../../src/host/host-log.ts';
import { Registry } from '../../src/host/registry.ts';

const BIN = path.resolve(import.meta.dirname, '..', '..', 'bin', 'steward-fleet.js');

type What = HostEvent['what'];
type Of<W extends What> = Extract<Heard, { readonly what: W }>;
/** A thing that it said, and when (epoch ms). */
type Heard = HostEvent & { readonly heardAt: number };

const answer = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() });

/**
 * A host of the fleet as a real process with a state folder of its own: several of them are as many machines. What it says
 * is kept, each thing with the moment at which it was heard.
 */
export class HostProcess {
  readonly heard: Heard[] = [];
  /** Everything that it wrote, as it was. */
  readonly log: string;
  readonly state: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #waiting = new Set<() => void>();
  readonly #wrapper: readonly string[];
  readonly #bin: string;
  #process: ChildProcess | null = null;
  #errors = '';

  /** `folder`: where its state, its sockets and its log lie. `wrapper`: words before the program, as `unshare`. `bin`: the program itself. */
  constructor(
    folder: string,
    address: string,
    env: NodeJS.ProcessEnv = {},
    wrapper: readonly string[] = [],
    bin = BIN,
  ) {
    fs.mkdirSync(path.join(folder, 'run'), { recursive: true });
    withTestKey(path.join(folder, 'state'));
    this.log = path.join(folder, 'host.log');
    this.state = path.join(folder, 'state', 'vault-steward');
    this.#wrapper = wrapper;
    this.#bin = bin;
    this.#env = {
      ...process.env,
      XDG_STATE_HOME: path.join(folder, 'state'),
      XDG_RUNTIME_DIR: path.join(folder, 'run'),
      STEWARD_FLEET_ADDRESS: address,
      STEWARD_LIVE_MODE: 'live',
      STEWARD_DEBUG: '',
      ...env,
    };
  }

  /** The id by which the engine knows it. */
  get id(): string {
    return new Registry(this.state).host;
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  /** Starts it. Resolves when it serves. */
  async start(...options: string[]): Promise<this> {
    const words = [...this.#wrapper, process.execPath, this.#bin, 'host', '--json', ...options];
    const [program = '', ...rest] = words;
    const child = spawn(program, rest, { env: this.#env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#process = child;
    const before = this.heard.length;
    createInterface({ input: child.stdout }).on('line', (line) => this.#hear(line));
    child.stderr.on('data', (data: Buffer) => {
      this.#errors += data.toString();
      fs.appendFileSync(this.log, data);
    });
    child.once('exit', () => this.#wake());
    await this.until(() => this.heard.slice(before).some(({ what }) => what === 'serving'));
    return this;
  }

  /** Resolves to the first thing of this kind that it says and that fits, from the `from`-th thing on. */
  async says<W extends What>(what: W, fits: (event: Of<W>) => boolean = () => true, from = 0) {
    const isIt = (event: Heard): event is Of<W> => event.what === what && fits(event as Of<W>);
    await this.until(() => this.heard.slice(from).some(isIt));
    const found = this.heard.slice(from).find(isIt);
    if (found === undefined) throw new Error('unreachable');
    return found;
  }

  /** Resolves when something holds; looked at whenever it says something, and ten times a second. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (this.#process !== null && this.#process.exitCode !== null) throw new Error(`the host ended: ${this.#errors}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 100);
        this.#waiting.add(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  /** Runs a command on this host. */
  command(...words: string[]): Promise<z.infer<typeof answer>> {
    const { promise, resolve } = Promise.withResolvers<z.infer<typeof answer>>();
    const options = { env: this.#env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const; // thousands of vaults, a line each
    execFile(process.execPath, [this.#bin, ...words], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code ?? 1);
      fs.appendFileSync(this.log, stderr);
      resolve({ code, stdout, stderr });
    });
    return promise;
  }

  /** Has vaults kept by this host. Returns their ids, in the order of the folders. */
  async add(...words: string[]): Promise<string[]> {
    const { code, stdout, stderr } = await this.command('add', '--json', ...words);
    if (code !== 0) throw new Error(stderr);
    return z
      .object({ added: z.array(z.object({ id: z.string() })) })
      .parse(JSON.parse(stdout))
      .added.map(({ id }) => id);
  }

  /** Sends it a signal; resolves when it has ended, or stands still. */
  async signal(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ends = signal !== 'SIGSTOP' && signal !== 'SIGCONT';
    const exit = ends ? once(child, 'exit') : null;
    if (ends) this.#process = null;
    child.kill(signal);
    await exit;
    const state = () => fs.readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.[0];
    while (signal === 'SIGSTOP' && state() !== 'T') await new Promise(setImmediate);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.signal('SIGKILL');
  }

  #hear(line: string): void {
    fs.appendFileSync(this.log, `${line}\n`);
    // Its own words, which this very program's types describe.
    this.heard.push({ ...(JSON.parse(line) as HostEvent), heardAt: Date.now() });
    this.#wake();
  }

  #wake(): void {
    for (const look of this.#waiting) look();
    this.#waiting.clear();
  }
}
