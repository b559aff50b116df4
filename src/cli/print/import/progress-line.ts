import path from 'node:path';
import type { ImportProgress } from '../../../daemon/import/progress.ts';
import { count } from '../plain-text.ts';
import type { Printer } from '../printer.ts';
import { durationWords, grouped, sizeWords } from './sizes.ts';

/** The rate is that of the last seconds, so that it tells of now. */
const WINDOW_MS = 10_000;
const LEAST_MS = 2_000;
const MOST_NAME = 40;

interface Sample {
  readonly at: number;
  readonly bytes: number;
}

/** The line on a terminal that says how far an import is. */
export class ProgressLine {
  readonly #err: Printer;
  readonly #isSilent: boolean;
  #samples: Sample[] = [];
  /** What was told last; null before anything was. */
  last: ImportProgress | null = null;

  constructor(err: Printer, isSilent: boolean) {
    this.#err = err;
    this.#isSilent = isSilent;
  }

  /** Shows how far it is now. */
  show(progress: ImportProgress): void {
    // Copying and reading have rates of their own.
    if (progress.stage !== this.last?.stage) this.#samples = [];
    this.last = progress;
    if (this.#isSilent) return;
    const now = performance.now();
    // A file that is read on from where it was begins in its middle.
    if (progress.bytes > 0)
      this.#samples = [
        ...this.#samples.filter(({ at }) => now - at <= WINDOW_MS),
        { at: now, bytes: doneOf(progress) },
      ];
    this.#err.renew(progressWords(progress, rateOf(this.#samples)));
  }

  /** Takes the line away. */
  end(): void {
    this.#err.renew('');
  }
}

/** Returns the line: `box.mbox: 412 MiB of 1.9 GiB, 4 min left, 7.1 MiB/s, 12,400 events, 31 signals`. */
export function progressWords(progress: ImportProgress, rate: number | null): string {
  const { stage, from, nth, files, events, signals } = progress;
  const which = files === 1 ? '' : ` (${grouped(nth)} of ${grouped(files)})`;
  const [done, all] = [doneOf(progress), stage === 'copying' ? progress.size : progress.all];
  const found = `${grouped(events)} event${events === 1 ? '' : 's'}, ${count(signals, 'signal')}`;
  const left = rate === null ? [] : [`${durationWords((all - done) / rate)} left`, `${sizeWords(rate)}/s`];
  // Some kinds do not count in bytes.
  const parts = [
    done === 0 ? sizeWords(all) : `${sizeWords(done)} of ${sizeWords(all)}`,
    ...left,
    ...(stage === 'copying' ? [] : [found]),
  ];
  return `${stage === 'copying' ? 'copying ' : ''}${nameOf(from)}${which}: ${parts.join(', ')}`;
}

function doneOf({ stage, bytes, before }: ImportProgress): number {
  return stage === 'copying' ? bytes : before + bytes;
}

// Bytes a second; null as long as there is too little to go by.
function rateOf(samples: readonly Sample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || last.at - first.at < LEAST_MS) return null;
  const rate = ((last.bytes - first.bytes) / (last.at - first.at)) * 1000;
  return rate > 0 ? rate : null;
}

function nameOf(from: string): string {
  const name = path.basename(from);
  return name.length > MOST_NAME ? `${name.slice(0, MOST_NAME - 1)}…` : name;
}
