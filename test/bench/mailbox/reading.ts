import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { atMostTimes, onceRow, type Row, rowOf } from '../figures/row.ts';
import { Samples } from '../figures/samples.ts';
import { child, childEnv, STEWARD } from '../processes/child.ts';
import { makeVault } from '../vault.ts';
import type { Bench } from '../vaults.ts';
import { makeMailbox } from './box.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const SAMPLE_MS = 200;
const NOTES = 500;
/** What is read of the mails of two weeks; older ones are only parsed. */
const AGES = [
  { of: 'history', days: 400, aim: 2 },
  { of: 'the last days', days: 3, aim: null },
] as const;

/** How long something took (ms), and how much processor time all its processes (ms). */
interface Took {
  readonly wall: number;
  readonly cpu: number;
}

/** `steward import` of a mailbox with the rules, with all its processes, compared with parsing its mails alone. */
export async function measureReading({ home, isQuick }: Bench): Promise<Row[]> {
  const mails = isQuick ? 2_000 : 10_000;
  const rows: Row[] = [];
  for (const { of, days, aim } of AGES) {
    const first = Date.now() - days * DAY_MS;
    const box = path.join(home, `${days}.mbox`);
    makeMailbox(box, mails, first);
    const parsed = child<Took>(home, 'mailbox/child-parse.ts', String(mails), String(first));
    const read = await readBox(home, box, path.join(home, `reading-${days}`));
    fs.rmSync(box);
    rows.push(...rowsOf(days, `${mails.toLocaleString('en')} mails of ${of}`, { mails, parsed, read, aim }));
  }
  return rows;
}

interface Found {
  readonly mails: number;
  readonly parsed: Took;
  readonly read: Took & Memory;
  readonly aim: number | null;
}

function rowsOf(days: number, what: string, { mails, parsed, read, aim }: Found): Row[] {
  const each = (kind: keyof Took) => ({
    measured: new Samples([read[kind] / mails]),
    floor: { of: 'parsed alone', samples: new Samples([parsed[kind] / mails]) },
  });
  const id = `import.${days}`;
  const [first, last] = read.thirds;
  return [
    rowOf({
      id,
      what: `steward import of ${what} into ${NOTES} notes, a mail`,
      ...each('wall'),
      aim: aim === null ? null : atMostTimes(aim),
    }),
    rowOf({ id: `${id}.cpu`, what: '… processor time of both processes', ...each('cpu') }),
    memoryRow(`${id}.memory`, '… memory of the program, last third of the time', first[0], last[0]),
    memoryRow(`${id}.reader`, '… memory of its reader, last third', first[1], last[1]),
  ];
}

/** What is read must not add up: a third and some more than before is a garbage collector that takes its time. */
function memoryRow(id: string, what: string, first: number, last: number): Row {
  return onceRow(id, what, last, {
    ...{ unit: 'MB', floor: { of: 'first third', value: first } },
    aim: { of: 'difference', atMost: Math.round(0.3 * first + 20) },
  });
}

/** The greatest resident memory (MB) of the program and of its reader, in the first and the last third of the time. */
interface Memory {
  readonly thirds: readonly [Pair, Pair];
}
type Pair = readonly [number, number];

async function readBox(home: string, box: string, vault: string): Promise<Took & Memory> {
  makeVault(vault, NOTES);
  const [before, cpu] = [performance.now(), cpuOfChildren()];
  const program = spawn(process.execPath, [STEWARD, 'import', box, '--vault', vault], {
    env: childEnv(home, { STEWARD_LIVE_MODE: 'live' }),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const samples: Pair[] = [];
  const timer = setInterval(() => samples.push(memoryNow(program.pid ?? 0)), SAMPLE_MS);
  const code = await new Promise((resolve) => program.once('exit', resolve));
  clearInterval(timer);
  if (code !== 0) throw new Error(`steward import ended with ${String(code)}`);
  const third = Math.ceil(samples.length / 3);
  const thirds = [greatest(samples.slice(0, third)), greatest(samples.slice(-third))] as const;
  return { wall: performance.now() - before, cpu: cpuOfChildren() - cpu, thirds };
}

function greatest(samples: readonly Pair[]): Pair {
  return [Math.max(0, ...samples.map(([own]) => own)), Math.max(0, ...samples.map(([, reader]) => reader))];
}

function memoryNow(pid: number): Pair {
  return [rssMb(pid), Math.max(0, ...childrenOf(pid).map(rssMb))];
}

function childrenOf(pid: number): number[] {
  try {
    return fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return []; // it has just ended
  }
}

function rssMb(pid: number): number {
  try {
    const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** The processor time (ms) of all children that have ended, with theirs. */
function cpuOfChildren(): number {
  const stat = fs.readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}
