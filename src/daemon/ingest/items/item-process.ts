import type { ChildProcess } from 'node:child_process';
import { on } from 'node:events';
import fs from 'node:fs';
import type { ItemDoor, ItemKind } from '../../../stream/items.ts';
import { EXIT, reasonOf, StewardError } from '../../../vault/errors.ts';
import { startWorker } from '../../../vault/process.ts';
import { endOf, WorkerFailure } from '../../../vault/worker-answer.ts';
import { type Page, type Place, type ReadItem, type Said, said } from '../../item-page.ts';

/** What the process that reads a file may take: memory, and the processor time until it says something. */
const MEMORY_MB = 512;
const LIMIT_SECONDS = 10;
/** On a busy machine it gets its processor time late; so often it may take as long. */
const MOST_LIMITS = 6;
/** Of processor time, all in all; a longer file is read on by another process. */
const PROCESSOR_SECONDS = 900;
/** How many items are announced one by one after a process ended unexpectedly. */
const CAREFUL_ITEMS = 64;

/** An open file, which of its kinds it is, and what its reader is told. */
export interface Reading {
  readonly handle: number;
  readonly size: number;
  readonly kind: ItemKind;
  readonly door: ItemDoor;
}

/** Why a file could not be read any further. */
interface Stop {
  readonly message: string;
  readonly hint: string;
}

/** Some items of a file; `stop` where nothing comes after them although the file does not end there. */
export interface Pages {
  readonly items: readonly ReadItem[];
  readonly stop: Stop | null;
}

/**
 * Reads the items of an open file from an item on, page by page, in a process of its own. An item that ends the process,
 * or takes longer than 10 s of processor time, is refused, and the reading goes on behind it. Rejects where `abort` does,
 * and with `reading-ended` where the process was ended from outside.
 */
export async function* itemsOf(reading: Reading, from: number, abort: AbortSignal): AsyncGenerator<Pages> {
  const place: Position = { at: from, isCareful: false };
  for (;;) {
    const session = new Session(reading, place);
    try {
      for (let read = 0; !place.isCareful || read < CAREFUL_ITEMS; ) {
        const page = await session.page(abort);
        place.at = page.items.at(-1)?.next ?? place.at;
        read += page.items.length;
        yield { items: page.items, stop: page.refusal };
        if (page.ends) return;
      }
      place.isCareful = false;
    } catch (error) {
      abort.throwIfAborted();
      if (error instanceof StewardError) throw error;
      if (!place.isCareful) {
        // Which item it was is not known yet: the same ones are read once more, one by one.
        place.isCareful = true;
        continue;
      }
      const { begun } = session;
      if (begun === null || begun.at < place.at) {
        // Before its first item a process is late where the machine is: the file has no part in that either.
        if (!(error instanceof WorkerFailure) || error.limit !== 'memory')
          throw tryAgain(reading.door.file, reasonOf(error));
        yield { items: [], stop: { message: `${reasonOf(error)}.`, hint: BEHIND } };
        return;
      }
      yield { items: [{ ...begun, content: { what: 'refused', reason: reasonOf(error) } }], stop: null };
      place.at = begun.next;
    } finally {
      session.end();
    }
  }
}

const BEHIND = 'What comes behind that in the file is not read: split the file there, or export it once more.';

/** From where a file is read, and whether each of its items is announced and given on by itself. */
interface Position {
  at: number;
  isCareful: boolean;
}

function tryAgain(file: string, why: string): StewardError {
  return new StewardError(
    {
      code: 'reading-ended',
      file,
      message: `The process that reads this file ended early: ${why}.`,
      hint: 'Reading goes on in a minute; the machine may be short of memory or time.',
    },
    EXIT.tryAgain,
  );
}

/** What a process that waits for nobody has of each second, at least. */
const BUSY = 0.8;
const TICKS_PER_SECOND = 100;

/** The processor time that a process has used; without end where the system does not tell. */
function processorSeconds(pid: number | undefined): number {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** One process that reads a file. */
class Session {
  readonly #worker: ChildProcess;
  readonly #ended: Promise<NodeJS.Signals | null>;
  readonly #messages: AsyncIterator<unknown[]>;
  readonly #file: string;
  readonly #isCareful: boolean;
  #isAsked = true;
  /** The item that is being read, where items are announced. */
  begun: Place | null = null;

  constructor({ handle, size, kind, door }: Reading, { at, isCareful }: Position) {
    this.#file = door.file;
    this.#isCareful = isCareful;
    this.#worker = startWorker({
      script: './item-worker',
      from: import.meta.url,
      data: { kind: kind.name, size, from: at, isCareful, door: { ...door } },
      memoryMb: MEMORY_MB,
      seconds: PROCESSOR_SECONDS,
      file: handle,
    });
    this.#messages = on(this.#worker, 'message', { close: ['exit'] })[Symbol.asyncIterator]();
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', (_, signal) => resolve(signal));
      this.#worker.once('error', () => resolve(null));
    });
  }

  /** Returns the next page. Rejects where the process ends, or says nothing for too long, or where `abort` does. */
  async page(abort: AbortSignal): Promise<Page> {
    abort.throwIfAborted();
    if (!this.#isAsked) this.#ask();
    const stop = () => this.end();
    abort.addEventListener('abort', stop, { once: true });
    try {
      for (;;) {
        const heard = await this.#heard();
        if (heard.kind === 'begins') this.begun = heard.item;
        else return this.#turned(heard);
      }
    } finally {
      abort.removeEventListener('abort', stop);
    }
  }

  // The next page is read while this one is worked on; not where it is to be known which item ended the process.
  #turned(page: Page): Page {
    this.#isAsked = false;
    if (!page.ends && !this.#isCareful) this.#ask();
    return page;
  }

  #ask(): void {
    this.#isAsked = true;
    this.#worker.send('more', () => undefined);
  }

  /** Ends the process. */
  end(): void {
    this.#worker.kill('SIGKILL');
  }

  async #heard(): Promise<Said> {
    let isLate = false;
    const used = processorSeconds(this.#worker.pid);
    const since = performance.now();
    const timer = setInterval(() => {
      const isStarved = processorSeconds(this.#worker.pid) - used < LIMIT_SECONDS * BUSY;
      if (isStarved && performance.now() - since < MOST_LIMITS * LIMIT_SECONDS * 1000) return;
      isLate = true;
      this.end();
    }, LIMIT_SECONDS * 1000);
    try {
      const { value } = await this.#messages.next();
      if (Array.isArray(value)) return said.parse(value[0]);
      const signal = await this.#ended;
      // Nobody but the system, or a person, ends a process so: the file has no part in it.
      if (signal === 'SIGKILL' && !isLate) throw tryAgain(this.#file, 'it was ended from outside');
      throw endOf({ memoryMb: MEMORY_MB, seconds: LIMIT_SECONDS }, isLate, signal);
    } finally {
      clearInterval(timer);
    }
  }
}
