// Over 5 s: it runs measures of the benchmark on small vaults.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { report } from './figures/report.ts';
import { row, rowOf } from './figures/row.ts';
import { Samples } from './figures/samples.ts';
import { MEASURES } from './measures.ts';

const RUNS = Number(process.env.LAW_RUNS ?? 200);
const MAIN = path.join(import.meta.dirname, 'main.ts');
const PROBE = path.join(import.meta.dirname, 'processes', 'loop-probe.ts');

function bench(...args: string[]) {
  return spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' });
}

test('a list says what can be measured, for people and for programs', () => {
  const lines = bench('--list').stdout.trimEnd().split('\n');
  expect(lines.map((line) => line.split(' ')[0])).toEqual(MEASURES.map(({ name }) => name));
  const { measures } = z
    .looseObject({ measures: z.array(z.object({ name: z.string() })) })
    .parse(JSON.parse(bench('--list', '--json').stdout));
  expect(measures).toHaveLength(MEASURES.length);
});

test.each([
  [['--only', 'whole,nothing'], 'there is no measure nothing'],
  [['--size', 'many'], '--size takes a whole number of 100 or more'],
  [['--size', '1e9.5'], '--size takes a whole number'],
  [['--only', 'edit', '--write', 'page.md'], '--write takes a whole run'],
  [['--fast'], '--fast'],
])('what cannot be made out is said, and nothing is measured: %j', (args, sentence) => {
  const { status, stdout, stderr } = bench(...args);
  expect(status).toBe(64);
  expect(stdout).toBe('');
  expect(stderr).toContain(sentence);
});

test('a run says for programs what it found, beside its floor, in so many rounds', () => {
  const { stdout, stderr } = bench('--quick', '--only', 'edit', '--json');
  const { schemaVersion, isQuick, rows, failed, machine } = report.parse(JSON.parse(stdout));
  expect({ schemaVersion, isQuick, failed, stderr }).toEqual({
    schemaVersion: 1,
    isQuick: true,
    failed: [],
    stderr: '',
  });
  expect(machine.node).toBe(process.version);
  expect(rows.map(({ id, unit, rounds }) => ({ id, unit, rounds }))).toEqual([
    { id: 'edit', unit: 'ms', rounds: 60 },
    { id: 'edit.labelled', unit: 'ms', rounds: 60 },
  ]);
  const [{ ratio, aim, met } = { ratio: null, aim: null, met: null }] = rows;
  expect(aim).toEqual({ of: 'ratio', atMost: 1.1 });
  expect(met).toBe((ratio?.value ?? Number.NaN) <= 1.1);
});

test('the probe tells of each block in the thread of the program, also of the one in which it is loaded', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'steward-probe-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'blocks.jsonl');
  const told = fs.openSync(file, 'a');
  // Each block uses so much processor time, so it lasts that long at least on any machine.
  const program = `const used = () => process.threadCpuUsage().user / 1000;
    const work = (ms) => { for (const end = used() + ms; used() < end; ); };
    work(30); setTimeout(() => { work(60); setTimeout(() => { setImmediate(() => { work(90); process.exit(); }); }, 20); }, 20);`;
  spawnSync(process.execPath, ['--import', PROBE, '-e', program], { stdio: ['ignore', 'ignore', 'inherit', told] });
  fs.closeSync(told);
  const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n');
  const blocks = lines.map((line) => z.object({ ms: z.number(), cpu: z.number() }).parse(JSON.parse(line)));
  expect(blocks[0]?.ms).toBeGreaterThanOrEqual(30);
  for (const least of [60, 90]) expect(blocks.slice(1).some(({ ms }) => ms >= least)).toBe(true);
  expect(blocks.filter(({ cpu }) => cpu >= 29).length).toBeGreaterThanOrEqual(3);
});

const samples = fc.array(fc.double({ min: 0.001, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 20 });
const pairs = fc.array(fc.tuple(...[0, 1].map(() => fc.double({ min: 0.001, max: 1e6, noNaN: true }))), {
  minLength: 1,
  maxLength: 20,
});

test('a median lies in the middle, whatever was measured', () => {
  fc.assert(
    fc.property(samples, (taken) => {
      const { median } = new Samples(taken);
      expect(taken.filter((one) => one <= median).length).toBeGreaterThanOrEqual(taken.length / 2);
      expect(taken.filter((one) => one >= median).length).toBeGreaterThanOrEqual(taken.length / 2);
    }),
    { numRuns: RUNS },
  );
});

test('a ratio is taken round by round: whatever slows a whole round changes nothing', () => {
  const slower = fc.array(fc.integer({ min: 0, max: 10 }), { minLength: 20, maxLength: 20 });
  fc.assert(
    fc.property(pairs, slower, (rounds, powers) => {
      const factor = (nth: number) => 2 ** (powers[nth] ?? 0); // a power of two changes no digit
      const made = (slow: (nth: number) => number) =>
        rowOf({
          ...{ id: 'one', what: 'one', aim: { of: 'ratio', atMost: 2 } },
          measured: new Samples(rounds.map(([ours = 0], nth) => ours * slow(nth))),
          floor: { of: 'floor', samples: new Samples(rounds.map(([, floor = 0], nth) => floor * slow(nth))) },
        });
      const [quiet, busy] = [made(() => 1), made(factor)];
      expect(busy.ratio).toEqual(quiet.ratio);
      expect(busy.met).toBe(quiet.met);
      expect(row.parse(JSON.parse(JSON.stringify(busy)))).toEqual(busy);
    }),
    { numRuns: RUNS },
  );
});
