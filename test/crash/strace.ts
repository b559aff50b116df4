import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { arrive } from './arrive.ts';
import type { DriverProgram } from './bundle.ts';
import { type Job, type Report, WAITS } from './job.ts';

/** One system call of a piece of work: the `nth` of its kind since the work began. */
export interface Point {
  readonly call: string;
  readonly nth: number;
  /** What the call was about, for people to read. */
  readonly about: string;
}

export type Injection = { readonly point: Point; readonly error: string | null; readonly lasting?: boolean };

/** Every call that can change what is on disk, or make it durable. */
const CHANGING =
  'openat,write,pwrite64,rename,renameat,renameat2,link,linkat,symlink,unlink,unlinkat,rmdir,fsync,fdatasync,' +
  'ftruncate,truncate,chmod,fchmod,fchmodat,chown,fchown,fchownat,mkdir,mkdirat,utimensat,copy_file_range,sendfile,bind';
/** Calls that read: what they return decides what happens next, and they may fail. */
const READING = 'pread64,read,readlink,statx,getdents64';

export function canTrace(): boolean {
  const tried = spawnSync('strace', ['-o', '/dev/null', '-e', 'trace=none', 'true']);
  return tried.status === 0 && canAttach();
}

function canAttach(): boolean {
  try {
    return fs.readFileSync('/proc/sys/kernel/yama/ptrace_scope', 'utf8').trim() === '0' || process.getuid?.() === 0;
  } catch {
    return true; // a kernel without Yama
  }
}

/** Far longer than any job takes, even on a busy machine. */
export const PATIENCE_MS = 60_000;

/** A driver process, loaded and waiting for jobs. */
export class Driver {
  #hung = false;
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #ended: Promise<void>;
  readonly #ready: Promise<unknown>;

  constructor({ script, env }: DriverProgram) {
    this.#child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'ignore'], env });
    this.#child.stdin?.on('error', () => {}); // killed before it read its job
    this.#ended = new Promise((resolve) => this.#child.once('exit', () => resolve()));
    if (this.#child.stdout === null) throw new Error('a driver without stdout');
    this.#lines = readline.createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
    this.#ready = this.#lines.next();
  }

  /**
   * Whether the runtime itself gave up. Now and then a call of its own (one thread waking another, its signal lock) has
   * the number that was meant for a call of the program, and the runtime aborts when that call fails.
   */
  get gaveUp(): boolean {
    return this.#child.signalCode === 'SIGABRT';
  }

  /** Whether it hung, and was killed for that. */
  get hung(): boolean {
    return this.#hung;
  }

  /** Does a job under a tracer. Returns its report, or null where the process died first. */
  async run(job: Job, injection: Injection | null, log = '/dev/null'): Promise<Report | null> {
    const overdue = setTimeout(() => {
      this.#hung = true;
      this.#child.kill('SIGKILL');
    }, PATIENCE_MS);
    try {
      return await this.#run(job, injection, log);
    } finally {
      clearTimeout(overdue);
    }
  }

  async #run(job: Job, injection: Injection | null, log: string): Promise<Report | null> {
    await this.#ready;
    const tracer = await attach(this.#child.pid ?? 0, injection, log);
    this.#child.stdin?.write(`${JSON.stringify(job)}\n`);
    const answer = await this.#answer(job);
    await detach(tracer);
    // It may have been killed a moment after its answer, too.
    if (!answer.done && isAlive(this.#child.pid ?? 0)) return JSON.parse(answer.value) as Report;
    await this.#ended;
    return null;
  }

  // Skips whatever else the program prints.
  async #answer({ root, arrivals = [] }: Job): Promise<IteratorResult<string>> {
    const left = [...arrivals];
    for (;;) {
      const line = await this.#lines.next();
      if (line.done || line.value.startsWith('{"ok"')) return line;
      const next = line.value === WAITS ? left.shift() : undefined;
      if (next === undefined) continue;
      arrive(root, next);
      this.#child.stdin?.write('\n');
    }
  }

  async close(): Promise<void> {
    this.#child.stdin?.end();
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}

function isAlive(pid: number): boolean {
  return /^State:\s+[^ZX]/m.test(statusOf(pid));
}

function isTracedBy(pid: number, tracer: ChildProcess): boolean {
  return statusOf(pid).includes(`TracerPid:\t${tracer.pid}\n`);
}

// Empty where the process is gone.
function statusOf(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

async function attach(pid: number, injection: Injection | null, log: string): Promise<ChildProcess> {
  const asked = injection === null ? [] : ['-e', injectionText(injection)];
  const paths = log === '/dev/null' ? [] : ['-y'];
  const args = [
    '-qq',
    ...paths,
    '-o',
    log,
    '-e',
    `trace=${CHANGING},${READING}`,
    '-e',
    'signal=none',
    ...asked,
    '-p',
    `${pid}`,
  ];
  // With -qq, strace does not say when it has attached; the kernel tells who traces whom.
  const tracer = spawn('strace', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  while (isAlive(pid) && !isTracedBy(pid, tracer)) {
    if (tracer.exitCode !== null) throw new Error(`strace ended with ${tracer.exitCode} before it had attached`);
    await wait(2);
  }
  return tracer;
}

function injectionText({ point, error, lasting }: Injection): string {
  const what = error === null ? 'signal=SIGKILL' : `error=${error}`;
  return `inject=${point.call}:${what}:when=${point.nth}${lasting ? '+' : ''}`;
}

async function detach(tracer: ChildProcess): Promise<void> {
  if (tracer.exitCode !== null || tracer.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => tracer.once('exit', () => resolve()));
  tracer.kill('SIGINT');
  await ended;
}

/** Returns the calls that a job makes on its vault: those that change something, and those that read. */
export async function pointsOf(bundle: DriverProgram, job: Job): Promise<{ changing: Point[]; reading: Point[] }> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vs-trace-'));
  const log = path.join(folder, 'log');
  const driver = new Driver(bundle);
  const report = await driver.run(job, null, log);
  await driver.close();
  if (report?.ok !== true) throw new Error(`the work fails undisturbed: ${report?.message ?? 'the driver died'}`);
  const lines = fs.readFileSync(log, 'utf8').split('\n');
  fs.rmSync(folder, { recursive: true });
  const all = numbered(lines).filter(({ line }) => line.includes(job.root)); // -y shows the path of an open file
  const changes = ({ line }: { line: string }) =>
    line.startsWith('openat') ? line.includes('O_CREAT') : CHANGING.split(',').includes(line.split('(')[0] ?? '');
  return {
    changing: all.filter(changes).map(({ point }) => point),
    reading: all.filter((one) => !changes(one)).map(({ point }) => point),
  };
}

function numbered(lines: readonly string[]): { point: Point; line: string }[] {
  const counts = new Map<string, number>();
  return lines.flatMap((line) => {
    const call = /^([a-z0-9_]+)\(/.exec(line)?.[1];
    if (call === undefined) return [];
    const nth = (counts.get(call) ?? 0) + 1;
    counts.set(call, nth);
    return [{ line, point: { call, nth, about: line.slice(0, 200) } }];
  });
}
