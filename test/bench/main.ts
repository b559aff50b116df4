// `npm run bench [-- --quick] [-- --only N]`: the project's figures, each compared with a floor from the same run.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { measureEdit } from './edit.ts';
import { measureFootprint } from './footprint.ts';
import { measureHistory } from './history.ts';
import { measureLearnt } from './learnt.ts';
import { measureReading } from './mailbox/reading.ts';
import { measureSplitting } from './mailbox/splitting.ts';
import { progress, type Row, withFolder } from './measure.ts';
import { measureSignals } from './signals.ts';
import { measureSources } from './sources/load.ts';
import { measureStart } from './start.ts';
import { measureStatus } from './status.ts';
import { measureTick } from './tick.ts';
import { measureUndo } from './undo.ts';
import { makeVault } from './vault.ts';
import { measureYears } from './years.ts';

const { values: options } = parseArgs({ options: { quick: { type: 'boolean' }, only: { type: 'string' } } });
const loadBefore = os.loadavg()[0] ?? 0;
const quick = options.quick === true;
const size = quick ? 2_000 : 10_000;

buildIfStale();
await withFolder(async (home) => {
  const vault = (name: string, notes: number) => {
    const root = path.join(home, name);
    if (!fs.existsSync(root)) makeVault(root, notes);
    return root;
  };
  const large = () => vault('large', size);
  const years = () => {
    const root = path.join(home, 'years');
    makeVault(root, { matters: 250, tasks: 5_000, signals: 50_000, events: 20_000, others: 1_000 });
    return root;
  };
  const vaults = () =>
    new Map((quick ? [500, size] : [1_000, size, 30_000]).map((notes) => [notes, vault(`ticked-${notes}`, notes)]));
  const measures: Record<string, () => Promise<Row[]>> = {
    '1': () => measureStart(home, large(), size, quick ? 3 : 9),
    '3': () => measureSignals(home, vault('live', 1_000), quick ? 60 : 300),
    '4': () => measureTick(vaults(), quick ? 5 : 15),
    '5': () => measureUndo(vault('undone', 1_000), quick ? 20 : 100),
    '6': () => measureFootprint(home, large(), quick ? 5 : 60),
    '7': () => measureStatus(home, large(), quick ? 5 : 15),
    '8': () => measureEdit(home, quick ? 60 : 300),
    '9': () => measureYears(home, years(), '20 000 events and 50 000 signals', quick ? 5 : 15),
    '10': async () => {
      const mails = quick ? 5_000 : 50_000;
      return [...(await measureSplitting(home, mails, quick ? 3 : 5)), ...(await measureReading(home, mails))];
    },
    '11': () =>
      measureHistory(home, quick ? { events: 100_000, files: 5_000 } : { events: 1_000_000, files: 50_000 }, 30),
    '12': () => measureSources(home, quick ? 300 : 5_000, quick ? 70 : 180),
    '13': () => measureLearnt(quick ? 5 : 15),
  };
  const rows: Row[] = [];
  for (const [number, measure] of Object.entries(measures)) {
    if (options.only !== undefined && number !== (options.only === '2' ? '1' : options.only)) continue;
    progress(`measuring ${number} of 13 …`);
    try {
      rows.push(...(await measure()));
    } catch (error) {
      console.error(`${number}:`, error);
      process.exitCode = 1;
    }
  }
  progress('');
  print(rows);
});

// The real program runs from dist/.
function buildIfStale(): void {
  const root = path.join(import.meta.dirname, '..', '..');
  const built = path.join(root, 'dist', 'cli', 'main.js');
  const newest = Math.max(
    ...fs
      .readdirSync(path.join(root, 'src'), { recursive: true })
      .map((file) => fs.statSync(path.join(root, 'src', String(file))).mtimeMs),
  );
  if (fs.existsSync(built) && fs.statSync(built).mtimeMs > newest) return;
  progress('building …');
  execFileSync('npm', ['run', '-s', 'build'], { cwd: root, stdio: 'inherit' });
}

function print(rows: readonly Row[]): void {
  const [cpu] = os.cpus();
  console.log(
    `Node ${process.version}, ${os.cpus().length} × ${cpu?.model ?? 'unknown'}, load ${loadBefore.toFixed(1)} before the run; medians, least–greatest in brackets.`,
  );
  if (loadBefore > os.cpus().length / 2)
    console.log('The machine was busy with other things: believe the ratios, not the times.');
  console.log();
  const head = ['what', 'measured', 'floor in the same run', 'ratio', 'aim', 'met'];
  const cells = rows.map((row) => [
    row.what,
    row.measured,
    row.floor,
    row.ratio,
    row.aim,
    row.met === null ? '' : row.met ? 'yes' : 'NO',
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...cells].map((line) => line[column]?.length ?? 0)));
  const line = (one: readonly string[]) =>
    console.log(
      one
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  line(head);
  line(widths.map((width) => '─'.repeat(width)));
  for (const one of cells) line(one);
}
