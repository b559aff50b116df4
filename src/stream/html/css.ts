import { type CSSToken, TokenType, tokenize } from '@csstools/css-tokenizer';
import { type Reach, reachOf, within } from './media.ts';

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
  /** For whom it holds: for `some` where it stands under a condition, or within another rule. */
  readonly reach: Reach;
}

/** Rules of a style sheet that stand in one block, and the declarations between them. */
interface Block {
  readonly declarations: Declaration[];
  readonly rules: Rule[];
}

type Tokens = readonly CSSToken[];

/** Blocks of these hold no rules for elements. */
const NO_RULES = new Set(['font-face', 'keyframes', '-webkit-keyframes', '-moz-keyframes', 'page', 'property']);
/** What these say without a selector is said of the rule around them. */
const GROUPS = new Set(['media', 'supports', 'layer', 'container', 'scope', 'starting-style']);
const AROUND = '&';
const MAX_DEPTH = 16;
/** Stands for what lies deeper than is read. */
const UNREAD = 'display:none';
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

/** Returns the rules of a style sheet that hold on some screen, in order. What is nested too deep may hide everything. */
export function rulesOf(sheet: string): readonly Rule[] {
  return blockOf(tokensOf(sheet), 0).rules;
}

/** What a style sheet names, with escapes read. */
export interface Names {
  /** Its at-rules. */
  readonly rules: readonly string[];
  /** The addresses of the style sheets that it imports; '' for one that cannot be read. */
  readonly imports: readonly string[];
  /** All its words. */
  readonly words: ReadonlySet<string>;
}

/** Returns what a style sheet names. */
export function namesIn(sheet: string): Names {
  const tokens = tokensOf(sheet).filter(([type]) => !isBlank(type));
  const rules = tokens.flatMap((token) => (token[0] === TokenType.AtKeyword ? token[4].value.toLowerCase() : []));
  const words = tokens.flatMap((token) => (token[0] === TokenType.Ident ? token[4].value.toLowerCase() : []));
  const imports = tokens.flatMap((token, at) =>
    token[0] === TokenType.AtKeyword && token[4].value.toLowerCase() === 'import'
      ? addressAt(tokens.slice(at + 1, at + 3))
      : [],
  );
  return { rules, imports, words: new Set(words) };
}

/** Returns the address that `url(a)`, `url("a")` or `"a"` is. */
function addressAt([first, second]: Tokens): string {
  const isQuoted = first?.[0] === TokenType.Function && first[4].value.toLowerCase() === 'url';
  const token = isQuoted ? second : first;
  return token?.[0] === TokenType.URL || token?.[0] === TokenType.String ? token[4].value : '';
}

function tokensOf(css: string): Tokens {
  return tokenize({ css }).filter(
    ([type]) => type !== TokenType.CDO && type !== TokenType.CDC && type !== TokenType.EOF,
  );
}

function blockOf(tokens: Tokens, depth: number): Block {
  const block: Block = { declarations: [], rules: [] };
  let at = 0;
  if (depth >= MAX_DEPTH)
    return { ...block, rules: [{ selectors: '*', declarations: declarationsOf(UNREAD), reach: 'some' }] };
  while (at < tokens.length) {
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
  const reach = name === null ? 'every' : name === 'media' ? reachOf(valueIn(prelude.slice(1))) : 'some';
  if (NO_RULES.has(name ?? '') || reach === 'none') return;
  const { declarations, rules } = blockOf(content, depth + 1);
  // A rule within a rule says `&` for what stands around it; read as anything, it holds for no less than it should.
  const own = name === null ? textOf(prelude).replaceAll('&', '*') : AROUND;
  if (name === null || GROUPS.has(name)) into.rules.push({ selectors: own, declarations, reach });
  const inner = name === null ? 'some' : reach;
  into.rules.push(
    ...rules.map((rule) => ({
      ...rule,
      selectors: rule.selectors === AROUND ? own : rule.selectors,
      reach: within(inner, rule.reach),
    })),
  );
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
    case TokenType.String:
      return { text: `"${token[4].value.toLowerCase()}"`, number: null, unit: '' };
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
