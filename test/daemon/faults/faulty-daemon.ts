import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, type TestContext } from 'vitest';
import { ask } from '../../../src/daemon/client.ts';
import type { Request, Status } from '../../../src/daemon/compose.ts';
import { daemonSocket } from '../../../src/daemon/runtime-paths.ts';
import { matter, settings, signal, task } from '../../support/notes.ts';

const PROJECT = path.resolve(import.meta.dirname, '../../..');
const LONG_AGO = new Date('2020-01-01T00:00:00Z');

/** How a function fails: by an exception outside every promise, or by a rejection that no code handles. */
export type How = 'throw' | 'reject';

/** A test that runs beside others has to say which test ends. */
type Finishing = Pick<TestContext, 'onTestFinished'>;
type Targets = Readonly<Record<string, readonly [file: string, target: string]>>;

/** `steward run` on a vault of its own, in which functions fail on request. */
export class FaultyDaemon {
  readonly folder = fs.realpathSync.native(fs.mkdtempSync(path.join(os.tmpdir(), 'faulty-')));
  readonly vault = path.join(this.folder, 'vault');
  readonly #faults = path.join(this.folder, '.faults');
  readonly #env: NodeJS.ProcessEnv;
  readonly #ended: Promise<number | string>;
  #child: ChildProcess | null = null;
  #log = '';
  #tasks = 0;

  /** `targets`: name of a fault → source file and function. `early`: those that are asked for before the start. */
  constructor({ onTestFinished }: Finishing, targets: Targets, early: readonly string[] = [], how: How = 'throw') {
    fs.mkdirSync(this.#faults);
    fs.writeFileSync(path.join(this.#faults, 'FAULTS'), JSON.stringify(targets));
    this.write('steward.md', settings({ default_schedule: '0 0 29 2 *', settle_seconds: 0 }));
    this.write('matter/house.md', matter());
    fs.mkdirSync(path.join(this.folder, '.run'), { mode: 0o700 });
    this.#env = {
      PATH: process.env.PATH,
      HOME: this.folder,
      XDG_RUNTIME_DIR: path.join(this.folder, '.run'),
      XDG_STATE_HOME: path.join(this.folder, '.state'),
      STEWARD_LIVE_MODE: 'live',
      STEWARD_TEST_FAULTS: this.#faults,
      PLANE_API_KEY: 'plainly-made-up',
      PLANE_BASE_URL: 'http://127.0.0.1:9',
      PLANE_WORKSPACE: 'sample',
    };
    for (const name of early) this.fail(name, how);
    this.#ended = this.#run();
    onTestFinished(() => this.#remove());
  }

  get log(): string {
    return this.#log;
  }

  /** Resolves with the exit code. */
  get ended(): Promise<number | string> {
    return this.#ended;
  }

  write(file: string, text: string): void {
    const place = path.join(this.vault, file);
    fs.mkdirSync(path.dirname(place), { recursive: true });
    fs.writeFileSync(place, text);
    fs.utimesSync(place, LONG_AGO, LONG_AGO);
  }

  /** Has a function fail the next time that it is called. */
  fail(name: string, how: How): void {
    fs.writeFileSync(path.join(this.#faults, `${name}.${how}`), '');
  }

  async started(): Promise<void> {
    await this.until(() => this.#log.includes('"code":"started"'));
  }

  /** Resolves when something holds. Fails with the log where the daemon has ended. */
  async until(holds: () => boolean | Promise<boolean>): Promise<void> {
    let isOver = false;
    void this.#ended.then(() => {
      isOver = true;
    });
    await expect.poll(async () => (await holds()) || isOver).toBe(true);
    if (isOver && !(await holds())) throw new Error(`The daemon has ended:\n${this.#log}`);
  }

  async ask(request: Request, vault = 'vault'): Promise<unknown> {
    const asked = await ask(daemonSocket(path.join(this.folder, vault), this.#env), request, 30_000);
    return typeof asked === 'string' ? asked : asked.ok ? asked.result : asked.trouble;
  }

  /** What the daemon says; asked again where a loaded machine kept it from reading the question in time. */
  async status(vault = 'vault'): Promise<Status> {
    let status: unknown = null;
    await this.until(async () => {
      status = await this.ask({ op: 'status' }, vault);
      return typeof status === 'object' && status !== null && 'schemaVersion' in status;
    });
    return status as unknown as Status; // from our own program
  }

  /** What `steward status --json` prints. */
  async printedStatus(): Promise<Status> {
    const words = [path.join(PROJECT, 'src/cli/main.ts'), 'status', '--json', '--vault', this.vault];
    return JSON.parse((await promisify(execFile)(process.execPath, words, { env: this.#env })).stdout);
  }

  /** The components of which an unexpected error is remembered on disk, sorted. */
  remembered(): readonly string[] {
    const file = path.join(this.vault, '.steward/state/faults.json');
    const entries: Readonly<Record<string, { component: string }>> = JSON.parse(fs.readFileSync(file, 'utf8'));
    return Object.values(entries)
      .map(({ component }) => component)
      .toSorted();
  }

  /** Has a signal close a task, and waits until that is done: the daemon works. */
  async works(): Promise<void> {
    this.#tasks += 1;
    const name = `pay${this.#tasks}`;
    this.write(`task/${name}.md`, task());
    this.write(`signal/${name}.md`, signal({ target_path: `task/${name}.md` }));
    await this.until(() => !fs.readFileSync(path.join(this.vault, `task/${name}.md`), 'utf8').includes('state: open'));
  }

  stop(): void {
    this.#child?.kill('SIGTERM');
  }

  async #remove(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#ended;
    fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #run(): Promise<number | string> {
    const inject = path.join(import.meta.dirname, 'inject.ts');
    const words = ['--import', inject, path.join(PROJECT, 'src/cli/main.ts'), 'run'];
    const vaults = ['--vault', this.vault];
    const child = spawn(process.execPath, [...words, ...vaults, '--log', 'json', '--log-level', 'debug'], {
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#log += text;
      });
    }
    const [code, by] = await once(child, 'close');
    return code ?? by;
  }
}

/** Expects the problem of an unexpected error in a component. */
export function expectProblem(status: Status, component: string, name: string): void {
  const found = status.trouble.filter((one) => one.code === 'unexpected-fault' && one.component === component);
  expect(found, `problems of ${component}`).toHaveLength(1);
  expect(found[0]).toMatchObject({
    message: expect.stringContaining(`TypeError: injected in ${name}.`),
    hint: expect.stringContaining('.steward/state/faults.json'),
    stack: expect.stringContaining('inject.ts'),
  });
}
