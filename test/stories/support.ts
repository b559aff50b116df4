import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { daysMoved } from '../../src/cli/commands/demo.ts';
import { placed } from '../support/placed.ts';

const PROJECT = path.resolve(import.meta.dirname, '..', '..');
const EXAMPLE = path.join(PROJECT, 'vault-example');
/** Long enough ago that every note has settled, and in the past for any clock that a test sets. */
const LONG_AGO = new Date('2020-01-01T00:00:00Z');
/** What is overdue in the example vault depends on the day on which a story is told: it tells nothing of that. */
const usedUpUntil = (date: string) => ({ since: 0, day: { date, entries: 999, questions: 999 }, notes: {} });
/** A day's portion that is dated a little ahead counts as that of today: midnight may come while a story is told. */
const DAY_AFTER_TOMORROW_MS = 2 * 24 * 60 * 60 * 1000;
/**
 * By how many years the days that lie ahead in the example are moved, so that they do on any day a story is told: to
 * 2034, since the program asks about days that are more than ten years away.
 */
const YEARS = 8;
const PATIENCE_MS = 120_000;

function dayIn(ms: number): string {
  return new Date(Date.now() + ms).toISOString().slice(0, 10);
}

/** How a process ended, and what it printed. */
export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  /** The exit code, or the name of the signal that ended it. */
  readonly exit: number | string;
}

/** A temporary folder with a vault in it, an environment that points nowhere else, and the real program on its path. */
export class Sandbox implements AsyncDisposable {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly #running: Running[] = [];

  /**
   * `vault`: a copy of the example vault with old mtimes, or none yet. `programs`: shell scripts by name, for an installed
   * `steward` instead of the one that is built from this checkout.
   */
  constructor(vault: 'example' | 'none', programs?: Readonly<Record<string, string>>) {
    if (programs === undefined) build();
    this.folder = fs.realpathSync.native(fs.mkdtempSync(path.join(os.tmpdir(), 'story-')));
    const bin = path.join(this.folder, '.bin');
    fs.mkdirSync(bin);
    fs.mkdirSync(path.join(this.folder, '.run'), { mode: 0o700 });
    for (const [name, script] of Object.entries({ ...SCRIPTS, ...(programs ?? BUILT) })) {
      fs.writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    }
    if (vault === 'example') {
      copyOld(EXAMPLE, path.join(this.folder, 'vault'));
      this.write('.steward/state/perception.json', JSON.stringify(usedUpUntil(dayIn(DAY_AFTER_TOMORROW_MS))));
    }
    this.env = {
      PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
      HOME: this.folder,
      XDG_RUNTIME_DIR: path.join(this.folder, '.run'),
      XDG_STATE_HOME: path.join(this.folder, '.state'),
      TZ: 'UTC',
      LC_ALL: 'C',
      NO_COLOR: '1',
      // A story tells what a person at a terminal sees.
      STEWARD_LOG_LEVEL: 'debug',
    };
  }

  get vault(): string {
    return path.join(this.folder, 'vault');
  }

  /** Runs a shell line to its end. */
  async sh(line: string, env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return this.start(line, env).ended;
  }

  /** Runs `steward` with these words, without a shell. */
  async steward(words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return this.#spawn('steward', words, env).ended;
  }

  /** Starts a shell line and leaves it running. */
  start(line: string, env: NodeJS.ProcessEnv = {}): Running {
    return this.#spawn('/bin/sh', ['-c', /[|;&]/.test(line) ? line : line.replace(/^(\w+=\S* +)*/, '$&exec ')], env);
  }

