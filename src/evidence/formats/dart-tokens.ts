/** A word, a string or a sign of Dart. Comments are not tokens. */
export interface DartToken {
  readonly kind: 'word' | 'string' | 'sign';
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** For a bracket, the index of the one it pairs with; otherwise -1. */
  readonly partner: number;
}

const SIMPLE =
  /\s+|\/\/[^\n]*|(?<word>[\p{L}_$][\p{L}\p{N}_$]*)|(?<number>\d[\w.]*)|(?<sign>=>|==|!=|<=|>=|\?\?=|[-+*/%&|^]=|[^\s])/uy;
const OPENING = /r?(?:'''|"""|'|")/y;
const PAIRS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Returns the tokens of a Dart text. An unclosed string or comment extends to the end of the text. */
export function dartTokens(text: string): readonly DartToken[] {
  const tokens: DartToken[] = [];
  for (let at = 0; at < text.length; ) {
    const string = matchAt(OPENING, text, at);
    const comment = text.startsWith('/*', at);
    if (comment) at = endOfComment(text, at);
    else if (string !== null && !isWordBefore(text, at)) {
      const to = endOfString(text, at, string[0]);
      tokens.push({ kind: 'string', text: text.slice(at, to), from: at, to, partner: -1 });
      at = to;
    } else {
      const match = matchAt(SIMPLE, text, at);
      const to = at + Math.max(1, match?.[0].length ?? 1);
      const { word, number, sign } = match?.groups ?? {};
      if (word !== undefined) tokens.push({ kind: 'word', text: word, from: at, to, partner: -1 });
      else if ((number ?? sign) !== undefined)
        tokens.push({ kind: 'sign', text: text.slice(at, to), from: at, to, partner: -1 });
      at = to;
    }
  }
  return paired(tokens);
}

function paired(tokens: readonly DartToken[]): readonly DartToken[] {
  const partners = new Map<number, number>();
  const open: number[] = [];
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind !== 'sign') continue;
    if ('([{'.includes(text)) open.push(index);
    const opening = PAIRS[text];
    const last = open.at(-1);
    if (opening === undefined || last === undefined || tokens[last]?.text !== opening) continue;
    open.pop();
    partners.set(last, index).set(index, last);
  }
  return tokens.map((token, index) => (partners.has(index) ? { ...token, partner: partners.get(index) ?? -1 } : token));
}

/** Returns the end of a comment. Comments nest in Dart. */
function endOfComment(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text.startsWith('/*', at)) {
      depth += 1;
      at += 1;
    } else if (text.startsWith('*/', at)) {
      depth -= 1;
      at += 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

/**
 * Returns the end of a string. It may contain `${…}`, which may contain strings: a list of those open avoids deep
 * recursion.
 */
function endOfString(text: string, from: number, opening: string): number {
  const open: { readonly quote: string; readonly raw: boolean; braces: number }[] = [quoteOf(opening)];
  let at = from + opening.length;
  while (at < text.length) {
    const top = open.at(-1);
    if (top === undefined) return at;
    if (top.braces > 0) at = inCode(text, at, open);
    else if (!top.raw && text[at] === '\\') at += 2;
    else if (!top.raw && text.startsWith('${', at)) {
      top.braces = 1;
      at += 2;
    } else if (text.startsWith(top.quote, at)) {
      open.pop();
      at += top.quote.length;
    } else if (text[at] === '\n' && top.quote.length === 1) {
      return at; // an unclosed string of one line
    } else at += 1;
  }
  return text.length;
}

function inCode(
  text: string,
  at: number,
  open: { readonly quote: string; readonly raw: boolean; braces: number }[],
): number {
  const top = open.at(-1);
  const string = matchAt(OPENING, text, at)?.[0];
  if (string !== undefined && !isWordBefore(text, at)) {
    open.push(quoteOf(string));
    return at + string.length;
  }
  if (top !== undefined && text[at] === '{') top.braces += 1;
  if (top !== undefined && text[at] === '}') top.braces -= 1;
  return at + 1;
}

function quoteOf(opening: string): { readonly quote: string; readonly raw: boolean; braces: number } {
  return { quote: opening.replace('r', ''), raw: opening.startsWith('r'), braces: 0 };
}

/** Whether an `r` ends a word, as in `for'x'`, and so does not start a raw string. */
function isWordBefore(text: string, at: number): boolean {
  return text[at] === 'r' && at > 0 && /[\p{L}\p{N}_$]/u.test(text[at - 1] ?? '');
}

function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at;
  return sticky.exec(text);
}
