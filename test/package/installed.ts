import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from '../stories/support.ts';

const execute = promisify(execFile);
const PROJECT = path.resolve(import.meta.dirname, '../..');
const UNREACHABLE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH/;

/** The package, packed and installed globally into a prefix where nothing else is. Do not change what is in it: others use it. */
export interface InstalledPackage {
  readonly prefix: string;
  /** The folder of the command, for a path. */
  readonly bin: string;
  /** An environment with that folder and this Node on its path, and no settings of the program. */
  readonly env: NodeJS.ProcessEnv;
}

/** Packs and installs the package, once for each state of it, or returns null if the registry cannot be reached. */
export async function installedPackage(): Promise<InstalledPackage | null> {
  build();
  const place = path.join(os.tmpdir(), `steward-installed-${hash([PROJECT])}`);
  const folder = path.join(place, hash(packedFiles().map((file) => fs.readFileSync(file))));
  const prefix = path.join(folder, 'prefix');
  const env = plainEnvironment(path.join(prefix, 'bin'));
  const script = `[ -f '${folder}/done' ] && exit
    rm -rf '${place}'/*/ && mkdir -p '${folder}' &&
    npm pack --ignore-scripts --silent --pack-destination '${folder}' &&
    npm install -g --prefix '${prefix}' --no-audit --no-fund --prefer-offline --ignore-scripts '${folder}'/*.tgz &&
    touch '${folder}/done'`;
  try {
    await execute('flock', [`${place}.lock`, 'sh', '-c', script], { cwd: PROJECT, env });
  } catch (error) {
    if (UNREACHABLE.test(String(error))) return null;
    throw error;
  }
  return { prefix, bin: path.join(prefix, 'bin'), env };
}

function plainEnvironment(bin: string): NodeJS.ProcessEnv {
  const own = /^(STEWARD_|ANTHROPIC_|XDG_|STATE_DIRECTORY|CREDENTIALS_DIRECTORY|INVOCATION_ID|JOURNAL_STREAM|npm_)/;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
  return {
    ...env,
    PATH: `${bin}:${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    npm_config_cache: path.join(os.homedir(), '.npm'),
  };
}

/** Returns what decides about the content of the package and of what is installed with it. */
function packedFiles(): string[] {
  const folders = ['bin', 'dist', 'docs', 'systemd', 'template', 'vault-example'].flatMap((folder) =>
    fs
      .readdirSync(path.join(PROJECT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.map'))
      .filter((entry) => !entry.parentPath.includes(path.join('docs', 'pictures')))
      .map((entry) => path.join(entry.parentPath, entry.name)),
  );
  const files = ['package.json', 'package-lock.json', 'README.md'].map((file) => path.join(PROJECT, file));
  return [...folders, ...files].toSorted();
}

function hash(parts: readonly (string | Buffer)[]): string {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(part).update('\0');
  return sum.digest('hex').slice(0, 12);
}