  #spawn(command: string, words: readonly string[], env: NodeJS.ProcessEnv): Running {
    const child = spawn(command, words, {
      cwd: this.folder,
      env: { ...this.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const running = new Running(child);
    this.#running.push(running);
    return running;
  }

  read(file: string): string {
    return fs.readFileSync(placed(this.vault, file), 'utf8');
  }

  /** Writes a note that has long been quiet. */
  write(file: string, content: string | Buffer): void {
    const place = path.join(this.vault, file);
    fs.mkdirSync(path.dirname(place), { recursive: true });
    fs.writeFileSync(place, content);
    fs.utimesSync(place, LONG_AGO, LONG_AGO);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const one of this.#running) one.kill('SIGKILL');
    await Promise.all(this.#running.map((one) => one.ended));
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A running process whose lines can be awaited. */
export class Running {
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;
  readonly #unseen: string[] = [];
  #partial = '';
  #stdout = '';
  #stderr = '';
  #over = false;

  constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#heard(text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    this.ended = once(child, 'close').then(([code, signal]) => {
      this.#over = true;
      return { stdout: this.#stdout, stderr: this.#stderr, exit: code ?? signal };
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  kill(signal: NodeJS.Signals): void {
    if (!this.#over) this.#child.kill(signal);
  }

  /** Returns the next matching line after the last one returned. Throws, with all output so far, where none comes. */
  async line(fits: (line: string) => boolean, named: string): Promise<string> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const at = this.#unseen.findIndex(fits);
      if (at >= 0) return this.#unseen.splice(at, 1)[0] ?? '';
      if (this.#over || Date.now() > deadline) {
        throw new Error(`No line fits “${named}”. It said:\n${this.#stdout}${this.#stderr}`);
      }
      await this.#news(deadline - Date.now());
    }
  }

  async #news(ms: number): Promise<void> {
    const patience = AbortSignal.timeout(Math.max(1, ms));
    const { stdout } = this.#child;
    if (stdout === null) return;
    const none = () => undefined; // nothing new in time: the caller's loop reports it
    await Promise.race([once(stdout, 'data', { signal: patience }).catch(none), this.ended]);
  }

  #heard(text: string): void {
    this.#stdout += text;
    const lines = (this.#partial + text).split('\n');
    this.#partial = lines.pop() ?? '';
    this.#unseen.push(...lines);
  }
}

const BUILT: Readonly<Record<string, string>> = {
  steward: `exec '${process.execPath}' '${path.join(PROJECT, 'bin', 'steward.js')}' "$@"`,
};

// What a story may call in addition to the usual tools.
const SCRIPTS: Readonly<Record<string, string>> = {
  // A sample mail arrives, dated now: drop 01
  drop: `for mail in '${EXAMPLE}'/sample-mails/"$1"-*.eml; do
  sed "s/^Date: .*/Date: $(date -R)/; s/December 2026/December ${2026 + YEARS}/" "$mail" > "vault/stream/.incoming"
  mv "vault/stream/.incoming" "vault/stream/\${mail##*/}"
done`,
  // Every schedule fires on the 29th of February and at no other time: no story depends on the minute it is played at.
  calm: `for note in vault/steward.md vault/matter/*.md vault/matter/*/*.md; do
  sed -i -E 's/^(default_schedule|steward_schedule): .*/\\1: "0 0 29 2 *"/' "$note" && touch -d 2020-01-01 "$note"
done`,
  // A server of a model at home, which reads the built-in mails: & local-model ollama
  'local-model': `exec '${process.execPath}' '${path.join(PROJECT, 'test/providers/serve-sample-reader.ts')}' "$@"`,
  // A person edits a note, and has been gone for an hour: edit task/x.md 's/this/that/'
  edit: 'sed -i "$2" "vault/$1" && touch -d "1 hour ago" "vault/$1"',
};

function copyOld(from: string, to: string): void {
  fs.cpSync(from, to, { recursive: true });
  for (const item of fs.readdirSync(to, { recursive: true, withFileTypes: true })) {
    if (!item.isFile()) continue;
    const file = path.join(item.parentPath, item.name);
    if (/^(matter|task|event|signal|stream)\//.test(path.relative(to, file))) {
      fs.writeFileSync(file, daysMoved(fs.readFileSync(file, 'utf8'), YEARS));
    }
    fs.utimesSync(file, LONG_AGO, LONG_AGO);
  }
}

let built = false;

/** Builds `dist` where it is missing or older than the source. Other workers wait until it is built. */
export function build(): void {
  if (built) return;
  const lock = path.join(os.tmpdir(), `steward-build-${PROJECT.replaceAll(path.sep, '-')}`);
  const script = `[ "$(find src rolldown.config.ts -newer dist/main.js -print -quit 2>/dev/null)" = "" ] && [ -f dist/main.js ] && exit
    rolldown -c rolldown.config.ts > /dev/null`;
  const env = {
    ...process.env,
    PATH: `${path.dirname(process.execPath)}:${path.join(PROJECT, 'node_modules', '.bin')}:${process.env.PATH}`,
  };
  const done = spawnSync('flock', [lock, 'sh', '-c', script], { cwd: PROJECT, env, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`The build failed:\n${done.stdout}${done.stderr}${done.error ?? ''}`);
  built = true;
}
