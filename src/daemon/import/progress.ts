/** How often (ms) an import says how far it is. */
const EVERY_MS = 200;

/** How far an import is. */
export interface ImportProgress {
  readonly stage: 'copying' | 'reading';
  /** The file, or Maildir, that it is at, as it was named. */
  readonly from: string;
  /** Where that lies in the vault by now; null as long as it is copied. */
  readonly file: string | null;
  /** Which of the named files it is, from 1 on, and how many there are. */
  readonly nth: number;
  readonly files: number;
  /** How many bytes of it are copied, or read, and how many it has. */
  readonly bytes: number;
  readonly size: number;
  /** How many bytes the files before it have, and all of them. */
  readonly before: number;
  readonly all: number;
  /** Of all files. */
  readonly events: number;
  readonly signals: number;
}

/** Gathers how far an import is, and tells it now and then. */
export class Pace {
  readonly #tell: (progress: ImportProgress) => void;
  readonly #sizes: readonly number[];
  readonly #first: ImportProgress['stage'];
  #at: ImportProgress;
  /** Events and signals of the files that are done. */
  #events = 0;
  #signals = 0;
  #told = Number.NEGATIVE_INFINITY;

  /** `sizes`: those of the files, in their order. `first`: what is done first with each of them. */
  constructor(
    sizes: readonly number[],
    tell: (progress: ImportProgress) => void,
    first: ImportProgress['stage'] = 'copying',
  ) {
    this.#tell = tell;
    this.#first = first;
    this.#sizes = sizes;
    const start = { stage: first, from: '', file: null, nth: 0, files: sizes.length, bytes: 0, size: 0 };
    this.#at = { ...start, before: 0, all: sum(sizes), events: 0, signals: 0 };
  }

  /** The next file is begun. */
  begin(from: string): void {
    const { nth, events, signals } = this.#at;
    this.#events = events;
    this.#signals = signals;
    const [before, size] = [sum(this.#sizes.slice(0, nth)), this.#sizes[nth] ?? 0];
    this.#move({ stage: this.#first, from, file: null, nth: nth + 1, bytes: 0, size, before });
  }

  /** So many bytes of the file are copied. */
  copied(bytes: number): void {
    this.#move({ bytes });
  }

  /** The file lies in the vault; `bytes` of it are read, with so many events and signals in it. */
  read(file: string, bytes: number, counts: { readonly read: number; readonly signals: number }): void {
    const [events, signals] = [this.#events + counts.read, this.#signals + counts.signals];
    this.#move({ stage: 'reading', file, bytes, events, signals });
  }

  #move(change: Partial<ImportProgress>): void {
    const isNews = change.file !== undefined && change.file !== this.#at.file;
    this.#at = { ...this.#at, ...change };
    const now = performance.now();
    if (!isNews && now - this.#told < EVERY_MS) return;
    this.#told = now;
    this.#tell(this.#at);
  }
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((all, size) => all + size, 0);
}
