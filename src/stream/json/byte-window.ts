import type { ByteSource } from '../items/item.ts';

const WINDOW = 256 * 1024;

/** The bytes of a file one by one, of which only a window is in memory. */
export class ByteWindow {
  readonly #source: ByteSource;
  #start = 0;
  #bytes: Uint8Array = new Uint8Array();

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** Returns the byte at an offset; -1 behind the end of the file. */
  at(offset: number): number {
    const within = offset - this.#start;
    if (within >= 0 && within < this.#bytes.length) return this.#bytes[within] ?? -1;
    if (offset >= this.#source.size) return -1;
    this.#start = offset;
    this.#bytes = this.#source.read(offset, WINDOW);
    return this.#bytes[0] ?? -1;
  }

  /** Returns the text from one offset up to another. */
  text(from: number, until: number): string {
    return Buffer.from(this.#source.read(from, until - from)).toString('utf8');
  }
}
