import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import process from 'node:process';
import { GCProfiler, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { loadSystemCalls, type SystemCalls } from '../vault/disk/system-calls.ts';

/** How often it is looked whether there is memory to be released. */
const LOOK_MS = 5_000;
/** So much more of a heap than is in use is worth a collection. */
const WORTH_BYTES = 24 * 1024 * 1024;
/** Busier than that (share of the time), there is work under way, and V8 collects by itself. */
const BUSY = 0.3;
/** A release itself and the ticks of an idle daemon take less than that. */
const QUIET = 0.1;
/** Where it is never quiet, as with a thousand vaults, it is released this seldom (ms): each time costs a collection. */
const UNQUIET_MS = 5 * 60_000;
/** V8 begins to mark, step by step, where so much was taken outside its heap since the last collection: 64 MiB. */
const BEGINS_MARKING_BYTES = 80 * 1024 * 1024;
/** By then what was begun is collected, and what returns the allocator's memory is loaded. */
const COLLECTED_MS = 4_000;
/** Then that memory is returned. */
const RETURNED_MS = 6_000;
/** A release that begins so soon (ms) after another follows it up: at the next look. */
const FOLLOWS_MS = 2 * LOOK_MS;

/**
 * Frees the memory that the start took, as soon as it is quiet, and later what a burst of work or a sweep took, when it is
 * over. Reading ten thousand notes leaves a heap of 200 MB of which 40 are in use, and V8 collects nothing while nothing
 * more is taken. So V8 is made to collect, and told meanwhile that size counts: else it keeps the room of its youngest
 * objects, and a pool of pages that it counts nowhere. All of that goes step by step: a collection that is asked for stops
 * the program for as long as it takes. What the bytes of the notes took lies outside the heap, and the allocator returns none
 * of it unasked.
 */
export function releaseMemoryWhenIdle(): void {
  const memory = new Memory();
  setInterval(() => memory.look(), LOOK_MS).unref();
}

/** The heap in a release (bytes): what each collection left in use, and at its end what is in use and what there is. */
interface Measured {
  readonly left: readonly number[];
  readonly used: number;
  readonly size: number;
  readonly isFollowUp: boolean;
}

/** A release under way. */
interface Release {
  /** Whether it follows up another. */
  readonly isFollowUp: boolean;
  readonly collections: GCProfiler;
  /** What makes V8 begin to mark. It is held, for the bundler leaves out what nobody holds. */
  reserved: ArrayBuffer | null;
}

class Memory {
  /** What of the heap is taken to be in use since the last release. */
  #inUse = 0;
  #release: Release | null = null;
  /** When the last release ended (ms, of the clock that nobody sets). */
  #endedAt = Number.NEGATIVE_INFINITY;
  /** While it is not quiet, nothing is released before this moment (ms, of the same clock). */
  #notBefore = 0;
  #since: EventLoopUtilization = performance.eventLoopUtilization();
  #system: SystemCalls | null | undefined;

  look(): void {
    const busy = performance.eventLoopUtilization(this.#since).utilization;
    this.#since = performance.eventLoopUtilization();
    if (this.#release !== null || busy > BUSY || (busy > QUIET && performance.now() < this.#notBefore)) return;
    if (getHeapStatistics().total_heap_size - this.#inUse >= WORTH_BYTES) this.#begin();
  }

  #begin(): void {
    const collections = new GCProfiler();
    collections.start();
    setFlagsFromString('--optimize-for-size');
    const isFollowUp = performance.now() - this.#endedAt < FOLLOWS_MS;
    const release: Release = { isFollowUp, collections, reserved: reserve() };
    this.#release = release;
    setTimeout(() => this.#collected(release), COLLECTED_MS).unref();
    setTimeout(() => this.#end(release), RETURNED_MS).unref();
  }

  // To load takes 30 ms: in a turn of its own.
  #collected(release: Release): void {
    release.reserved = null;
    setFlagsFromString('--no-optimize-for-size');
    if (this.#system === undefined) this.#system = loadSystemCalls();
  }

  #end({ isFollowUp, collections }: Release): void {
    this.#system?.returnMemory();
    const left = collections.stop().statistics.map(({ afterGC }) => afterGC.heapStatistics.usedHeapSize);
    const { used_heap_size: used, total_heap_size: size } = getHeapStatistics();
    this.#inUse = inUse({ left, used, size, isFollowUp });
    this.#endedAt = performance.now();
    this.#notBefore = this.#endedAt + UNQUIET_MS;
    this.#release = null;
  }
}

/**
 * Returns how many bytes of the heap are taken to be in use after a release.
 * What was made meanwhile may be garbage, as where the cache was saved: the least counts, and where there is much beyond
 * it, a second release follows. After that one all that there is counts, so that no third comes for the same.
 */
export function inUse({ left, used, size, isFollowUp }: Measured): number {
  return isFollowUp ? size : Math.min(used, ...left);
}

// Memory that nobody touches is none of the machine's: it only counts.
function reserve(): ArrayBuffer | null {
  try {
    return new ArrayBuffer(BEGINS_MARKING_BYTES);
  } catch {
    return null; // a system that promises no more than it has: then V8 collects when it must
  }
}

/** Resolves when this process is asked to stop: by SIGTERM, SIGINT or SIGHUP. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
    process.once('SIGHUP', () => resolve()); // Node undoes what nohup asks for, so this is the end either way
  });
}

/** Reports the state of the service to systemd; does nothing where systemd did not start it. */
interface Notifier {
  readonly ready: (status: string) => void;
  /** Says how things stand, in a line that `systemctl status` shows. */
  readonly status: (status: string) => void;
  readonly stopping: () => void;
  /** Starts the watchdog pings, which stop when the event loop is blocked. Returns the function that ends them. */
  readonly watchdog: () => () => void;
}

/** Returns the notifier for this process, by `$NOTIFY_SOCKET` and `$WATCHDOG_USEC`. */
export function notifier(env: NodeJS.ProcessEnv): Notifier {
  const send = env.NOTIFY_SOCKET === undefined ? () => {} : sender();
  return {
    ready: (status) => send(`READY=1\nSTATUS=${status}`),
    status: (status) => send(`STATUS=${status}`),
    stopping: () => send('STOPPING=1'),
    watchdog: () => {
      const usec = Number(env.WATCHDOG_USEC);
      if (!Number.isFinite(usec) || usec <= 0) return () => {};
      // Half of the time systemd allows, as sd_watchdog_enabled(3) advises.
      const timer = setInterval(() => send('WATCHDOG=1'), usec / 2000);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
}

// Node has no unix datagram sockets: libsystemd sends for it, or else the command that comes with systemd, which a unit has to
// let speak (NotifyAccess=all).
function sender(): (state: string) => void {
  try {
    const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi');
    const notify = koffi.load('libsystemd.so.0').func('int sd_notify(int, const char *)');
    return (state) => void notify(0, state);
  } catch {
    return (state) => {
      const child = spawn('systemd-notify', state.split('\n'), { stdio: 'ignore' });
      child.on('error', () => {}); // neither exists: systemd will report that it heard nothing
    };
  }
}

/**
 * Resolves once a signal is aborted. Without `node:events`, which the command table has loaded for itself: what `run` would
 * share with it would be one file more to find for every command.
 */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** What ends a program from outside, and the exit codes by which shells know it. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * While it is held, a signal ends the process in order: a closed terminal, Ctrl-C or a shutdown lets `last` have its say
 * first, which must not wait for anything. Work in steps that are whole is never cut within one.
 */
export class Ending implements Disposable {
  readonly #last: () => void;
  readonly #listeners = Object.entries(SIGNALS).map(([signal, code]) => [signal, () => process.exit(code)] as const);

  constructor(last: () => void) {
    this.#last = last;
    process.once('exit', last);
    for (const [signal, listener] of this.#listeners) process.on(signal, listener);
  }

  [Symbol.dispose](): void {
    process.off('exit', this.#last);
    for (const [signal, listener] of this.#listeners) process.off(signal, listener);
  }
}

/** A binary heap: the smallest item first, by the given order. */
export class Heap<Item> {
  readonly #items: Item[] = [];
  readonly #order: (a: Item, b: Item) => number;

  constructor(order: (a: Item, b: Item) => number) {
    this.#order = order;
  }

  /** How many items there are. */
  get size(): number {
    return this.#items.length;
  }

  /** Returns the smallest item and leaves it in. */
  peek(): Item | undefined {
    return this.#items[0];
  }

  /** Adds an item. */
  push(item: Item): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#less(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  /** Takes the smallest item out and returns it. */
  pop(): Item | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (items.length > 0 && last !== undefined) {
      items[0] = last;
      this.#sink();
    }
    return top;
  }

  #sink(): void {
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let least = at;
      if (this.#less(left, least)) least = left;
      if (this.#less(right, least)) least = right;
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #less(a: number, b: number): boolean {
    const [one, other] = [this.#items[a], this.#items[b]];
    return one !== undefined && other !== undefined && this.#order(one, other) < 0;
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#items[a], this.#items[b]];
    if (one === undefined || other === undefined) return;
    this.#items[a] = other;
    this.#items[b] = one;
  }
}
