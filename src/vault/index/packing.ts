import { stem } from '../note-names.ts';
import { emptyFields, type PackedKind, type VaultRecord } from './record.ts';

/** Large enough that the system gives it a mapping of its own, which holds nothing else in place. */
const CHUNK = 1024 * 1024;
/** The first piece: enough for a small vault, of which a process may keep a thousand. */
const FIRST_CHUNK = 128 * 1024;

/** Bytes that lie in a larger piece of memory, beside others. */
export interface Piece {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
}

/** The identity of a packed record. */
type Head = Pick<VaultRecord, 'path' | 'stat'> & { readonly kind: PackedKind };

/** The kinds of records that a vault has many of: tasks, and what grows in number with the years. They are kept packed. */
export const PACKED_KINDS = ['event', 'reversal', 'signal', 'task'] as const satisfies readonly PackedKind[];

/** Whether records of a kind are kept packed. */
export function isPackedKind(kind: VaultRecord['kind']): kind is PackedKind {
  return PACKED_KINDS.some((one) => one === kind);
}

interface Kind {
  readonly empty: Readonly<Record<string, unknown>>;
  readonly names: readonly string[];
  readonly numbers: ReadonlyMap<string, number>;
}

/**
 * Packs the fields of records as JSON, each as its number and its value, without what says nothing: most fields of most
 * events are empty.
 */
export class Packing {
  readonly #kinds = new Map<PackedKind, Kind>();

  /** The names of all fields by kind: what is packed under others cannot be unpacked. */
  get format(): readonly (readonly string[])[] {
    return PACKED_KINDS.map((kind) => this.#kind(kind).names);
  }

  /** Returns the fields of a record as JSON; null for one of a kind that is not packed. */
  pack(record: VaultRecord): string | null {
    if (record.kind === 'bad' || !isPackedKind(record.kind)) return null;
    const { empty, numbers } = this.#kind(record.kind);
    const fields: Readonly<Record<string, unknown>> = record.fields;
    const packed: unknown[] = [];
    for (const name in fields) {
      const value = fields[name];
      // A field that a note without it does not even have stands under its name.
      if (!saysNothing(value, empty[name])) packed.push(numbers.get(name) ?? name, value);
    }
    return JSON.stringify(packed);
  }

  /** Returns the record of what `pack` made. */
  unpack({ kind, path, stat }: Head, { bytes, from, to }: Piece): VaultRecord {
    const { empty, names } = this.#kind(kind);
    const packed: unknown[] = JSON.parse(bytes.toString('utf8', from, to));
    const fields: Record<string, unknown> = { ...empty };
    for (let nth = 0; nth < packed.length; nth += 2) fields[nameOf(packed[nth], names)] = packed[nth + 1];
    return { kind, path, name: stem(path), stat, fields } as VaultRecord; // packed from a record of this very kind
  }

  #kind(kind: PackedKind): Kind {
    const known = this.#kinds.get(kind);
    if (known !== undefined) return known;
    const empty = emptyFields(kind);
    const names = Object.keys(empty);
    const made = { empty, names, numbers: new Map(names.map((name, nth) => [name, nth])) };
    this.#kinds.set(kind, made);
    return made;
  }
}

/** Memory outside the heap that small texts share, so that none of them costs an object of its own. */
export class Room {
  #chunk = Buffer.alloc(0);
  #used = 0;

  /** Puts a text where there is room for it. */
  take(text: string): Piece {
    const left = this.#chunk.length - this.#used;
    // No character takes more than three bytes: only near the end of a piece they are counted.
    if (left < text.length * 3 && left < Buffer.byteLength(text)) {
      const usual = this.#chunk.length === 0 ? FIRST_CHUNK : CHUNK;
      this.#chunk = Buffer.allocUnsafeSlow(Math.max(usual, text.length * 3));
      this.#used = 0;
    }
    const from = this.#used;
    this.#used += this.#chunk.write(text, from);
    return { bytes: this.#chunk, from, to: this.#used };
  }
}

function nameOf(packed: unknown, names: readonly string[]): string {
  return typeof packed === 'number' ? (names[packed] ?? '') : String(packed);
}

function saysNothing(value: unknown, empty: unknown): boolean {
  if (value === undefined || value === empty) return true;
  if (typeof value !== 'object' || typeof empty !== 'object' || value === null || empty === null) return false;
  return isBare(value) && isBare(empty) && Array.isArray(value) === Array.isArray(empty);
}

function isBare(value: object): boolean {
  for (const _ in value) return false;
  return true;
}
