import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const PROJECT = path.resolve(import.meta.dirname, '..', '..');
const BOOT = path.join(import.meta.dirname, 'boot.sh');
/** A busy machine boots slowly. */
const BOOT_MS = 150_000;
const GUEST = '4711';

/** How a command in the machine ended, and what it printed. */
interface Done {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A machine that systemd has booted: this one's files with a throw-away layer over them, and a network of its own. */
export class Booted implements AsyncDisposable {
  readonly #starter: ChildProcess;
  readonly #leader: number;
  readonly #folder: string;

  private constructor(starter: ChildProcess, leader: number, folder: string) {
    this.#starter = starter;
    this.#leader = leader;
    this.#folder = folder;
  }

  /** Boots it; null where that cannot be done here. */
  static async boot(): Promise<Booted | null> {
    const tools = ['systemd-nspawn', 'nsenter', 'unshare', 'setpriv'];
    const hasTools = tools.every((tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status === 0);
    if (process.getuid?.() !== 0 || !hasTools || !fs.existsSync('/usr/lib/systemd/systemd')) return null;
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'steward-boot-'));
    const layer = path.join(folder, 'layer');
    const bell = path.join(folder, 'booted');
    fs.mkdirSync(layer);
    if (spawnSync('mkfifo', [bell]).status !== 0) return null;
    const words = ['-m', '--propagation', 'private', BOOT, layer, PROJECT, `steward-${process.pid}`, bell];
    const starter = spawn('unshare', words, { stdio: 'ignore' });
    const leader = (await isRung(bell, starter)) ? leaderOf(starter.pid ?? 0) : null;
    if (leader !== null) return new Booted(starter, leader, folder);
    starter.kill('SIGKILL');
    fs.rmSync(folder, { recursive: true, force: true });
    return null;
  }

  /** Runs a command as root. */
  run(command: string, ...words: string[]): Done {
    return this.#enter([command, ...words], { HOME: '/root' });
  }

  /** Runs a command as a person who has logged in. */
  guest(command: string, ...words: string[]): Done {
    const as = ['setpriv', `--reuid=${GUEST}`, `--regid=${GUEST}`, '--clear-groups', command, ...words];
    return this.#enter(as, { HOME: '/home/guest', XDG_RUNTIME_DIR: `/run/user/${GUEST}` });
  }

  /** Runs `steward` as root, or as the person. */
  steward(who: 'run' | 'guest', ...words: string[]): Done {
    return this[who]('/opt/vault-steward/node_modules/.bin/node', '/opt/vault-steward/bin/steward.js', ...words);
  }

  /** Writes a file that belongs to the person, in one step. */
  write(file: string, text: string, owner = `${GUEST}:${GUEST}`): void {
    const script =
      'mkdir -p "$(dirname "$1")" && cat >"$1.part" && chown "$2" "$(dirname "$1")" "$1.part" && mv "$1.part" "$1"';
    const { exit, stderr } = this.#enter(['sh', '-c', script, 'sh', file, owner], {}, text);
    if (exit !== 0) throw new Error(stderr);
  }

  /** Returns what a file says; '' where there is none. */
  read(file: string): string {
    return this.run('cat', file).stdout;
  }

  /** Returns a property of a unit of the system's. */
  property(unit: string, name: string): string {
    return this.run('systemctl', 'show', unit, `--property=${name}`, '--value').stdout.trim();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = this.#starter.exitCode === null ? once(this.#starter, 'exit') : null;
    process.kill(this.#leader, 'SIGKILL'); // its first process: all others end with it
    await ended;
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }

  #enter(command: readonly string[], env: Readonly<Record<string, string>>, input = ''): Done {
    const words = ['-t', `${this.#leader}`, '-m', '-u', '-i', '-n', '-p', '-w/', '--', ...command];
    const surroundings = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC', ...env };
    const { status, stdout, stderr } = spawnSync('nsenter', words, { env: surroundings, input, encoding: 'utf8' });
    return { exit: status, stdout, stderr };
  }
}

/** Waits until the machine has written into the pipe; false if it ended before, or takes too long. */
async function isRung(bell: string, starter: ChildProcess): Promise<boolean> {
  const listener = spawn('head', ['-n', '1', bell], { stdio: 'ignore', timeout: BOOT_MS });
  starter.once('exit', () => listener.kill());
  const [exit] = await once(listener, 'exit');
  return exit === 0;
}

/** The first process of the container that this one has started: the child that sees itself as 1. */
function leaderOf(starter: number): number | null {
  try {
    const children = fs.readFileSync(`/proc/${starter}/task/${starter}/children`, 'utf8').trim().split(' ');
    const isFirst = (pid: string) => /^NSpid:.*\s1$/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(children.find((pid) => pid !== '' && isFirst(pid))) || null;
  } catch {
    return null; // it has just gone
  }
}
