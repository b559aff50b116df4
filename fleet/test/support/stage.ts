import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { EngineServer } from './engine-server.ts';
import { FleetVault } from './fleet-vault.ts';
import { HostProcess } from './host-process.ts';

/** A server, hosts and vaults in one temporary folder; all are gone when it is disposed of. */
export class Stage implements AsyncDisposable {
  readonly folder: string;
  readonly server: EngineServer;
  readonly #hosts: HostProcess[] = [];

  private constructor(folder: string, server: EngineServer) {
    this.folder = folder;
    this.server = server;
  }

  static async open(): Promise<Stage> {
    // Short, since the path of a socket may have only a hundred bytes.
    const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'vf-')));
    return new Stage(folder, await EngineServer.start(folder));
  }

  /** Returns a host of this name, not started yet. It has a state folder of its own. */
  host(name: string, env: NodeJS.ProcessEnv = {}, wrapper: readonly string[] = []): HostProcess {
    const host = new HostProcess(path.join(this.folder, name), this.server.address, env, wrapper);
    this.#hosts.push(host);
    return host;
  }

  /** Makes a small vault of this name. */
  vault(name: string, making: Parameters<typeof FleetVault.make>[1] = {}): FleetVault {
    return FleetVault.make(path.join(this.folder, 'vaults', name), making);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const host of this.#hosts) await host[Symbol.asyncDispose]();
    await this.server[Symbol.asyncDispose]();
    if (!process.env.KEEP_STAGE) fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Whether a server can be started here; the setup has said so where it cannot. */
export const HAS_SERVER = process.env.FLEET_HAS_SERVER === '1';
/** Whether a process can be given a machine's name of its own here. */
export const HAS_NAMES = process.platform === 'linux' && process.getuid?.() === 0;

/** Words that start a program on what it takes for a machine of this name. */
export function onMachine(name: string): string[] {
  return ['unshare', '--uts', 'sh', '-c', `hostname ${name}; exec "$0" "$@"`];
}
