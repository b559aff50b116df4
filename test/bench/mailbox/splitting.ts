import fs from 'node:fs';
import path from 'node:path';
import { parseMail } from '../../../src/streams/mail.ts';
import { readMailbox } from '../../../src/streams/mbox.ts';
import type { ByteSource, ReadContext } from '../../../src/streams/stream.ts';
import { numberedMail } from '../../support/mailbox.ts';
import { atMostTimes, type Row, rowOf } from '../figures/row.ts';
import { interleaved, Samples } from '../figures/samples.ts';
import type { Bench } from '../vaults.ts';
import { makeMailbox } from './box.ts';

const DOOR: ReadContext = { file: 'stream/box.mbox', sourceType: 'mail', trustedServers: [], zone: 'UTC', now: 0 };
const CHUNK = 1024 * 1024;
/** How often mails are looked at whether they take more memory. */
const ROUND = 1000;
const MAX_RATIO = 1.25;

/** Splitting a mailbox, compared with looking for `From ` in its bytes; reading its mails, compared with parsing them alone. */
export async function measureSplitting({ home, isQuick }: Bench): Promise<Row[]> {
  const [mails, rounds] = isQuick ? [2_000, 3] : [10_000, 5];
  const file = path.join(home, 'box.mbox');
  const bytes = makeMailbox(file, mails, Date.now());
  const source = sourceOf(file);
  const { split, search } = await interleaved(rounds, {
    split: () => timed(() => expectAll(countItems(source), mails)),
    search: () => timed(() => void countMarks(source)),
  });
  const read = await readAll(source, mails);
  const parsed = await parseAlone(mails);
  const speed = (bytes / CHUNK / split.median) * 1000;
  return [
    rowOf({
      id: 'mailbox.split',
      what: `splitting a mailbox of ${mails.toLocaleString('en')} mails, ${(bytes / CHUNK).toFixed(0)} MiB`,
      ...{ measured: split, floor: { of: 'finding separators', samples: search } },
      remark: `${speed.toFixed(0)} MiB/s`,
    }),
    rowOf({
      id: 'mailbox.read',
      what: '… and reading one of its mails, in one process',
      measured: new Samples([read.ms / mails]),
      floor: { of: 'the same mail parsed alone', samples: new Samples([parsed / mails]) },
      ...{ aim: atMostTimes(MAX_RATIO), remark: `${read.mb.toFixed(0)} MB more heap` },
    }),
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
