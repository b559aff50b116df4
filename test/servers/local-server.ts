import fs from 'node:fs';
import path from 'node:path';
import type { ServerProcess } from './server-process.ts';

/** The user that every server has unless others are named, and the password. */
export const USER = 'ada';
export const PASSWORD = 'plainly-made-up-4711';

/** A server on loopback, in a folder of its own, as whoever runs the test. */
export abstract class LocalServer {
  readonly folder: string;
  #process: ServerProcess;

  protected constructor(folder: string, running: ServerProcess) {
    this.folder = folder;
    this.#process = running;
  }

  /** Starts what is to run on the same ports, with what lies in the folder. */
  protected abstract run(): Promise<ServerProcess>;

  get isRunning(): boolean {
    return this.#process.isRunning;
  }

  /** What it has written into its log. */
  log(): string {
    return fs.readFileSync(path.join(this.folder, 'log'), 'utf8');
  }

  freeze(): void {
    this.#process.freeze();
  }

  thaw(): void {
    this.#process.thaw();
  }

  /** Ends it at once, as when the power fails. */
  async kill(): Promise<void> {
    await this.#process.kill();
  }

  /** Ends it in an orderly way; what it keeps stays. */
  async halt(): Promise<void> {
    await this.#process.stop();
  }

  /** Starts it again on the same ports, with what it kept. */
  async again(): Promise<void> {
    if (this.isRunning) await this.halt();
    this.#process = await this.run();
  }

  /** Ends it, and nothing of it is left. */
  async stop(): Promise<void> {
    await this.#process.stop();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}
