import fs from 'node:fs';
import process from 'node:process';
import { z } from 'zod';
import { errorReason } from '../vault/errors.ts';
import { GIVEN_FILE } from '../vault/worker.ts';
import type { Page, ReadItem, WorkerMessage } from './items.ts';
import { STREAM_KINDS } from './kinds.ts';
import { type ByteSource, FileRefusal, type Item, type ItemContent } from './stream.ts';

/** The question: which file is read, from which place. The file itself is given open. */
const readingTask = z.object({
  kind: z.string(),
  size: z.number(),
  from: z.number(),
  /** Whether each item is announced before it is read: then it is known which one ended the process. */
  isCareful: z.boolean(),
  door: z.looseObject({
    file: z.string(),
    sourceType: z.string(),
    trustedServers: z.array(z.string()),
    zone: z.string(),
    now: z.number(),
    bankFormats: z.array(z.string()).optional(),
  }),
});

/** How many items go into a page, and for how long (ms) one is filled once its first item is there. */
const PAGE_ITEMS = 64;
const PAGE_MS = 250;
const MOST_REASON = 300;

// Reads the items of one file in a process of its own; `items.ts` starts it and limits what it may take. A page is read
// only when it is asked for, so that neither side has more than two.
process.once('message', (data) => void readAll(data));

async function readAll(data: unknown): Promise<void> {
  const { kind: name, size, from, isCareful, door } = readingTask.parse(data);
  const page = new Filling(isCareful ? 1 : PAGE_ITEMS);
  try {
    const kind = STREAM_KINDS.find((one) => one.name === name);
    if (kind === undefined) throw new Error(`there is no kind ${name}`);
    const read = await kind.load();
    for await (const item of read(givenFile(size), from, door)) {
      if (isCareful) say({ kind: 'begins', item: placeOf(item) });
      page.add({ ...placeOf(item), content: await contentOf(item) });
      if (!page.isFull) continue;
      say(page.take(false, null));
      await asked();
    }
    say(page.take(true, null));
  } catch (error) {
    const hint = error instanceof FileRefusal ? error.hint : 'Export the file once more, or open it in an editor.';
    say(page.take(true, { message: errorReason(error).slice(0, MOST_REASON), hint }));
  }
  // The process may be seen to end before its last message arrives, so its starter ends it.
  await asked();
}

/**
 * The page that is being filled. Its time counts from its first item: before the first of all the reader is loaded, and
 * that can take longer than a page may.
 */
class Filling {
  readonly #most: number;
  #items: ReadItem[] = [];
  #since = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get isFull(): boolean {
    return this.#items.length >= this.#most || performance.now() - this.#since >= PAGE_MS;
  }

  add(item: ReadItem): void {
    if (this.#items.length === 0) this.#since = performance.now();
    this.#items.push(item);
  }

  take(ends: boolean, refusal: Page['refusal']): Page {
    const items = this.#items;
    this.#items = [];
    return { kind: 'page', items, ends, refusal };
  }
}

function givenFile(size: number): ByteSource {
  return {
    size,
    read(at, length) {
      const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - at)));
      let filled = 0;
      while (filled < bytes.length) {
        const count = fs.readSync(GIVEN_FILE, bytes, filled, bytes.length - filled, at + filled);
        if (count === 0) break; // it was cut off in the meantime
        filled += count;
      }
      return bytes.subarray(0, filled);
    },
  };
}

async function contentOf(item: Item): Promise<ItemContent> {
  try {
    return await item.read();
  } catch (error) {
    return { what: 'refused', reason: errorReason(error).slice(0, MOST_REASON) };
  }
}

function placeOf({ at, next, place }: Item) {
  return { at, next, place };
}

function say(said: WorkerMessage): void {
  process.send?.(said);
}

function asked(): Promise<void> {
  return new Promise((resolve) => process.once('message', () => resolve()));
}
