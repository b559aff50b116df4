import { parseArgs } from 'node:util';
import { burst } from './burst.ts';
import { type DayEnd, live } from './month.ts';

/**
 * The long form: `npm run test:endurance [-- --seed N] [--seeds COUNT] [--days N] [--skip-burst]`. Prints a table;
 * exits 1 where something was wrong. With --expose-gc the memory column shows live memory only.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '3' },
    days: { type: 'string', default: '31' },
    'skip-burst': { type: 'boolean', default: false },
  },
});

const COLUMNS = ['seed', 'day', 'notes', 'events', 'history', 'state KB', 'crashes', 'restarts', 'heap MB', 'wrong'];
/** Memory counts from the tenth day on, when everything that loads once has loaded. It may grow with the notes. */
const SETTLED_DAY = 10;
const HEAP_PER_NOTE_KB = 40;

const first = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
const count = values.seed === undefined ? Number(values.seeds) : 1;
let failed = false;

row(COLUMNS);
for (let seed = first; seed < first + count; seed += 1) await month(seed, Number(values.days));
if (!values['skip-burst']) await burstOf(1_000, 10_000);
process.exitCode = failed ? 1 : 0;

async function month(seed: number, days: number): Promise<void> {
  let settled: { heap: number; notes: number } | null = null;
  await live(seed, days, (end) => {
    const heap = heldMb();
    row([
      seed,
      end.day,
      end.notes,
      total(end.done),
      end.history,
      kb(end.state),
      end.crashes,
      end.restarts,
      heap,
      end.wrong.length,
    ]);
    complain(seed, end.wrong);
    if (end.day === SETTLED_DAY) settled = { heap, notes: end.notes };
    const grown = settled === null ? 0 : heap - settled.heap - ((end.notes - settled.notes) * HEAP_PER_NOTE_KB) / 1024;
    if (grown > 4)
      complain(seed, [`day ${end.day}: the heap grew by ${grown.toFixed(1)} MB more than the notes explain`]);
    if (end.day === days) console.log(`seed ${seed}: ${summary(end)}`);
  });
}

async function burstOf(matters: number, signals: number): Promise<void> {
  const { wrong, minutes, events, guardedNotes, seenMs, appliedMs } = await burst({ matters, signals });
  console.log(
    `${signals} signals and ${matters} matters at once: seen after ${seconds(seenMs)}, all applied within ${minutes} ` +
      `simulated minutes (${seconds(appliedMs)} real), ${events} event notes, ${guardedNotes} of them rate_guarded`,
  );
  complain(0, wrong);
}

function complain(seed: number, wrong: readonly string[]): void {
  for (const one of wrong.slice(0, 20)) console.log(`  seed ${seed}: ${one}`);
  failed ||= wrong.length > 0;
}

function summary({ done }: DayEnd): string {
  return Object.entries(done)
    .map(([what, times]) => `${times} ${what}`)
    .join(', ');
}

function row(cells: readonly (string | number)[]): void {
  console.log(cells.map((cell) => String(cell).padStart(8)).join(' '));
}

function heldMb(): number {
  globalThis.gc?.();
  return Math.round(process.memoryUsage().heapUsed / 2 ** 17) / 8;
}

function total(done: DayEnd['done']): number {
  return Object.values(done).reduce((sum, times) => sum + times, 0);
}

function kb(bytes: number): number {
  return Math.round(bytes / 1024);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
