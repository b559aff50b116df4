import { type ChildProcess, spawn } from 'node:child_process';
import { childEnv, STEWARD, STEWARD_FLEET } from './child.ts';
import { cpuMs } from './proc.ts';

/** A real `steward run`, started for measuring. */
export interface Started {
  readonly pid: number;
  /** From exec until it said that it listens (ms), and the processor time that this took. */
  readonly ms: number;
  readonly cpu: number;
  /** All that it printed so far: a JSON object a line. */
  said(): string;
  /** Resolves once what it has said fits. */
  heard(fits: (said: string) => boolean): Promise<void>;
  /** Ends it in order; resolves to how long that took (ms). */
  stop(): Promise<number>;
  /** Ends it by SIGKILL. */
  kill(): Promise<void>;
}

/** How a program is started that listens at some time. */
interface Start {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** What it prints when it listens. */
  readonly ready: RegExp;
  /** A file that the child writes to as its descriptor 3. */
  readonly probe?: number;
}

/** Starts a real `steward run` on a vault, and waits until it listens. */
export function startDaemon(home: string, vault: string, more: NodeJS.ProcessEnv = {}): Promise<Started> {
  const env = childEnv(home, { STEWARD_LIVE_MODE: 'live', ...more });
  return startNode({ args: [STEWARD, 'run', '--log', 'json', '--vault', vault], env, ready: /"code":"started"/ });
}

/** Starts a real `steward run` on a folder of vaults, and waits until the first of them is served. */
export function startSeveral(home: string, folder: string): Promise<Started> {
  const env = childEnv(home, { STEWARD_LIVE_MODE: 'live' });
  return startNode({
    args: [STEWARD_FLEET, 'run', '--log', 'json', '--vaults', folder],
    env,
    ready: /"code":"started"/,
  });
}

/** Starts Node on a program, and waits until it says that it listens. */
export async function startNode({ args, env, ready, probe }: Start): Promise<Started> {
  const before = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit', probe ?? 'ignore'] });
  endWithUs(child);
  const output = new Output(child);
  await output.heard((said) => ready.test(said));
  const ms = performance.now() - before;
  const pid = child.pid ?? 0;
  return {
    ...{ pid, ms, cpu: cpuMs(pid), said: () => output.text, heard: (fits) => output.heard(fits) },
    stop: () => ended(child, 'SIGTERM'),
    kill: async () => void (await ended(child, 'SIGKILL')),
  };
}

/** A run that is broken off, or that failed in the middle, leaves no daemon behind. */
function endWithUs(child: ChildProcess): void {
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number> {
  const before = performance.now();
  if (child.exitCode === null && child.signalCode === null) {
    const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill(signal);
    await exit;
  }
  return performance.now() - before;
}

/** What a child has printed, and who waits for some of it. */
class Output {
  text = '';
  #waiting: {
    readonly fits: (said: string) => boolean;
    readonly resolve: () => void;
    readonly reject: (error: Error) => void;
  }[] = [];
  #hasEnded = false;

  constructor(child: ChildProcess) {
    child.stdout?.on('data', (chunk: Buffer) => {
      this.text += chunk.toString();
      const heard = this.#waiting.filter(({ fits }) => fits(this.text));
      this.#waiting = this.#waiting.filter((one) => !heard.includes(one));
      for (const { resolve } of heard) resolve();
    });
    child.once('exit', (code, signal) => {
      this.#hasEnded = true;
      for (const { reject } of this.#waiting) reject(new Error(`the child ended with ${code ?? signal}`));
    });
  }

  heard(fits: (said: string) => boolean): Promise<void> {
    if (fits(this.text)) return Promise.resolve();
    if (this.#hasEnded) return Promise.reject(new Error('the child has ended'));
    return new Promise((resolve, reject) => this.#waiting.push({ fits, resolve, reject }));
  }
}
