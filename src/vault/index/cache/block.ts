import { z } from 'zod';
import type { Seal } from '../../seal.ts';
import type { VaultRecord } from '../record.ts';

/** What is told of a record: kind, path, stat (mtime, ctime, size, inode), bytes of its fields, and index and key in turn. */
export type RecordLine = readonly [VaultRecord['kind'], string, number, number, number, number, number, ...string[]];
/** That there is no record of a path any more. */
type GoneLine = readonly [path: string];
export type CacheLine = RecordLine | GoneLine;

/** Some lines, and the fields of the records in them, one behind the other. */
export interface Block {
  readonly lines: readonly CacheLine[];
  /** The part of the file's bytes in which the fields lie. */
  readonly contents: Buffer;
  readonly mark: string;
  /** Where the next block begins. */
  readonly end: number;
}

/** What makes the marks of a part: by another key, or in another place, its blocks are not believed. */
export interface Marks {
  readonly seal: Seal;
  /** The mark of the block before; of the first one, what all of the part was made under. */
  readonly before: string;
}

const LINE_END = 0x0a;
/** A first line is never longer. */
const MOST_HEAD = 200;
const head = z.object({ seal: z.string(), lines: z.int().min(2), contents: z.int().min(0) });

/** Whether a line tells of a record. */
export function isRecordLine(line: CacheLine): line is RecordLine {
  return line.length > 1;
}

/** Returns a block as it lies on disk, in slices, and its mark. */
export function blockOf(
  lines: readonly CacheLine[],
  contents: readonly (string | Buffer)[],
  { seal, before }: Marks,
): { readonly slices: readonly Buffer[]; readonly mark: string } {
  const body = [Buffer.from(JSON.stringify(lines)), Buffer.concat(contents.map(bytesOf))] as const;
  const sizes = { lines: body[0].length, contents: body[1].length };
  const mark = seal.ofAll([placed(before, sizes), ...body]);
  const first = Buffer.from(`${JSON.stringify({ seal: mark, ...sizes })}\n`);
  return { slices: [first, ...body], mark };
}

/** Yields the blocks that lie in a part's bytes, up to the first that this program did not put there. */
export function* blocksIn(bytes: Buffer, { seal, before }: Marks): Generator<Block> {
  let chain = before;
  for (let at = 0; at < bytes.length; ) {
    const block = blockAt(bytes, at, { seal, before: chain });
    if (block === null) return;
    yield block;
    chain = block.mark;
    at = block.end;
  }
}

function blockAt(bytes: Buffer, at: number, { seal, before }: Marks): Block | null {
  const cut = bytes.subarray(at, at + MOST_HEAD).indexOf(LINE_END);
  const sizes = cut < 0 ? null : headIn(bytes.toString('utf8', at, at + cut));
  if (sizes === null) return null;
  const from = at + cut + 1;
  const middle = from + sizes.lines;
  const end = middle + sizes.contents;
  if (end > bytes.length) return null;
  if (!seal.holdsAll([placed(before, sizes), bytes.subarray(from, end)], sizes.seal)) return null;
  const lines = JSON.parse(bytes.toString('utf8', from, middle)) as CacheLine[]; // under the mark: `blockOf` wrote it
  return { lines, contents: bytes.subarray(middle, end), mark: sizes.seal, end };
}

// With its place and its sizes: blocks can be neither exchanged nor cut elsewhere.
function placed(before: string, sizes: { readonly lines: number; readonly contents: number }): string {
  return `${before} ${sizes.lines} ${sizes.contents}\n`;
}

function headIn(text: string): z.infer<typeof head> | null {
  try {
    return head.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function bytesOf(content: string | Buffer): Buffer {
  return typeof content === 'string' ? Buffer.from(content) : content;
}
