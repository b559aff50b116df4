import { type Comparison, type Condition, type Literal, pathOf } from './condition.ts';
import { isWord, type Word } from './word.ts';

const SIGNS: Readonly<Record<string, Comparison>> = {
  '==': '==',
  '===': '==',
  '=': '==',
  '!=': '!=',
  '!==': '!=',
  '<>': '!=',
  '≠': '!=',
  '<': '<',
  '<=': '<=',
  '≤': '<=',
  '>': '>',
  '>=': '>=',
  '≥': '>=',
};
const MAX_DEPTH = 20;

/** Parses a condition: comparisons joined by and, or, not and brackets. Returns null where the words are not one. */
export function parseCondition(words: readonly Word[]): Condition | null {
  const reader = new Reader(words);
  const condition = reader.any(0);
  return reader.atEnd ? condition : null;
}

class Reader {
  readonly #words: readonly Word[];
  #at = 0;

  constructor(words: readonly Word[]) {
    this.#words = words;
  }

  get atEnd(): boolean {
    return this.#at === this.#words.length;
  }

  any(depth: number): Condition | null {
    return this.#joined('or', ['or'], '||', () => this.#all(depth));
  }

  #all(depth: number): Condition | null {
    return this.#joined('and', ['and'], '&&', () => this.#one(depth));
  }

  #joined(kind: 'and' | 'or', names: readonly string[], sign: string, read: () => Condition | null): Condition | null {
    const parts: Condition[] = [];
    do {
      const part = read();
      if (part === null) return null;
      parts.push(part);
    } while (this.#takeWord(...names) || this.#takeSign(sign));
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind, parts };
  }

  #one(depth: number): Condition | null {
    if (depth > MAX_DEPTH) return null;
    if (this.#takeWord('not') || this.#takeSign('!')) {
      const part = this.#one(depth + 1);
      return part === null ? null : { kind: 'not', part };
    }
    if (!this.#takeSign('(')) return this.#comparison();
    const inner = this.any(depth + 1);
    return this.#takeSign(')') ? inner : null;
  }

  #comparison(): Condition | null {
    const field = this.#take();
    if (field === null || field.kind === 'sign' || pathOf(field.text).length === 0) return null;
    const op = this.#operator();
    const literal = op === null ? null : this.#take();
    if (op === null || literal === null || literal.kind === 'sign') return null;
    return { kind: 'compare', field: field.text, op, to: literalOf(literal) };
  }

  #operator(): Comparison | null {
    if (this.#takeWord('is')) return this.#takeWord('not') ? '!=' : '==';
    if (this.#takeWord('equals', 'equal')) {
      this.#takeWord('to');
      return '==';
    }
    const sign = this.#words[this.#at];
    const op = sign?.kind === 'sign' ? SIGNS[sign.text] : undefined;
    if (op === undefined) return null;
    this.#at += 1;
    return op;
  }

  #take(): Word | null {
    const word = this.#words[this.#at];
    if (word === undefined) return null;
    this.#at += 1;
    return word;
  }

  #takeWord(...names: readonly string[]): boolean {
    const fits = isWord(this.#words[this.#at], ...names);
    if (fits) this.#at += 1;
    return fits;
  }

  #takeSign(sign: string): boolean {
    const word = this.#words[this.#at];
    const fits = word?.kind === 'sign' && word.text === sign;
    if (fits) this.#at += 1;
    return fits;
  }
}

/** Returns what a person means by a value. In quotes it is always a text. */
function literalOf({ kind, text }: Word): Literal {
  if (kind === 'quoted') return text;
  const folded = text.toLowerCase();
  if (folded === 'true' || folded === 'false') return folded === 'true';
  if (folded === 'null') return null;
  return /^[+-]?(?=\.?\d)\d*(?:\.\d*)?(?:e[+-]?\d+)?$/.test(folded) ? Number(text) : text;
}
