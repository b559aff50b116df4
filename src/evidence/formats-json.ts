import { createRequire } from 'node:module';
import type { parse } from 'csv-parse/sync';
import type MiniSearch from 'minisearch';
import { StewardError } from '../vault/errors.ts';

/** A value of a JSON text, and its offsets. */
export interface JsonNode {
  readonly from: number;
  readonly to: number;
  readonly items?: readonly JsonNode[];
  readonly members?: readonly JsonMember[];
}

interface JsonMember {
  readonly key: string;
  readonly from: number;
  readonly value: JsonNode;
}

const MAX_DEPTH = 500;
const BLANK = /[ \t\r\n]*/y;
const SCALAR = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;

/**
 * Parses a JSON text and returns each value with its offsets. Throws `evidence-not-json` with the line where the text is
 * invalid or nests more than 500 deep.
 */
export function parseJson(text: string): JsonNode {
  const reader = new Reader(text);
  const node = reader.value(0);
  reader.end();
  return node;
}

/** Returns the value of a node. */
export function plainOf(text: string, { from, to }: JsonNode): unknown {
  return JSON.parse(text.slice(from, to));
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#blanks();
  }

  value(depth: number): JsonNode {
    if (depth > MAX_DEPTH) throw this.#wrong(`nests more than ${MAX_DEPTH} deep`);
    const open = this.#text[this.#at];
    if (open === '[') return this.#array(depth);
    return open === '{' ? this.#object(depth) : this.#scalar();
  }

  end(): void {
    this.#blanks();
    if (this.#at < this.#text.length) throw this.#wrong('goes on behind its end');
  }

  #array(depth: number): JsonNode {
    const from = this.#at;
    const items: JsonNode[] = [];
    this.#listed(']', () => items.push(this.value(depth + 1)));
    return { from, to: this.#at, items };
  }

  #object(depth: number): JsonNode {
    const from = this.#at;
    const members: JsonMember[] = [];
    this.#listed('}', () => members.push(this.#member(depth)));
    return { from, to: this.#at, members };
  }

  #member(depth: number): JsonMember {
    const { from, to } = this.#scalar();
    const key: unknown = JSON.parse(this.#text.slice(from, to));
    this.#blanks();
    if (typeof key !== 'string' || this.#text[this.#at] !== ':') throw this.#wrong('is not valid JSON');
    this.#at += 1;
    this.#blanks();
    return { key, from, value: this.value(depth + 1) };
  }

  /** Reads what is between two brackets, separated by commas. */
  #listed(close: string, take: () => void): void {
    this.#at += 1;
    this.#blanks();
    for (let first = true; this.#text[this.#at] !== close; first = false) {
      if (!first) {
        if (this.#text[this.#at] !== ',') throw this.#wrong('is not valid JSON');
        this.#at += 1;
        this.#blanks();
      }
      take();
      this.#blanks();
    }
    this.#at += 1;
    if (this.#at > this.#text.length) throw this.#wrong('ends too early');
  }

  #scalar(): JsonNode {
    SCALAR.lastIndex = this.#at;
    const from = this.#at;
    const length = SCALAR.exec(this.#text)?.[0].length;
    if (length === undefined) throw this.#wrong('is not valid JSON');
    this.#at += length;
    return { from, to: this.#at };
  }

  #blanks(): void {
    BLANK.lastIndex = this.#at;
    this.#at += BLANK.exec(this.#text)?.[0].length ?? 0;
  }

  #wrong(how: string): StewardError {
    const line = this.#text.slice(0, this.#at).split('\n').length;
    return new StewardError({
      code: 'evidence-not-json',
      line,
      message: `The text ${how} (line ${line}).`,
      hint: 'Mend the file, or ask for its lines.',
    });
  }
}

/*
 * Parsers, each loaded with the first file of its kind: all together take longer to load than to count a hundred thousand
 * rows.
 */

const load = createRequire(import.meta.url);

export const cpp = (): typeof import('@lezer/cpp') => load('@lezer/cpp');
export const go = (): typeof import('@lezer/go') => load('@lezer/go');
export const java = (): typeof import('@lezer/java') => load('@lezer/java');
export const javascript = (): typeof import('@lezer/javascript') => load('@lezer/javascript');
export const python = (): typeof import('@lezer/python') => load('@lezer/python');
export const rust = (): typeof import('@lezer/rust') => load('@lezer/rust');
export const toml = (): typeof import('toml-eslint-parser') => load('toml-eslint-parser');
export const csv = (): { readonly parse: typeof parse } => load('csv-parse/sync');
/** For the words of a request, where nothing else answers it. */
export const miniSearch = (): typeof MiniSearch => load('minisearch');
