import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { Sandbox } from '../stories/support.ts';

const PROJECT = path.resolve(import.meta.dirname, '..', '..');
/** Neither packed nor needed to pack; `node_modules` is linked to. */
const NOT_COPIED = ['.git', 'dist', 'node_modules', 'fleet'].map((name) => path.join(PROJECT, name));
const NETWORK_ERROR = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH/;
const { STATE_DIRECTORY: _state, STEWARD_VAULT: _vault, XDG_STATE_HOME: _home, ...given } = process.env;

const packed = z.object({
  filename: z.string(),
  size: z.number(),
  unpackedSize: z.number(),
  files: z.array(z.object({ path: z.string() })),
});

/** What `npm pack` reports of the package. */
export type Pack = z.infer<typeof packed>;

/** How a command of npm or of the installed program ended. */
interface Result {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The package as a person has it: packed, and installed globally into an empty prefix with no checkout nearby. */
export class Installation implements Disposable {
  /** Has a space in its name, as folders of people do. */
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'steward package '));
  readonly prefix = path.join(this.folder, 'prefix');
  readonly env: NodeJS.ProcessEnv = {
    ...given,
    PATH: `${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: this.folder,
    npm_config_cache: path.join(os.homedir(), '.npm'),
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
  readonly pack: Pack;
  /** Why nothing is installed: the registry cannot be reached, and npm's cache doesn't have the packages. */
  readonly isOffline: boolean;
  readonly #log = path.join(this.folder, 'commands');

  constructor() {
    try {
      this.pack = this.#pack();
      this.isOffline = !this.#install();
      fs.writeFileSync(this.#log, '');
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  /** The folder of the installed package. */
  get place(): string {
    return path.join(this.prefix, 'lib', 'node_modules', 'vault-steward');
  }

  /** The installed command. */
  get program(): string {
    return path.join(this.prefix, 'bin', 'steward');
  }

  /** Runs a program to its end in the folder of the installation. */
  run(program: string, ...words: readonly string[]): Result {
    return spawnSync(program, words, { cwd: this.folder, env: this.env, encoding: 'utf8', timeout: 120_000 });
  }

  /** Returns a sandbox with the installed `steward` on its path. What is run there is written down. */
  sandbox(vault: 'example' | 'none'): Sandbox {
    return new Sandbox(vault, {
      steward: `printf '%s\\n' "$*" >> '${this.#log}'\nexec '${this.program}' "$@"`,
      // The installed program is started by its first line: by the `node` on the path.
      node: `exec '${process.execPath}' "$@"`,
    });
  }

  /** Returns the names of all commands of its man page, as `undo` and `source add`. */
  findCommands(): readonly string[] {
    const page = fs.readFileSync(path.join(this.place, 'dist', 'steward.1'), 'utf8');
    return [...page.matchAll(/^\.SS steward ([a-z ]*[a-z])/gm)].map(([, name = '']) => name);
  }

  /** The words of every `steward` that was run in a sandbox. */
  commands(): readonly string[] {
    return fs.readFileSync(this.#log, 'utf8').split('\n');
  }

  [Symbol.dispose](): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  // In a copy: `npm pack` builds, and other tests run what is built here meanwhile.
  #pack(): Pack {
    const copy = path.join(this.folder, 'checkout');
    fs.cpSync(PROJECT, copy, { recursive: true, filter: (file) => !NOT_COPIED.includes(file) });
    copyModules(path.join(PROJECT, 'node_modules'), path.join(copy, 'node_modules'));
    const words = ['pack', '--json', '--foreground-scripts=false', '--pack-destination', this.folder];
    const { status, stdout, stderr } = spawnSync('npm', words, { cwd: copy, env: this.env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`The package cannot be packed:\n${stdout}${stderr}`);
    fs.rmSync(copy, { recursive: true });
    const report: unknown = JSON.parse(stdout);
    // npm 11 prints a list, and others an object by the name of the package.
    return z.tuple([packed]).parse(Array.isArray(report) ? report : Object.values(report ?? {}))[0];
  }

  /** Returns false if the registry cannot be reached. Throws if it is there and the package cannot be installed all the same. */
  #install(): boolean {
    const { status, stderr } = this.run('npm', 'install', '-g', '--prefix', this.prefix, `./${this.pack.filename}`);
    if (status === 0) return true;
    if (NETWORK_ERROR.test(stderr) && this.run('npm', 'ping').status !== 0) return false;
    throw new Error(`The package cannot be installed:\n${stderr}`);
  }
}

// As hard links, where the file system has them: the bundle names the files of packages relative to the copy.
function copyModules(from: string, to: string): void {
  if (spawnSync('cp', ['-al', from, to]).status === 0) return;
  fs.rmSync(to, { recursive: true, force: true });
  fs.cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}
