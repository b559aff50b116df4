import { fork, spawnSync } from 'node:child_process';
import path from 'node:path';
import { withTestKey } from '../../support/temp-vault.ts';

const BENCH = path.join(import.meta.dirname, '..');
export const STEWARD = path.join(BENCH, '..', '..', 'bin', 'steward.js');
/** Keeps several vaults in one process. */
export const STEWARD_FLEET = path.join(BENCH, '..', '..', 'fleet', 'bin', 'steward-fleet.js');

/** Returns a child's environment: homes of its own with the key of the tests, and no extra certificates, which cost every Node 20 ms. */
export function childEnv(home: string, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, STEWARD_VAULT: ___, ...env } = process.env;
  const state = path.join(home, 'state');
  withTestKey(state);
  return { ...env, XDG_RUNTIME_DIR: path.join(home, 'run'), XDG_STATE_HOME: state, ...more };
}

/** Runs a script of the bench to its end and returns what it printed, parsed as JSON. */
export function child<Result>(home: string, script: string, ...args: readonly string[]): Result {
  const { stdout, stderr, status } = spawnSync(process.execPath, [path.join(BENCH, script), ...args], {
    env: childEnv(home, { STEWARD_LIVE_MODE: 'live' }),
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (status !== 0) throw new Error(`${script} ${args.join(' ')} failed:\n${stderr}`);
  return JSON.parse(stdout) as Result; // printed by our own script
}

/** Returns how long `node` takes from start to end, in ms. Throws where its exit code is not `exit`. */
export function processMs(home: string, args: readonly string[], exit = 0): number {
  return ran(home, process.execPath, args, exit).ms;
}

/** Runs a program to its end, and returns what it printed and how long it took (ms). Throws where its exit code is not `exit`. */
export function ran(
  home: string,
  program: string,
  args: readonly string[],
  exit = 0,
): { readonly ms: number; readonly said: string } {
  const before = performance.now();
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    env: childEnv(home),
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const ms = performance.now() - before;
  if (error !== undefined) throw error;
  if (status !== exit) throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stderr}`);
  return { ms, said: stdout };
}

/** Whether a program is installed. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** A script of the bench that does one thing each time it is asked, and says how long that took. */
export interface Helper {
  ask(what: string): Promise<number>;
  end(): Promise<void>;
}

/** Starts a script that answers each message with a figure, and says once that it is ready. */
export async function helper(home: string, script: string, ...args: readonly string[]): Promise<Helper> {
  const process = fork(path.join(BENCH, script), args, { env: childEnv(home, { STEWARD_LIVE_MODE: 'live' }) });
  const said = () =>
    new Promise<unknown>((resolve, reject) => {
      const ended = (code: number | null) => reject(new Error(`${script} ended with ${code}`));
      process.once('exit', ended);
      process.once('message', (message) => {
        process.off('exit', ended);
        resolve(message);
      });
    });
  await said();
  return {
    ask: async (what) => {
      const answer = said();
      process.send(what);
      return Number(await answer);
    },
    end: () =>
      new Promise((resolve) => {
        process.once('exit', () => resolve());
        process.disconnect();
      }),
  };
}
