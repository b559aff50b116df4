import { type CSSToken, TokenType, tokenize } from '@csstools/css-tokenizer';

/** One piece of a value, in lower case: a word, a function's name with its `(`, a sign, or a number with its unit. */
export interface Part {
  readonly text: string;
  /** Null where it is no number. */
  readonly number: number | null;
  /** `px`, `%`; '' for a bare number and for what is none. */
  readonly unit: string;
}

/** What a declaration gives a property, with escapes read and without comments. */
export type Value = readonly Part[];

/** One `property: value`, the property in lower case. */
export interface Declaration {
  readonly property: string;
  readonly value: Value;
  readonly important: boolean;
}

/** A selector list as written, and what is declared for it. */
interface Rule {
  readonly selectors: string;
  readonly declarations: readonly Declaration[];
  /** Whether it holds for every reader: not under a condition, and not within another rule. */
  readonly isCertain: boolean;
}

/** Rules of a style sheet that stand in one block, and the declarations between them. */
interface Block {
  readonly declarations: Declaration[];
  readonly rules: Rule[];
}

type Tokens = readonly CSSToken[];

/** Blocks of these hold no rules for elements. */
const NO_RULES = new Set(['font-face', 'keyframes', '-webkit-keyframes', '-moz-keyframes', 'page', 'property']);
/** The window in which a mail is read, in px: rules for narrower ones are for telephones. */
const WINDOW = 1000;
const MAX_DEPTH = 16;
/** What closes what is opened. */
const CLOSERS: ReadonlyMap<string, string> = new Map<string, string>([
  [TokenType.OpenCurly, TokenType.CloseCurly],
  [TokenType.OpenParen, TokenType.CloseParen],
  [TokenType.OpenSquare, TokenType.CloseSquare],
  [TokenType.Function, TokenType.CloseParen],
]);

/** Returns what a `style` attribute declares, in order. What no browser could read is left out. */
export function declarationsOf(style: string): readonly Declaration[] {
  return blockOf(tokensOf(style), 0).declarations;
}

/** Returns the rules of a style sheet that hold on a screen as wide as a desk's, in order. */
export function rulesOf(sheet: string): readonly Rule[] {
  return blockOf(tokensOf(sheet), 0).rules;
}

/** Returns the names of a style sheet's at-rules, and all its words, with escapes read. */
export function namesIn(sheet: string): { readonly rules: readonly string[]; readonly words: ReadonlySet<string> } {
  const tokens = tokensOf(sheet);
  const rules = tokens.flatMap((token) => (token[0] === TokenType.AtKeyword ? token[4].value.toLowerCase() : []));
  const words = tokens.flatMap((token) => (token[0] === TokenType.Ident ? token[4].value.toLowerCase() : []));
  return { rules, words: new Set(words) };
}

function tokensOf(css: string): Tokens {
  return tokenize({ css }).filter(
    ([type]) => type !== TokenType.CDO && type !== TokenType.CDC && type !== TokenType.EOF,
  );
}

function blockOf(tokens: Tokens, depth: number): Block {
  const block: Block = { declarations: [], rules: [] };
  let at = 0;
  while (at < tokens.length && depth < MAX_DEPTH) {
    const { end, opens } = itemEnd(tokens, at);
    const prelude = trimmed(tokens.slice(at, end));
    const close = opens ? blockEnd(tokens, end) : end;
    if (opens) readBlock(prelude, tokens.slice(end + 1, close), depth, block);
    else block.declarations.push(...declarationIn(prelude));
    at = close + 1;
  }
  return block;
}

/** Returns where a declaration or the beginning of a block ends: at its `;`, its `{`, or the end. */
function itemEnd(tokens: Tokens, from: number): { end: number; opens: boolean } {
  const open: string[] = [];
  for (let at = from; at < tokens.length; at += 1) {
    const type = tokens[at]?.[0] ?? '';
    if (open.length === 0 && type === TokenType.Semicolon) return { end: at, opens: false };
    if (open.length === 0 && type === TokenType.OpenCurly) return { end: at, opens: true };
    nest(open, type);
  }
  return { end: tokens.length, opens: false };
}

