/*
 * The longest block of the event loop in each part of a daemon's life, in a process of its own:
 * `node test/support/longest-block.ts VAULT [IDLE_SECONDS]` starts a daemon on a vault, has it sweep, leaves it idle, stops
 * it, and prints one line of JSON. Its own cache makes it a cached start; without `.steward/cache` it is a cold one.
 */
import fs from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { Daemon } from '../../src/daemon/daemon.ts';
import { readEnvironment } from '../../src/daemon/environment.ts';
import { runtimePaths } from '../../src/daemon/runtime-paths.ts';
import { ownTime } from './own-time.ts';

interface Part {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** The longest time in which nobody else had a turn, and of that, the time this thread itself worked. */
  readonly blockMs: number;
  readonly ownBlockMs: number;
}

async function lifeOf(root: string, idleSeconds: number) {
  const env = readEnvironment(process.env);
  const parts = { root, env, now: Date.now, emit: () => {} };
  let daemon: Daemon | undefined;
  const start = await measured(async () => {
    daemon = await Daemon.start(parts, runtimePaths(root, process.env));
  });
  const settled = await measured(async () => daemon?.idle());
  const sweep = await measured(async () => daemon?.sync());
  const rest = await spent(() => wait(idleSeconds * 1_000));
  const rssMb = residentMb();
  const stop = await measured(async () => daemon?.[Symbol.asyncDispose]());
  return { start, settled, sweep, rest, stop, rssMb };
}

// To look at the loop costs more than a daemon at rest.
async function spent(act: () => Promise<unknown> | undefined) {
  const cpu = process.cpuUsage();
  const since = performance.now();
  await act();
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs: Math.round(performance.now() - since), cpuMs: Math.round((user + system) / 1_000) };
}

async function measured(act: () => Promise<unknown> | undefined): Promise<Part> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const own = new OwnBlocks();
  delay.enable();
  await wait(5); // from the first beat on, blocks are seen
  const cost = await spent(act);
  await wait(5); // what the last turn held up is seen at the next
  delay.disable();
  return { ...cost, blockMs: Math.round(delay.max / 1e6), ownBlockMs: own.stop() };
}

/** The most that this thread works between two beats: on a busy machine the wall clock also counts the others' work. */
class OwnBlocks {
  #last = ownTime();
  #longest = 0;
  readonly #timer = setInterval(() => this.#beat(), 1);

  stop(): number {
    clearInterval(this.#timer);
    return Math.round(this.#longest);
  }

  #beat(): void {
    const now = ownTime();
    this.#longest = Math.max(this.#longest, now - this.#last);
    this.#last = now;
  }
}

function residentMb(): number {
  const [, kb = '0'] = /^VmRSS:\s+(\d+)/m.exec(fs.readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Math.round(Number(kb) / 1024);
}

const [vault = '', idle = '0'] = process.argv.slice(2);
console.log(JSON.stringify(await lifeOf(vault, Number(idle))));
