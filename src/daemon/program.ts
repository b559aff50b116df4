import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A program that starts new processes as fast as old ones are ended is not followed for ever. */
const MOST_ROUNDS = 20;

/** Ends all processes of the group that a process leads. Ignores a missing group. */
function endGroup(leader: number | undefined, signal: NodeJS.Signals): void {
  if (leader !== undefined) end(-leader, signal);
}

/**
 * Ends what a program left behind, also outside its group: each process that still has the variable (`NAME=value`) in its
 * environment that it alone was started with.
 */
export async function endLeftOver(variable: string): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const left = processesWith(variable);
    if (left.length === 0) return;
    for (const pid of left) end(pid, 'SIGKILL');
    await nextTurn();
  }
}

function processesWith(variable: string): readonly number[] {
  const all = listed('/proc').filter((name) => /^\d+$/.test(name));
  return all.filter((pid) => environmentOf(pid).includes(variable)).map(Number);
}

function environmentOf(pid: string): readonly string[] {
  try {
    return fs.readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
  } catch {
    return []; // gone, or somebody else's
  }
}

function listed(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return []; // no such system
  }
}

function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

/**
 * The shell sets the limits, since only a process can give them to itself: processor time, no core file, and the size
 * of a file that it writes. If the system can do that, the program ends with whoever started it.
 */
const LIMITED = [
  'umask 077; ulimit -t "$1"; ulimit -c 0; ulimit -f "$2"; shift 2',
  'if setpriv --pdeathsig KILL true 2>/dev/null; then exec setpriv --pdeathsig KILL -- "$@"; fi',
  'exec "$@"',
].join('\n');
/** 256 MiB, in the blocks of 512 bytes that a shell counts in. */
const FILE_BLOCKS = '524288';
/** What it printed before its end is read for so long; nobody is left by then who could print more. */
const DRAIN_MS = 2000;

/** Which program is run, and what it may take. */
interface Program {
  /** The program's absolute path, and its arguments. */
  readonly argv: readonly string[];
  /** All of its environment, but for the folder that it is given. */
  readonly environment: Readonly<Record<string, string>>;
  /** After so long it is asked to end, and after `graceMs` more it is ended. */
  readonly limitMs: number;
  readonly graceMs: number;
  readonly maxBytes: number;
  /** Its input; empty if absent. */
  readonly input?: string;
}

export type ProgramEnd =
  | { readonly how: 'exit'; readonly code: number }
  | { readonly how: 'signal'; readonly signal: string }
  /** It was ended, since it ran for too long, printed too much, or printed unwanted output. */
  | { readonly how: 'late' | 'flood' | 'rubbish' };

/** Takes what a program prints. Returns whether it is to go on. */
type Print = (bytes: Uint8Array) => boolean;

/**
 * Runs a program in a fresh folder that is removed afterwards, with no more around it than it is given, and hands over what
 * it prints. When it resolves nothing of it is left running. Rejects with the signal's reason where it is aborted.
 */
export async function runProgram(program: Program, print: Print, abort: AbortSignal): Promise<ProgramEnd> {
  abort.throwIfAborted();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'steward-command-'));
  try {
    const ended = await endOf(started(program, folder), program, print, abort);
    abort.throwIfAborted();
    return ended;
  } finally {
    await endLeftOver(`TMPDIR=${folder}`);
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function started({ argv, environment, limitMs, input }: Program, folder: string): ChildProcess {
  const seconds = String(Math.ceil(limitMs / 1000));
  // In a group of its own, which is ended as a whole.
  const options: SpawnOptions = {
    cwd: folder,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'ignore'],
    detached: true,
  };
  // The folder is also what a process that has left the group is known by.
  const env = { ...environment, TMPDIR: folder, PWD: folder };
  const child = spawn('/bin/sh', ['-c', LIMITED, 'sh', seconds, FILE_BLOCKS, ...argv], { ...options, env });
  child.stdin?.on('error', () => undefined); // it may end without having read it
  child.stdin?.end(input);
  return child;
}

function endOf(
  child: ChildProcess,
  { limitMs, graceMs, maxBytes }: Program,
  print: Print,
  abort: AbortSignal,
): Promise<ProgramEnd> {
  const { promise, resolve, reject } = Promise.withResolvers<ProgramEnd>();
  let early: 'late' | 'flood' | 'rubbish' | null = null;
  let size = 0;
  const kill = () => endGroup(child.pid, 'SIGKILL');
  const stopFor = (why: 'flood' | 'rubbish') => {
    early ??= why;
    child.stdout?.removeAllListeners('data').resume();
    kill();
  };
  const askToEnd = setTimeout(() => {
    early = 'late';
    endGroup(child.pid, 'SIGTERM');
  }, limitMs);
  const end = setTimeout(kill, limitMs + graceMs);
  child.stdout?.on('data', (bytes: Uint8Array) => {
    size += bytes.length;
    if (size > maxBytes) stopFor('flood');
    else if (!print(bytes)) stopFor('rubbish');
  });
  let drained: NodeJS.Timeout | undefined;
  abort.addEventListener('abort', kill, { once: true });
  child.once('error', reject);
  child.once('exit', () => {
    // Processes that it started and left behind end with it, so that its output is closed.
    kill();
    drained = setTimeout(() => child.stdout?.destroy(), DRAIN_MS);
  });
  child.once('close', (code, signal) => resolve(early === null ? endingOf(code, signal) : { how: early }));
  return promise.finally(() => {
    for (const timer of [askToEnd, end, drained]) clearTimeout(timer);
    abort.removeEventListener('abort', kill);
  });
}

function endingOf(code: number | null, signal: NodeJS.Signals | null): ProgramEnd {
  return code === null ? { how: 'signal', signal: signal ?? 'none' } : { how: 'exit', code };
}
