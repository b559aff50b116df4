// `npm run ways`: how many files of src run for a mail, an undo and a confirm, beyond those that an idle daemon runs.
// `--files` lists them with their functions. Exits 1 if a way is longer than its limit.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { filesBeyond, Profiler, parseCoverage, type Ran } from './coverage.ts';

const PROJECT = path.resolve(import.meta.dirname, '..', '..');
const SRC = `${pathToFileURL(path.join(PROJECT, 'src')).href}/`;
const HOOK = path.join(import.meta.dirname, 'hook.ts');
const SAMPLES = path.join(PROJECT, 'vault-example', 'sample-mails');
const LIMIT_MS = 60_000;
/** Long enough for what the daemon does once a second, and for a note to have been quiet. */
const IDLE_MS = 4_000;
/** Long enough for what it does once a minute. */
const MINUTE_MS = 65_000;
const EFFECT = /"code":"acted"/;

/** One thing that happens in the vault, done twice: the first time loads what is loaded on use, the second is counted. */
interface Way {
  readonly name: string;
  readonly limit: number;
  /** Makes possible what is counted; returns what the log shows then. */
  readonly prepare?: (vault: string) => RegExp;
  /** The matter that is checked after it was prepared. */
  readonly check?: string;
  /** Makes it happen, and returns what the daemon's log shows at its end. */
  readonly happens: (vault: string, nth: 0 | 1) => RegExp;
}

const WAYS: readonly Way[] = [
  {
    name: 'a mail changes a note',
    limit: 60,
    happens: (vault, nth) => {
      dropMail(vault, ['01-payment-received.eml', '05-contract-signed.eml'][nth] ?? '');
      return EFFECT;
    },
  },
  {
    name: 'a mail has no effect',
    limit: 40,
    happens: (vault, nth) => {
      const file = dropMail(vault, ['06-newsletter.eml', '07-please-obey.eml'][nth] ?? '');
      return new RegExp(`"code":"stream-read".*${file}`);
    },
  },
  {
    name: 'a dropped reversal undoes a change',
    limit: 35,
    happens: (vault, nth) => {
      const event = newestEvent(vault, ['pay-notary-deposit', 'sign-lease-contract-for-plot-14'][nth] ?? '');
      const text = `---\ntype: signal-action-reversed\nreverses: "[[${event}]]"\n---\n`;
      fs.writeFileSync(path.join(vault, 'event', `signal-action-reversed-${nth}.md`), text);
      return /"code":"reversed"/;
    },
  },
  {
    name: 'a ticked confirm applies a proposal',
    limit: 40,
    prepare: (vault) => {
      dropMail(vault, '02-appointment-moved.eml'); // it waits for the next check of its matter
      return /"code":"stream-read"/;
    },
    check: 'kitchen-renovation',
    happens: (vault, nth) => {
      const note = ['compare-tile-offers', 'kitchen-measuring-appointment'][nth] ?? '';
      const file = findEvent(vault, note);
      fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/^confirm: false$/m, 'confirm: true'));
      return /"code":"confirmed"/;
    },
  },
];

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'steward-ways-'));

async function countWays(): Promise<[Way, ReturnType<typeof filesBeyond>][]> {
  const vault = copyExample();
  await using daemon = await Daemon.start(vault);
  const counted: [Way, ReturnType<typeof filesBeyond>][] = [];
  let minute: Ran = new Set();
  for (const nth of [0, 1] as const) {
    if (nth === 1) minute = await daemon.rest(MINUTE_MS); // when all is loaded
    for (const sender of ['anna@northgate-notary.example', 'office@greenfield-allotments.example'])
      command(vault, 'licence', 'sign', sender); // an undo ends it
    for (const way of WAYS) {
      if (nth === 1) await prepare(daemon, vault, way);
      const idle = await daemon.rest();
      await daemon.waitFor(() => way.happens(vault, nth));
      const ran = await daemon.take();
      if (nth === 1) counted.push([way, filesBeyond(ran, minute.union(idle))]);
    }
  }
  return counted;
}

async function prepare(daemon: Daemon, vault: string, { prepare, check }: Way): Promise<void> {
  if (prepare !== undefined) await daemon.waitFor(() => prepare(vault));
  if (check === undefined) return;
  command(vault, 'tick', check, '--force');
}

