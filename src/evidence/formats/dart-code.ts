import { type DartToken, dartTokens } from './dart-tokens.ts';

const STARTS: ReadonlySet<string> = new Set([';', '{', '}', ',', '(', '[', '=>', '=']);
const VALUE_ENDS: ReadonlySet<string> = new Set([';', ',', '}', ')', ']']);
const BODY_SIGNS: ReadonlySet<string> = new Set([';', '=>', '=', '{', '}', ')', ']']);

/** The tokens of a Dart text, with the extents of its statements, values and bodies, computed once. */
export class DartCode {
  readonly tokens: readonly DartToken[];
  readonly #starts: Int32Array;
  readonly #values: Int32Array;
  readonly #bodies: Int32Array;

  constructor(text: string) {
    this.tokens = dartTokens(text);
    this.#starts = startsOf(this.tokens);
    this.#values = nextOfLevel(this.tokens, VALUE_ENDS);
    this.#bodies = nextOfLevel(this.tokens, BODY_SIGNS);
  }

  /** Returns the first token of the statement, or of the part between commas, around a token. */
  startOf(at: number): number {
    return this.#starts[at] ?? at;
  }

  /** Returns the last token of a value: the one before the next comma, semicolon or closing bracket of its level. */
  endOfValue(from: number): number {
    return (this.#values[from] ?? this.tokens.length) - 1;
  }

  /** Returns the last token of a body: its closing brace, the end of the value after `=>`, or a semicolon. */
  endOfBody(from: number): number {
    const sign = this.#bodies[from] ?? this.tokens.length;
    const { text, partner } = this.tokens[sign] ?? { text: '', partner: -1 };
    if (text === ';') return sign;
    if (text === '{') return partner < 0 ? this.tokens.length - 1 : partner;
    if (text !== '=>' && text !== '=') return sign - 1;
    const last = this.endOfValue(sign + 1);
    return this.tokens[last + 1]?.text === ';' ? last + 1 : last;
  }

  /** Returns the offsets of a range of tokens. */
  extent(first: number, last: number): { readonly from: number; readonly to: number } {
    const end = this.tokens[Math.min(last, this.tokens.length - 1)];
    return { from: this.tokens[first]?.from ?? 0, to: end?.to ?? 0 };
  }
}

function startsOf(tokens: readonly DartToken[]): Int32Array {
  const starts = new Int32Array(tokens.length);
  for (let at = 1; at < tokens.length; at += 1) {
    const before = tokens[at - 1];
    const isClosed = (before?.text === ')' || before?.text === ']') && before.partner >= 0;
    if (before?.kind === 'sign' && STARTS.has(before.text)) starts[at] = at;
    else starts[at] = starts[isClosed ? before.partner : at - 1] ?? at;
  }
  return starts;
}

/** Returns for each token the index of the next of these signs on its level, or the end. Skips what is in brackets. */
function nextOfLevel(tokens: readonly DartToken[], signs: ReadonlySet<string>): Int32Array {
  const next = new Int32Array(tokens.length + 1).fill(tokens.length);
  for (let at = tokens.length - 1; at >= 0; at -= 1) {
    const { kind, text, partner } = tokens[at] ?? { kind: 'sign', text: ';', partner: -1 };
    if (kind === 'sign' && signs.has(text)) next[at] = at;
    else next[at] = next[partner > at ? partner + 1 : at + 1] ?? tokens.length;
  }
  return next;
}
