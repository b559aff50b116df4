import { COMPARISONS, type Comparison, type Condition, isMoment, type Literal, pathOf } from './condition.ts';
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
/** The words for each sign; "is" may stand before them. */
const SAID: Readonly<Record<Comparison, readonly string[]>> = {
  '==': ['equal to', 'equals to', 'equals', 'equal', 'exactly', 'of', 'the same as'],
  '!=': ['not equal to', 'does not equal', 'not', 'different from', 'other than'],
  '<=': ['less than or equal to', 'smaller than or equal to', 'at most', 'no more than', 'not more than', 'up to'],
  '>=': ['greater than or equal to', 'more than or equal to', 'at least', 'no less than', 'not less than'],
  '<': ['less than', 'smaller than', 'lower than', 'fewer than', 'below', 'under', 'before'],
  '>': ['greater than', 'more than', 'larger than', 'bigger than', 'higher than', 'above', 'over', 'after'],
};
/** Longer ones first, so that "at least" is not taken for less. */
const OPERATORS = COMPARISONS.flatMap((op) =>
  SAID[op].flatMap((text) => [`is ${text}`, `are ${text}`, text].map((said) => ({ words: said.split(' '), op }))),
)
  .concat([
    { words: ['is'], op: '==' },
    { words: ['are'], op: '==' },
  ])
  .sort((one, other) => other.words.length - one.words.length);
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
    const to = literalOf(literal);
    const isLoose = literal.kind === 'word' && typeof to === 'string';
    // What is over "1,000", "average" or another field is for somebody who understands it.
    if (isLoose && op !== '==' && op !== '!=' && !isMoment(to)) return null;
    return { kind: 'compare', field: field.text, op, to, ...(isLoose ? { loose: true } : {}) };
  }

  #operator(): Comparison | null {
    const said = OPERATORS.find(({ words }) => this.#takeWords(words));
    if (said !== undefined) return said.op;
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

  /** Takes words that follow each other, or none of them. */
  #takeWords(words: readonly string[]): boolean {
    const fits = words.every((word, nth) => isWord(this.#words[this.#at + nth], word));
    // What is left must still hold a value: in "status is over", over is one.
    if (!fits || this.#words.length <= this.#at + words.length) return false;
    this.#at += words.length;
    return true;
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
