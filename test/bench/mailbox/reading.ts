import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { child, childEnv, ms, type Row, STEWARD, times } from '../measure.ts';
import { makeVault } from '../vault.ts';
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

/** 10, second part: `steward import` of a mailbox with the rules, with all its processes, compared with parsing its mails alone. */
export async function measureReading(home: string, mails: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { of, days, aim } of AGES) {
    const first = Date.now() - days * DAY_MS;
    const box = path.join(home, `${days}.mbox`);
    makeMailbox(box, mails, first);
    const parsed = child<Took>(home, 'mailbox/child-parse.ts', String(mails), String(first));
    const read = await readBox(home, box, path.join(home, `reading-${days}`));
    fs.rmSync(box);
    rows.push(...rowsOf(`${mails} mails of ${of}`, mails, { parsed, read, aim }));
  }
  return rows;
}

function rowsOf(
  what: string,
  mails: number,
  { parsed, read, aim }: { parsed: Took; read: Took & Memory; aim: number | null },
): Row[] {
  return [
    {
      what: `   … the whole import of ${what} into a vault of ${NOTES} notes`,
      measured: `${ms(read.wall / mails)} a mail`,
      floor: `parsed alone ${ms(parsed.wall / mails)}`,
      ratio: times(read.wall / parsed.wall),
      aim: aim === null ? '' : `≤ ${aim} ×`,
      met: aim === null ? null : read.wall <= aim * parsed.wall,
    },
    {
      what: '     … processor time of both processes',
      measured: `${ms(read.cpu / mails)} a mail`,
      floor: `parsed alone ${ms(parsed.cpu / mails)}`,
      ratio: times(read.cpu / parsed.cpu),
      aim: '',
      met: null,
    },
    {
      what: '     … memory of the program and its reader: greatest of the first third, of the last third',
      measured: read.thirds.map(([own, reader]) => `${own.toFixed(0)} + ${reader.toFixed(0)} MB`).join(', '),
      floor: '',
      ratio: '',
      aim: 'flat',
      met: isFlat(read.thirds),
    },
  ];
}

/** The greatest resident memory (MB) of the program and of its reader, in the first and the last third of the time. */
interface Memory {
  readonly thirds: readonly [Pair, Pair];
}
type Pair = readonly [number, number];

function isFlat([[own, reader], [ownLast, readerLast]]: Memory['thirds']): boolean {
  return ownLast <= own * 1.3 + 20 && readerLast <= reader * 1.3 + 20;
}

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
