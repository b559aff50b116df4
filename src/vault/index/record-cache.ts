import { z } from 'zod';
import { type FileStat, readBytes, sameStat, writeState } from '../files.ts';
import { stem } from '../note-names.ts';
import type { Seal } from '../seal.ts';
import { type IndexKey, indexKeys } from './index-keys.ts';
import { isPackedKind, Packing, type Piece } from './packing.ts';
import type { VaultRecord } from './record.ts';

/**
 * The records as last read, so that a start needs to read only what changed since.
 *
 * The first line carries the program's mark on the rest: a file that is not exactly what this program wrote, in the same
 * format and under the same settings, is ignored, whoever put it there. A table of contents follows, a line for each
 * record, then an empty line and the fields of each record, which are
 * parsed only when somebody first asks for them, since a start needs few.
 */
export class RecordCache {
  /** The records at the time of saving, by path. */
  readonly records: ReadonlyMap<string, CachedRecord>;

  /** Reads the cache of `file`, if it is ours and made under the same `key` (format and field mapping). */
  constructor(file: string, key: string, seal: Seal) {
    this.records = new Map(readRecords(file, key, seal).map((record) => [record.path, record]));
  }

  /** Returns the record of a file that has not changed since it was cached, or null. */
  get(file: string, stat: FileStat): CachedRecord | null {
    const record = this.records.get(file);
    return record?.isOf(stat) ? record : null;
  }
}

/** Writes the records of the catalogue for the next start. */
export function saveRecords(file: string, key: string, seal: Seal, records: Iterable<VaultRecord>): void {
  const [lines, contents] = [new Slices(), new Slices()];
  const packing = new Packing();
  for (const record of records) {
    const { kind, path, name: _, stat, ...content } = record;
    const json = packing.pack(record) ?? JSON.stringify(content);
    const { mtimeMs, ctimeMs, size, ino } = stat;
    const line: Line = [kind, path, mtimeMs, ctimeMs, size, ino, Buffer.byteLength(json), indexKeys(record)];
    lines.add(`${JSON.stringify(line)}\n`);
    contents.add(json);
  }
  lines.add('\n');
  const body = [...lines.taken(), ...contents.taken()];
  const head = Buffer.from(`${JSON.stringify({ key, seal: seal.ofAll(body) })}\n`);
  writeState(file, [head, ...body]);
}

const SLICE_CHARS = 256 * 1024;

/** A long text as bytes outside the heap, slice by slice: whole, it would take several times its size for a moment. */
class Slices {
  readonly #slices: Buffer[] = [];
  #texts: string[] = [];
  #chars = 0;

  add(text: string): void {
    this.#texts.push(text);
    this.#chars += text.length;
    if (this.#chars >= SLICE_CHARS) this.#cut();
  }

  /** Returns everything that was added. */
  taken(): readonly Buffer[] {
    this.#cut();
    return this.#slices;
  }

  #cut(): void {
    this.#slices.push(Buffer.from(this.#texts.join('')));
    this.#texts = [];
    this.#chars = 0;
  }
}

/** A line of the table of contents: kind, path, stat (mtime, ctime, size, inode), bytes of its fields, index keys. */
type Line = readonly [VaultRecord['kind'], string, number, number, number, number, number, readonly IndexKey[]];

/** A record in the cache: its path and index keys are available, its fields are not parsed yet. */
export class CachedRecord {
  readonly #line: Line;
  readonly #body: Buffer;
  readonly #from: number;

  constructor(line: Line, body: Buffer, from: number) {
    this.#line = line;
    this.#body = body;
    this.#from = from;
  }

  get kind(): VaultRecord['kind'] {
    return this.#line[0];
  }

  get path(): string {
    return this.#line[1];
  }

  get stat(): FileStat {
    const [, , mtimeMs, ctimeMs, size, ino] = this.#line;
    return { mtimeMs, ctimeMs, size, ino };
  }

  get keys(): readonly IndexKey[] {
    return this.#line[7];
  }

  /** Where its fields lie. */
  get piece(): Piece {
    return { bytes: this.#body, from: this.#from, to: this.#from + this.#line[6] };
  }

  /** Whether the file is still the one that was read. */
  isOf(stat: FileStat): boolean {
    return sameStat(this.stat, stat);
  }

  /** Returns the record itself, parsed. */
  record(): VaultRecord {
    const { kind, path, stat } = this;
    if (isPackedKind(kind)) return new Packing().unpack({ kind, path, stat }, this.piece);
    const content = JSON.parse(this.#body.toString('utf8', this.#from, this.#from + this.#line[6]));
    // The mark and the key make this the very text that `saveRecords` wrote from a record.
    return { kind, path, name: stem(path), stat, ...content } as VaultRecord;
  }
}

const LINE_END = 0x0a;
/** No vault's records are larger; a file that is was not written by this program. */
const MAX_CACHE_BYTES = 1024 ** 3;
const header = z.object({ key: z.string(), seal: z.string() });

function readRecords(file: string, key: string, seal: Seal): readonly CachedRecord[] {
  try {
    const { bytes } = readBytes(file, MAX_CACHE_BYTES);
    const cut = bytes.indexOf(LINE_END);
    const head = header.parse(JSON.parse(bytes.toString('utf8', 0, cut)));
    const body = bytes.subarray(cut + 1);
    return head.key === key && seal.holds(body, head.seal) ? recordsOf(body) : [];
  } catch {
    return []; // absent, torn or foreign: every note is read again
  }
}

// Line by line, and the fields apart: together they would be a hundred times the memory of one.
function recordsOf(body: Buffer): CachedRecord[] {
  const end = body.indexOf('\n\n') + 1;
  const contents = Buffer.from(body.subarray(end + 1)); // a copy, so that the rest can be freed
  const records: CachedRecord[] = [];
  let from = 0;
  for (let at = 0; at < end; ) {
    const next = body.indexOf(LINE_END, at);
    const line = JSON.parse(body.toString('utf8', at, next)) as Line; // under the mark, as above
    records.push(new CachedRecord(line, contents, from));
    from += line[6];
    at = next + 1;
  }
  return records;
}
