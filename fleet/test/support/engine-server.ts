import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { temporalBinary } from './temporal-binary.ts';

const START_WITHIN_MS = 60_000;

/** A real Temporal server on this machine alone, with its database in a folder; whoever starts it stops it. */
export class EngineServer {
  readonly address: string;
  readonly database: string;
  /** Everything that it says. */
  readonly log: string;
  readonly metrics: number;
  readonly #port: number;
  #process: ChildProcess | null = null;
  #connection: Connection | null = null;

  private constructor(folder: string, port: number, metrics: number) {
    this.#port = port;
    this.metrics = metrics;
    this.address = `127.0.0.1:${port}`;
    this.database = path.join(folder, 'engine.db');
    this.log = path.join(folder, 'engine.log');
  }

  /** Starts one in a folder, on free ports. Resolves when it serves. */
  static async start(folder: string): Promise<EngineServer> {
    const server = new EngineServer(folder, await freePort(), await freePort());
    await server.start();
    return server;
  }

  /** Starts it again after `kill`, with the database of before. Resolves when it serves. */
  async start(): Promise<void> {
    const log = fs.openSync(this.log, 'a');
    const words = ['server', 'start-dev', '--headless', '--ip', '127.0.0.1', '--port', `${this.#port}`];
    const more = ['--metrics-port', `${this.metrics}`, '--db-filename', this.database, '--log-level', 'warn'];
    this.#process = spawn(temporalBinary(), [...words, ...more], { stdio: ['ignore', log, log] });
    fs.closeSync(log);
    await this.#serving();
  }

  /** The process id; 0 where it does not run. */
  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  /** A client of it, for looking at what it holds. */
  client(): Client {
    this.#connection ??= Connection.lazy({ address: this.address });
    return new Client({ connection: this.#connection, identity: 'test' });
  }

  /** Ends it without warning. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const ended = this.#process;
    this.#process = null;
    if (ended === null || ended.exitCode !== null) return;
    const exit = once(ended, 'exit');
    ended.kill(signal);
    await exit;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection?.close();
    await this.kill();
  }

  async #serving(): Promise<void> {
    const deadline = Date.now() + START_WITHIN_MS;
    for (;;) {
      try {
        const connection = await Connection.connect({ address: this.address, connectTimeout: 1_000 });
        await connection.workflowService.describeNamespace({ namespace: 'default' });
        await connection.close();
        return;
      } catch (error) {
        const isOver = this.#process?.exitCode !== null || Date.now() > deadline;
        if (isOver) throw new Error(`no Temporal server: ${fs.readFileSync(this.log, 'utf8')}`, { cause: error });
        await pause(100);
      }
    }
  }
}

/**
 * Returns a port that nobody listens on now. Of those that the system gives to nobody by itself: a server that is started
 * again finds its port free.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = net.createServer();
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening');
    } catch {
      continue; // somebody has it
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