function command(vault: string, ...words: string[]): void {
  const args = ['src/cli/main.ts', ...words, '--vault', vault];
  const { NODE_V8_COVERAGE: _, ...env } = environment();
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: PROJECT, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${words.join(' ')} failed: ${stderr}`);
}

/** A daemon from source under V8's profiler; its child processes write their coverage when they end. */
class Daemon implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #profiler: Profiler;
  readonly #log: { text: string };
  private constructor(child: ChildProcess, profiler: Profiler, log: { text: string }) {
    this.#child = child;
    this.#profiler = profiler;
    this.#log = log;
  }

  static async start(vault: string): Promise<Daemon> {
    const args = [
      '--inspect=127.0.0.1:0',
      '--import',
      HOOK,
      'src/cli/main.ts',
      'run',
      '--log',
      'json',
      '--vault',
      vault,
    ];
    const child = spawn(process.execPath, args, {
      cwd: PROJECT,
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    process.once('exit', () => child.kill('SIGKILL'));
    const log = { text: '' };
    const errors = { text: '' };
    child.stdout.setEncoding('utf8').on('data', (text) => (log.text += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (errors.text += text));
    await until(
      () => /"code":"started"/.test(log.text),
      () => `the daemon has not started:\n${log.text}${errors.text}`,
    );
    const address = /ws:\/\/\S+/.exec(errors.text)?.[0] ?? '';
    return new Daemon(child, await Profiler.connect(address), log);
  }

  /** Waits until everything is done, and returns what runs in a daemon at rest in so long (ms). */
  async rest(ms = IDLE_MS): Promise<Ran> {
    await pause(IDLE_MS);
    await this.take();
    await pause(ms);
    return this.take();
  }

  async waitFor(happens: () => RegExp): Promise<void> {
    const from = this.#log.text.length;
    const end = happens();
    const since = () => this.#log.text.slice(from);
    await until(
      () => end.test(since()),
      () => `${end} is not in the log:\n${since()}`,
    );
    await pause(IDLE_MS);
  }

  async take(): Promise<Ran> {
    const own = await this.#profiler.take(SRC);
    return new Set([...own, ...childCoverage()]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#profiler[Symbol.asyncDispose]();
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exit;
  }
}

// A child that ended has written its report into the folder; each report is read once.
function childCoverage(): Ran {
  const folder = path.join(home, 'coverage');
  const reports = fs.existsSync(folder) ? fs.readdirSync(folder).map((name) => path.join(folder, name)) : [];
  const ran = reports.flatMap((file) => {
    const report: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
    fs.rmSync(file);
    return [...parseCoverage(report, SRC)];
  });
  return new Set(ran);
}

/** The example as the demo leaves it on a copy: its dates are those of today, and each sample mail is still to come. */
function copyExample(): string {
  const vault = path.join(home, 'vault');
  fs.cpSync(path.join(PROJECT, 'vault-example'), vault, { recursive: true });
  const settings = path.join(vault, 'steward.md');
  fs.writeFileSync(settings, fs.readFileSync(settings, 'utf8').replace(/^settle_seconds: \d+/m, 'settle_seconds: 1'));
  const quiet = new Date(Date.now() - 3_600_000);
  for (const item of fs.readdirSync(vault, { recursive: true, withFileTypes: true })) {
    if (item.isFile()) fs.utimesSync(path.join(item.parentPath, item.name), quiet, quiet);
  }
  return vault;
}

function environment(): NodeJS.ProcessEnv {
  const { STEWARD_VAULT: _, NODE_OPTIONS: __, ...env } = process.env;
  return {
    ...env,
    STEWARD_LIVE_MODE: 'live',
    NODE_V8_COVERAGE: path.join(home, 'coverage'),
    XDG_RUNTIME_DIR: path.join(home, 'run'),
    XDG_STATE_HOME: path.join(home, 'state'),
  };
}

/** Puts a sample into `stream/` as a mail of now; returns its path in the vault. */
function dropMail(vault: string, name: string): string {
  const now = new Date().toUTCString().replace('GMT', '+0000');
  const text = fs.readFileSync(path.join(SAMPLES, name), 'utf8').replace(/^Date: .*$/m, `Date: ${now}`);
  fs.writeFileSync(path.join(vault, 'stream', name), text);
  return `stream/${name}`;
}

function findEvent(vault: string, about: string): string {
  const all = fs.readdirSync(path.join(vault, 'event'), { recursive: true, encoding: 'utf8' });
  const found = all.filter((name) => name.endsWith(`${about}.md`) && !/dismissed|reversed/.test(name)).sort();
  return path.join(vault, 'event', found.at(-1) ?? 'none');
}

function newestEvent(vault: string, about: string): string {
  return path.basename(findEvent(vault, about), '.md');
}

async function until(isTrue: () => boolean, why: () => string): Promise<void> {
  const end = Date.now() + LIMIT_MS;
  while (!isTrue()) {
    if (Date.now() > end) throw new Error(why());
    await pause(50);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

try {
  const counted = await countWays();
  const isListed = process.argv.includes('--files');
  for (const [{ name, limit }, files] of counted) {
    const folders = new Set([...files.keys()].map((file) => path.dirname(file)));
    const mark = files.size > limit ? `more than ${limit}` : `at most ${limit}`;
    process.stdout.write(`${name}: ${files.size} files in ${folders.size} folders (${mark})\n`);
    if (isListed) for (const [file, functions] of files) process.stdout.write(`  ${file}: ${functions.join(' ')}\n`);
  }
  if (counted.some(([{ limit }, files]) => files.size > limit)) process.exitCode = 1;
} finally {
  fs.rmSync(home, { recursive: true, force: true });
}
