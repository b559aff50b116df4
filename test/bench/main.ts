// `npm run bench`: the project's figures, each compared with a floor from the same run. docs/dev/performance.md says what they mean.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { shownOf, written } from './figures/page.ts';
import type { Report } from './figures/report.ts';
import type { Row } from './figures/row.ts';
import { tableLines } from './figures/table.ts';
import { MEASURES } from './measures.ts';
import { HELP, type Options, optionsOf } from './options.ts';
import { fileSystemOf, progress, withFolder } from './processes/folder.ts';
import { type Bench, Vaults } from './vaults.ts';

const PROJECT = path.join(import.meta.dirname, '..', '..');
/** EX_USAGE of sysexits(3). */
const USAGE = 64;

const options = asked();
if (options?.isList === true) list(options);
else if (options !== null) await run(options);

function asked(): Options | null {
  try {
    return optionsOf(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error(HELP);
    process.exitCode = USAGE;
    return null;
  }
}

function list({ isJson }: Options): void {
  const measures = MEASURES.map(({ name, what, size }) => ({ name, what, size }));
  if (isJson) console.log(JSON.stringify({ schemaVersion: 1, measures }, null, 2));
  else
    for (const { name, what, size } of measures) {
      console.log(`${name.padEnd(9)}${what.padEnd(45)}${size === null ? '' : `--size: ${size}`}`.trimEnd());
    }
}

async function run(options: Options): Promise<void> {
  const machine = machineNow();
  if (chosen(options).some(({ isBuilt }) => isBuilt)) buildIfStale();
  const [at, began] = [new Date().toISOString(), performance.now()];
  const found = await withFolder(async (home) => {
    const { isQuick, size } = options;
    const measured = await measureAll({ home, isQuick, size, vaults: new Vaults(home) }, options);
    return { ...measured, seconds: Math.round((performance.now() - began) / 1000) };
  });
  progress('');
  const report: Report = { schemaVersion: 1, at, isQuick: options.isQuick, machine, ...found };
  if (options.isJson) console.log(JSON.stringify(report, null, 2));
  else for (const line of tableLines(report)) console.log(line);
  for (const file of options.write) {
    fs.writeFileSync(file, written(fs.readFileSync(file, 'utf8'), shownOf(report)));
  }
  if (found.failed.length > 0) process.exit(1); // what was started by a measure that failed may still run
}

function chosen({ only }: Options): typeof MEASURES {
  return MEASURES.filter(({ name }) => only?.includes(name) ?? true);
}

async function measureAll(bench: Bench, options: Options): Promise<Pick<Report, 'rows' | 'failed'>> {
  const rows: Row[] = [];
  const failed: Report['failed'] = [];
  for (const { name, run } of chosen(options)) {
    progress(`measuring ${name} …`);
    try {
      rows.push(...(await run(bench)));
    } catch (error) {
      console.error(`${name}:`, error);
      failed.push({ measure: name, reason: error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'unknown' });
    }
  }
  return { rows, failed };
}

function machineNow(): Report['machine'] {
  const [cpu] = os.cpus();
  return {
    ...{ node: process.version, cpus: os.cpus().length, model: cpu?.model ?? 'unknown' },
    ...{ memoryGiB: os.totalmem() / 2 ** 30, disk: fileSystemOf(os.tmpdir()), load: os.loadavg()[0] ?? 0 },
  };
}

// The real program runs from dist/.
function buildIfStale(): void {
  const built = path.join(PROJECT, 'dist', 'main.js');
  const newest = Math.max(
    ...fs
      .readdirSync(path.join(PROJECT, 'src'), { recursive: true })
      .map((file) => fs.statSync(path.join(PROJECT, 'src', String(file))).mtimeMs),
  );
  if (fs.existsSync(built) && fs.statSync(built).mtimeMs > newest) return;
  progress('building …');
  execFileSync('npm', ['run', '-s', 'build'], { cwd: PROJECT, stdio: ['ignore', 2, 2] });
}