function blockEnd(tokens: Tokens, from: number): number {
  const open: string[] = [];
  for (let at = from; at < tokens.length; at += 1) {
    nest(open, tokens[at]?.[0] ?? '');
    if (open.length === 0) return at;
  }
  return tokens.length;
}

/** Keeps what is still to be closed. A closing sign that nothing waits for means nothing. */
function nest(open: string[], type: string): void {
  const closer = CLOSERS.get(type);
  if (closer !== undefined) open.push(closer);
  else if (open.at(-1) === type) open.pop();
}

function readBlock(prelude: Tokens, content: Tokens, depth: number, into: Block): void {
  const [first] = prelude;
  const name = first?.[0] === TokenType.AtKeyword ? first[4].value.toLowerCase() : null;
  const query = valueIn(prelude.slice(1));
  if (name !== null && (NO_RULES.has(name) || (name === 'media' && !isShown(query)))) return;
  const { declarations, rules } = blockOf(content, depth + 1);
  // A rule within a rule says `&` for what stands around it; read as anything, it holds for no less than it should.
  if (name === null)
    into.rules.push({ selectors: textOf(prelude).replaceAll('&', '*'), declarations, isCertain: true });
  const isCertain = name === 'media' && query.every(({ text }) => /^(?:only|screen|all)$/.test(text));
  into.rules.push(...rules.map((rule) => ({ ...rule, isCertain: rule.isCertain && isCertain })));
}

/** Whether a media query can hold where a mail is read: on a light screen of a desk's width. */
function isShown(query: Value): boolean {
  const isOther = query.some(({ text }) => /^(?:print|speech|not|dark)$/.test(text));
  return !isOther && query.every(({ text }, at) => !/^(?:min|max)-/.test(text) || fits(text, query.slice(at, at + 3)));
}

function fits(feature: string, [, , limit]: Value): boolean {
  if (!feature.endsWith('width') || limit?.number === undefined || limit.number === null) return true;
  const width = limit.unit === 'px' ? limit.number : limit.number * 16;
  return feature.startsWith('max') ? width >= WINDOW : width <= WINDOW;
}

function declarationIn(tokens: Tokens): readonly Declaration[] {
  const [name, ...rest] = tokens.filter(([type]) => !isBlank(type));
  if (name?.[0] !== TokenType.Ident || rest[0]?.[0] !== TokenType.Colon) return [];
  const parts = valueIn(rest.slice(1));
  const important = parts.at(-2)?.text === '!' && parts.at(-1)?.text === 'important';
  const value = important ? parts.slice(0, -2) : parts;
  return value.length === 0 ? [] : [{ property: name[4].value.toLowerCase(), value, important }];
}

function valueIn(tokens: Tokens): Value {
  return tokens.filter(([type]) => !isBlank(type)).map(partOf);
}

function partOf(token: CSSToken): Part {
  switch (token[0]) {
    case TokenType.Dimension:
      return { text: token[1].toLowerCase(), number: token[4].value, unit: token[4].unit.toLowerCase() };
    case TokenType.Percentage:
      return { text: token[1].toLowerCase(), number: token[4].value, unit: '%' };
    case TokenType.Number:
      return { text: token[1].toLowerCase(), number: token[4].value, unit: '' };
    case TokenType.Ident:
      return { text: token[4].value.toLowerCase(), number: null, unit: '' };
    case TokenType.Function:
      return { text: `${token[4].value.toLowerCase()}(`, number: null, unit: '' };
    case TokenType.Hash:
      return { text: `#${token[4].value.toLowerCase()}`, number: null, unit: '' };
    default:
      return { text: token[1].toLowerCase(), number: null, unit: '' };
  }
}

function textOf(tokens: Tokens): string {
  return tokens.map(([type, raw]) => (type === TokenType.Comment ? '' : raw)).join('');
}

function trimmed(tokens: Tokens): Tokens {
  const first = tokens.findIndex(([type]) => !isBlank(type));
  const last = tokens.findLastIndex(([type]) => !isBlank(type));
  return first === -1 ? [] : tokens.slice(first, last + 1);
}

function isBlank(type: CSSToken[0]): boolean {
  return type === TokenType.Whitespace || type === TokenType.Comment;
}
