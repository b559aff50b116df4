import fs from 'node:fs';
import path from 'node:path';
import type { ByteSource, ItemDoor } from '../../../src/stream/items/item.ts';
import { parseMail } from '../../../src/stream/mail/mail.ts';
import { readMailbox } from '../../../src/stream/mbox/mailbox-reader.ts';
import { numberedMail } from '../../support/mailbox.ts';
import { interleaved, ms, type Row, times } from '../measure.ts';
import { makeMailbox } from './box.ts';

const DOOR: ItemDoor = { file: 'stream/box.mbox', sourceType: 'mail', trustedServers: [], zone: 'UTC', now: 0 };
const CHUNK = 1024 * 1024;
/** How often mails are looked at whether they take more memory. */
const ROUND = 1000;

/** 10: splitting a mailbox, compared with looking for `From ` in its bytes; reading its mails, compared with parsing them alone. */
export async function measureSplitting(home: string, mails: number, rounds: number): Promise<Row[]> {
  const file = path.join(home, 'box.mbox');
  const bytes = makeMailbox(file, mails, Date.now());
  const source = sourceOf(file);
  const { split, search } = await interleaved(rounds, {
    split: () => timed(() => expectAll(countItems(source), mails)),
    search: () => timed(() => void countMarks(source)),
  });
  const ratio = split.median / search.median;
  const read = await readAll(source, mails);
  const parsed = await parseAlone(mails);
  return [
    {
      what: `10 splitting a mailbox of ${mails} mails, ${(bytes / CHUNK).toFixed(0)} MiB (median of ${rounds})`,
      measured: `${split}, ${((bytes / CHUNK / split.median) * 1000).toFixed(0)} MiB/s`,
      floor: `looking for the marks ${search}`,
      ratio: times(ratio),
      aim: '',
      met: null,
    },
    {
      what: '   … and reading its mails, in one process',
      measured: `${ms(read.ms / mails)} a mail, ${read.mb.toFixed(0)} MB more heap`,
      floor: `the same mails parsed alone ${ms(parsed / mails)}`,
      ratio: times(read.ms / parsed),
      aim: '≤ 1.25 ×',
      met: read.ms <= 1.25 * parsed,
    },
  ];
}

function sourceOf(file: string): ByteSource {
  const handle = fs.openSync(file, 'r');
  const read = (at: number, length: number) => {
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(0, fs.readSync(handle, bytes, 0, length, at));
  };
  return { size: fs.fstatSync(handle).size, read };
}

function countItems(source: ByteSource): number {
  let count = 0;
  for (const _ of readMailbox(source, 0, DOOR)) count += 1;
  return count;
}

function countMarks(source: ByteSource): number {
  let count = 0;
  for (let at = 0; at < source.size; at += CHUNK) {
    const bytes = Buffer.from(source.read(at, CHUNK));
    for (let found = bytes.indexOf('\nFrom '); found >= 0; found = bytes.indexOf('\nFrom ', found + 1)) count += 1;
  }
  return count;
}

async function readAll(source: ByteSource, mails: number): Promise<{ ms: number; mb: number }> {
  const before = performance.now();
  const heap = process.memoryUsage().heapUsed;
  let [count, most] = [0, 0];
  for (const item of readMailbox(source, 0, DOOR)) {
    if ((await item.read()).what === 'event') count += 1;
    if (count % ROUND === 0) most = Math.max(most, process.memoryUsage().heapUsed - heap);
  }
  expectAll(count, mails);
  return { ms: performance.now() - before, mb: most / 1e6 };
}

async function parseAlone(mails: number): Promise<number> {
  let took = 0;
  for (let nth = 0; nth < mails; nth += 1) {
    const bytes = Buffer.from(numberedMail(nth));
    const before = performance.now();
    await parseMail(DOOR.file, bytes, DOOR);
    took += performance.now() - before;
  }
  return took;
}

function expectAll(count: number, mails: number): void {
  if (count !== mails) throw new Error(`${count} of ${mails} mails were found`);
}

function timed(work: () => void): number {
  const before = performance.now();
  work();
  return performance.now() - before;
}
