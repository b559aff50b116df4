import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { DriverProgram } from './bundle.ts';

/**
 * The commit that stands for the previous release. It becomes the last tag once there is one. Until then it is an earlier
 * commit, whose files this version has to read.
 */
const PREVIOUS = '37096170dc04aada0aa43533be8bc9ba449a10e3';

const REPOSITORY = path.join(import.meta.dirname, '../..');
const MAX_ARCHIVE_BYTES = 512 * 1024 * 1024;

/** Whether the previous release can be built: a shallow clone, or a package without git, doesn't hold its commit. */
export function hasPrevious(): boolean {
  const { status } = spawnSync('git', ['cat-file', '-e', `${PREVIOUS}^{commit}`], { cwd: REPOSITORY });
  return status === 0;
}

/** Why no update is walked, for a person to read. */
export const NO_PREVIOUS = `NO HISTORY: git does not have commit ${PREVIOUS.slice(0, 8)} (a shallow clone?), so no update from the previous release is walked. \`git fetch --unshallow\` fetches it.`;

/** The driver of the previous release, bundled by its own script from its own source. */
export class PreviousBundle implements DriverProgram, Disposable {
  readonly script: string;
  readonly env: NodeJS.ProcessEnv;
  readonly #folders: readonly string[];

  private constructor(source: string, bundle: string) {
    this.script = path.join(bundle, 'driver.js');
    this.env = { ...process.env, NODE_COMPILE_CACHE: path.join(bundle, 'compiled') };
    this.#folders = [source, bundle];
  }

  /** Builds it in a temporary folder, with the packages of this checkout. */
  static make(): PreviousBundle {
    const source = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'vs-previous-')));
    const archive = execFileSync('git', ['archive', PREVIOUS, 'src', 'test', 'package.json'], {
      cwd: REPOSITORY,
      maxBuffer: MAX_ARCHIVE_BYTES,
    });
    execFileSync('tar', ['x', '-C', source], { input: archive });
    fs.symlinkSync(path.join(REPOSITORY, 'node_modules'), path.join(source, 'node_modules'));
    const build = `const { DriverBundle } = await import('./test/crash/bundle.ts'); console.log((await DriverBundle.make()).folder);`;
    const args = ['--input-type=module', '-e', build];
    const bundle = execFileSync(process.execPath, args, { cwd: source, encoding: 'utf8' }).trim();
    return new PreviousBundle(source, bundle);
  }

  [Symbol.dispose](): void {
    for (const folder of this.#folders) fs.rmSync(folder, { recursive: true, force: true });
  }
}
