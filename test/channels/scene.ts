import net from 'node:net';
import { onTestFinished } from 'vitest';
import type { LinkPlace, NotifyAccess } from '../../src/channels/channel.ts';
import type { Environment } from '../../src/daemon/environment.ts';
import { NtfyServer, type Published } from '../servers/ntfy-server.ts';
import { Clock, MINUTE } from '../support/clock.ts';
import { HOUSE, settings } from '../support/notes.ts';
import { Running } from '../support/running.ts';
import { type Files, TempVault } from '../support/temp-vault.ts';
import { LIVE } from '../support/workspace.ts';

export const NOBODY: NotifyAccess = { ntfy: null, desktop: false, command: null, quotes: false, links: null };

interface SceneParts {
  readonly files?: Files;
  readonly keys?: Readonly<Record<string, unknown>>;
  readonly access?: Partial<NotifyAccess>;
  readonly env?: Environment;
  readonly clock?: Clock;
}

/** A vault whose daemon tells a person by an ntfy server on loopback. */
export class Scene {
  readonly vault: TempVault;
  readonly ntfy: NtfyServer;
  readonly clock: Clock;
  readonly env: Environment;
  #running: Running | null = null;

  private constructor(vault: TempVault, ntfy: NtfyServer, clock: Clock, env: Environment) {
    this.vault = vault;
    this.ntfy = ntfy;
    this.clock = clock;
    this.env = env;
  }

  /** At no hour is it quiet, unless the keys say so: tests run at any hour. */
  static async open({
    files = {},
    keys = {},
    access = {},
    env = LIVE,
    clock = new Clock(),
  }: SceneParts = {}): Promise<Scene> {
    const ntfy = await NtfyServer.start();
    onTestFinished(() => ntfy.close());
    const page = settings({ settle_seconds: 0, notify_quiet_hours: 'none', notify_digest_at: 'never', ...keys });
    const vault = new TempVault({ ...HOUSE, 'steward.md': page, ...files });
    const topic = { server: `${ntfy.url}/`, topic: 'ada-4711', token: null };
    const notify = { ...NOBODY, ntfy: topic, ...access };
    const scene = new Scene(vault, ntfy, clock, { ...env, notify });
    await scene.start();
    return scene;
  }

  get running(): Running {
    if (this.#running === null) throw new Error('no daemon runs');
    return this.#running;
  }

  get messages(): readonly Published[] {
    return this.ntfy.messages;
  }

  async start(): Promise<void> {
    this.#running = await Running.start(this.vault, { env: this.env, clock: this.clock });
  }

  async stop(): Promise<void> {
    await this.#running?.stop();
    this.#running = null;
  }

  /** Lets time pass, and everything happen that follows from it. */
  async pass(ms = MINUTE): Promise<void> {
    this.clock.move(ms);
    await this.running.daemon.wake();
    await this.running.daemon.idle();
    await this.running.daemon.idle();
  }

  /** Lets time pass until something holds: a busy machine takes a look later than an idle one. */
  async until(holds: () => boolean, ms = MINUTE): Promise<void> {
    for (let tries = 0; tries < 30 && !holds(); tries += 1) await this.pass(ms);
    if (!holds()) throw new Error(`it does not hold after 30 times ${ms} ms: ${JSON.stringify(this.messages)}`);
  }

  /** Lets time pass until so many messages have come. */
  async said(number: number): Promise<void> {
    await this.until(() => this.messages.length >= number);
  }

  /** Puts a note into the vault; the daemon has seen it when this resolves. */
  async put(file: string, text: string): Promise<void> {
    this.vault.write(file, text);
    await this.running.sync();
    await this.running.sync();
  }
}

/** A port of this machine that nobody listens at, and where buttons are answered there. */
export async function freePlace(): Promise<LinkPlace> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  await new Promise((resolve) => server.close(resolve));
  return { host: '127.0.0.1', port, base: `http://127.0.0.1:${port}` };
}
