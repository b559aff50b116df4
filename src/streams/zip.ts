import { crc32, inflateRawSync } from 'node:zlib';
import { type ByteSource, FileRefusal } from './stream.ts';

export interface ZipEntry {
  /** Its name. Never used as a path on disk. */
  readonly name: string;
  readonly nth: number;
  readonly size: number;
  readonly packed: number;
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly crc: number;
  readonly offset: number;
}

const END_BYTES = 22;
const MOST_COMMENT = 65_535;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const MOST_LISTING = 16 * 1024 * 1024;
/** Text is packed to a tenth; what is packed to less than this is made to do harm. */
const MOST_RATIO = 250;
const MOST_TOTAL = 4 * 1024 * 1024 * 1024;
const SMALL = 64 * 1024;
const [STORED, DEFLATED] = [0, 8];
const NOT_WHOLE = 'The zip is damaged or not complete.';
const EXPORT_AGAIN = 'Export it again, and copy it whole.';

/** A zip that is opened entry by entry. It isn't unpacked to disk, and no zip within it is opened. */
export class ZipFile {
  readonly entries: readonly ZipEntry[];
  readonly #source: ByteSource;
  #unpacked = 0;

  /** Throws `FileRefusal` if it is not a whole zip. */
  constructor(source: ByteSource) {
    this.#source = source;
    this.entries = listed(source);
  }

  /** Returns the bytes of an entry. Throws if it is malicious, damaged, or larger than `most`. */
  read({ name, offset, packed, size, method, isEncrypted, crc }: ZipEntry, most: number): Uint8Array {
    if (isEncrypted) throw new Error('It is encrypted.');
    if (method !== STORED && method !== DEFLATED) throw new Error('It is packed in a way that is not read.');
    if (size > most) throw new Error(`It has ${mib(size)} MiB; at most ${mib(most)} MiB are read.`);
    if (size > SMALL && size > packed * MOST_RATIO) throw new Error('It unpacks to far more than text does.');
    if (offset + packed > this.#source.size) throw new Error(NOT_WHOLE);
    this.#unpacked += size;
    if (this.#unpacked > MOST_TOTAL) throw new Error('The zip unpacks to more than is read.');
    const start = offset + LOCAL_BYTES + this.#behindLocal(offset);
    const bytes = Buffer.from(this.#source.read(start, packed));
    const whole = method === STORED ? bytes : unpacked(bytes, size);
    if (whole.length !== size || crc32(whole) !== crc) throw new Error(`${name} is damaged.`);
    return whole;
  }

  #behindLocal(offset: number): number {
    const local = Buffer.from(this.#source.read(offset, LOCAL_BYTES));
    if (local.length < LOCAL_BYTES || local.readUInt32LE(0) !== 0x04034b50) throw new Error("It isn't at its place.");
    return local.readUInt16LE(26) + local.readUInt16LE(28);
  }
}

/** More than the listing says is no longer what was looked at before. */
function unpacked(bytes: Buffer, size: number): Buffer {
  try {
    return inflateRawSync(bytes, { maxOutputLength: Math.max(1, size) });
  } catch (error) {
    const isMore = error instanceof RangeError;
    throw new Error(isMore ? 'It unpacks to more than it says.' : 'It is damaged.');
  }
}

function listed(source: ByteSource): ZipEntry[] {
  const tailAt = Math.max(0, source.size - END_BYTES - MOST_COMMENT);
  const tail = Buffer.from(source.read(tailAt, source.size - tailAt));
  const end = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0 || end + END_BYTES > tail.length) throw new FileRefusal(NOT_WHOLE, EXPORT_AGAIN);
  const [count, length, offset] = [
    tail.readUInt16LE(end + 10),
    tail.readUInt32LE(end + 12),
    tail.readUInt32LE(end + 16),
  ];
  if (count === 0xffff || offset === 0xffffffff || length > MOST_LISTING)
    throw new FileRefusal('The zip is larger than the limit.', 'Export a shorter time.');
  return entriesIn(Buffer.from(source.read(offset, length)), count);
}

function entriesIn(listing: Buffer, count: number): ZipEntry[] {
  const entries: ZipEntry[] = [];
  for (let at = 0; entries.length < count; ) {
    if (at + ENTRY_BYTES > listing.length || listing.readUInt32LE(at) !== 0x02014b50)
      throw new FileRefusal(NOT_WHOLE, EXPORT_AGAIN);
    const name = listing.readUInt16LE(at + 28);
    entries.push({
      name: listing.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + name),
      nth: entries.length,
      packed: listing.readUInt32LE(at + 20),
      size: listing.readUInt32LE(at + 24),
      method: listing.readUInt16LE(at + 10),
      isEncrypted: (listing.readUInt16LE(at + 8) & 1) === 1,
      crc: listing.readUInt32LE(at + 16),
      offset: listing.readUInt32LE(at + 42),
    });
    at += ENTRY_BYTES + name + listing.readUInt16LE(at + 30) + listing.readUInt16LE(at + 32);
  }
  return entries;
}

function mib(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0);
}

const HEADER_BYTES = 30;
const MOST_NAMES = 50;

/** Returns the names of the files that begin in the first bytes of a zip; empty if it is not a zip. */
export function namesInZip(head: Uint8Array): readonly string[] {
  const view = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const names: string[] = [];
  let at = view.indexOf(LOCAL_FILE) === 0 ? 0 : -1;
  while (at >= 0 && at + HEADER_BYTES <= view.length && names.length < MOST_NAMES) {
    const length = view.readUInt16LE(at + 26);
    names.push(view.toString('utf8', at + HEADER_BYTES, at + HEADER_BYTES + length));
    at = view.indexOf(LOCAL_FILE, at + HEADER_BYTES + length);
  }
  return names;
}

const LOCAL_FILE = Buffer.from('PK\x03\x04', 'latin1');
