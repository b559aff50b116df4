import { z } from 'zod';

const scripts = z.object({
  result: z.array(
    z.object({
      url: z.string(),
      functions: z.array(z.object({ functionName: z.string(), ranges: z.array(z.object({ count: z.number() })) })),
    }),
  ),
});

/** The functions that ran in a process, as `file function` pairs. */
export type Ran = ReadonlySet<string>;

/**
 * Returns which functions of `src` a V8 coverage report says have run, as `file#nth name`. A module's own top level, which runs
 * once when the file is loaded, isn't one of them.
 */
export function parseCoverage(report: unknown, src: string): Ran {
  const ran = new Set<string>();
  for (const { url, functions } of scripts.parse(report).result) {
    if (!url.startsWith(src)) continue;
    const file = url.slice(src.length);
    functions.forEach(({ functionName, ranges }, nth) => {
      if (nth > 0 && (ranges[0]?.count ?? 0) > 0) ran.add(`${file}#${functionName}`);
    });
  }
  return ran;
}

/** Returns the functions that ran and aren't in `idle`, by file, sorted. */
export function filesBeyond(ran: Ran, idle: Ran): ReadonlyMap<string, readonly string[]> {
  const beyond = [...ran].filter((one) => !idle.has(one)).sort();
  const byFile = Map.groupBy(beyond, (one) => one.slice(0, one.indexOf('#')));
  return new Map([...byFile].map(([file, all]) => [file, all.map((one) => one.slice(file.length + 1))]));
}

/** V8's profiler in a process that was started with `--inspect=0`. */
export class Profiler implements AsyncDisposable {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (result: unknown) => void>();
  #asked = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const reply = z.object({ id: z.number().optional(), result: z.unknown() }).parse(JSON.parse(String(data)));
      if (reply.id === undefined) return;
      this.#waiting.get(reply.id)?.(reply.result);
      this.#waiting.delete(reply.id);
    });
  }

  /** Connects to the address that Node prints (`ws://…`) and starts to count. */
  static async connect(address: string): Promise<Profiler> {
    const socket = new WebSocket(address);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve, { once: true });
      socket.addEventListener('error', reject, { once: true });
    });
    const profiler = new Profiler(socket);
    await profiler.#ask('Profiler.enable');
    await profiler.#ask('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    return profiler;
  }

  /** Returns what ran since the last call. */
  async take(src: string): Promise<Ran> {
    return parseCoverage(await this.#ask('Profiler.takePreciseCoverage'), src);
  }

  #ask(method: string, params: object = {}): Promise<unknown> {
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#socket.addEventListener('close', resolve, { once: true }));
    this.#socket.close();
    await closed;
  }
}
