// Writes how long each test file took into times.json, and prints the slowest, and once more what failed:
// node test/record-times.ts REPORT.json…
// A report is what vitest's JSON reporter writes. Files that no longer exist are dropped.
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const PROJECT = path.resolve(import.meta.dirname, '..');
const RECORD = path.join(import.meta.dirname, 'times.json');
const SLOWEST = 10;

/** How much of a failure is shown: the whole is further up in the output. */
const MESSAGE_LINES = 12;

const report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      startTime: z.number(),
      endTime: z.number(),
      message: z.string().default(''),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
});

const failures: string[] = [];
const seconds = new Map(Object.entries(z.record(z.string(), z.number()).parse(readJson(RECORD) ?? {})));
for (const file of process.argv.slice(2)) {
  for (const { name, startTime, endTime, message, assertionResults } of report.parse(
    readJson(file) ?? { testResults: [] },
  ).testResults) {
    const test = path.relative(PROJECT, name);
    seconds.set(test, Math.round((endTime - startTime) / 100) / 10);
    if (message !== '') failures.push(shown(test, message));
    for (const { fullName, status, failureMessages } of assertionResults)
      if (status === 'failed') failures.push(shown(`${test}: ${fullName}`, failureMessages?.join('\n') ?? ''));
  }
}
const known = [...seconds].filter(([file]) => fs.existsSync(path.join(PROJECT, file)));
const sorted = known.toSorted(([one], [other]) => one.localeCompare(other));
fs.writeFileSync(RECORD, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);

console.log('The slowest test files:');
for (const [file, took] of known.toSorted(([, one], [, other]) => other - one).slice(0, SLOWEST)) {
  console.log(`${took.toFixed(1).padStart(7)} s  ${file}`);
}

if (failures.length > 0) console.log(`\nWhat failed:\n\n${failures.join('\n\n')}`);

function shown(name: string, message: string): string {
  const lines = message.split('\n').slice(0, MESSAGE_LINES);
  return [name, ...lines.map((line) => `    ${line}`)].join('\n');
}

function readJson(file: string): unknown {
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : null;
}
