import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { commandHere } from './command-here.ts';

/** How a server is started. */
export interface Starting {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** What it prints goes there. */
  readonly output: string;
  /** Answers there once it is ready. */
  readonly port: number;
}

const READY_MS = 120_000;
const LOOK_MS = 20;
const GRACE_MS = 1500;

/** A server with all processes that it starts, which are one group and end together. */
export class ServerProcess {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Starts it, and waits until it answers. Throws, with what it printed, where it ends before that. */
  static async start({ command, args, cwd, output, port }: Starting): Promise<ServerProcess> {
    const to = fs.openSync(output, 'a');
    // Where the test itself is killed nobody stops the server: the kernel does, for whoever can ask it to.
    const guard = commandHere('setpriv');
    const [program = '', ...rest] = [...(guard === null ? [] : [guard, '--pdeathsig', 'KILL']), command, ...args];
    const child = spawn(program, rest, { cwd, detached: true, stdio: ['ignore', to, to] });
    fs.closeSync(to);
    const server = new ServerProcess(child);
    child.on('error', () => {});
    if (await server.#answers(port)) return server;
    await server.kill();
    throw new Error(`${command} does not answer:\n${fs.readFileSync(output, 'utf8').slice(-2000)}`);
  }

  /** Whether any of its processes is there. */
  get isRunning(): boolean {
    return this.#signal(0) && !(this.#hasEnded && onlyShells(this.#child.pid ?? 0));
  }

  /** It stands still: connections are taken by the kernel, and nobody answers. */
  freeze(): void {
    this.#signal('SIGSTOP');
  }

  thaw(): void {
    this.#signal('SIGCONT');
  }

  /** All of it is gone at once, as when the power fails. */
  async kill(): Promise<void> {
    this.#signal('SIGKILL');
    await this.#gone();
  }

  /** It is asked to end, and killed where it does not. */
  async stop(): Promise<void> {
    this.thaw();
    this.#signal('SIGTERM');
    const late = setTimeout(() => this.#signal('SIGKILL'), GRACE_MS);
    await this.#gone();
    clearTimeout(late);
  }

  #signal(signal: NodeJS.Signals | 0): boolean {
    const { pid } = this.#child;
    try {
      return pid !== undefined && process.kill(-pid, signal);
    } catch {
      return false;
    }
  }

  get #hasEnded(): boolean {
    return this.#child.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async #gone(): Promise<void> {
    if (!this.#hasEnded) await once(this.#child, 'exit');
    while (this.isRunning) await pause(LOOK_MS);
  }

  async #answers(port: number): Promise<boolean> {
    const until = Date.now() + READY_MS;
    while (!this.#hasEnded && Date.now() < until) {
      if (await answers(port)) return true;
      await pause(LOOK_MS);
    }
    return false;
  }
}

/** Returns a port of 127.0.0.1 that nobody listened on a moment ago, for servers that cannot choose one themselves. */
export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** Whether all that is left of a group has ended, and only waits for `init` to notice, which may take seconds. */
function onlyShells(group: number): boolean {
  const states = fs.existsSync('/proc/self/stat') ? fs.readdirSync('/proc').filter(isNumber).map(stateOf) : null;
  return states?.every((one) => one?.group !== group || one.state === 'Z') ?? false;
}

function stateOf(pid: string): { readonly state: string; readonly group: number } | null {
  try {
    const [state = '', , group] = fs
      .readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return { state, group: Number(group) };
  } catch {
    return null;
  }
}

function isNumber(name: string): boolean {
  return /^\d+$/.test(name);
}

async function answers(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
