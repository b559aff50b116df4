import { type DartToken, dartTokens } from './dart-tokens.ts';
import type { NamedPart } from './outline.ts';

/*
 * Dart has no light parser. Its declarations are told by their tokens: brackets pair, strings and comments are whole, so
 * that extents are true also where a text says `}`. What cannot be told apart with certainty is left out.
 */

const TYPES: ReadonlySet<string> = new Set(['class', 'mixin', 'enum', 'extension', 'typedef']);
/** Words that stand before a bracket and name nothing. */
const CONTROL: ReadonlySet<string> = new Set(
  'if for while switch catch return assert await throw super this new const else do in is as case when yield late final var Function'.split(
    ' ',
  ),
);

/** The classes, functions, variables and keys of Dart. */
export function dartNames(text: string): readonly NamedPart[] {
  const tokens = dartTokens(text);
  return tokens.flatMap(
    (token, at) => typeAt(tokens, at) ?? functionAt(tokens, at) ?? valueAt(token, tokens, at) ?? [],
  );
}

function typeAt(tokens: readonly DartToken[], at: number): readonly NamedPart[] | null {
  const token = tokens[at];
  if (token?.kind !== 'word' || !TYPES.has(token.text)) return null;
  const named = tokens[at + 1]?.text === 'class' || tokens[at + 1]?.text === 'type' ? at + 2 : at + 1;
  const name = tokens[named];
  if (name?.kind !== 'word' || (tokens[at - 1]?.text === 'mixin' && token.text === 'class')) return null;
  return [part(name.text, 'definition', tokens, startOf(tokens, at), endOfBody(tokens, named + 1))];
}

function functionAt(tokens: readonly DartToken[], at: number): readonly NamedPart[] | null {
  const [token, before] = [tokens[at], tokens[at - 1]];
  if (token?.kind !== 'word' || CONTROL.has(token.text) || before?.text === '@') return null;
  if (before?.text === 'get' && ['{', '=>'].includes(bodySign(tokens, at + 1)))
    return [part(token.text, 'definition', tokens, startOf(tokens, at), endOfBody(tokens, at + 1))];
  const bracket = afterTypeArguments(tokens, at + 1);
  const close = tokens[bracket]?.text === '(' ? tokens[bracket]?.partner : undefined;
  if (close === undefined || close < 0 || !isDeclaration(tokens, at, close)) return null;
  return [part(token.text, 'definition', tokens, startOf(tokens, at), endOfBody(tokens, close + 1))];
}

/** A body follows, or what stands before says that it is declared here without one. */
function isDeclaration(tokens: readonly DartToken[], at: number, close: number): boolean {
  const sign = bodySign(tokens, close + 1);
  if (sign === '{' || sign === '=>' || sign === ':')
    return !['=', '(', ',', 'return', '?'].includes(tokens[at - 1]?.text ?? '');
  const before = tokens[at - 1];
  const typed = before?.kind === 'word' && !CONTROL.has(before.text);
  return sign === ';' && (typed || before?.text === '>' || before?.text === '?');
}

/** What follows the brackets of a function: its body's first sign, behind `async` and the like. */
function bodySign(tokens: readonly DartToken[], from: number): string {
  let at = from;
  while (tokens[at]?.kind === 'word' && /^(?:async|sync|native)$/.test(tokens[at]?.text ?? '')) {
    at += tokens[at + 1]?.text === '*' ? 2 : 1;
  }
  return tokens[at]?.text ?? '';
}

function valueAt(token: DartToken, tokens: readonly DartToken[], at: number): readonly NamedPart[] | null {
  const [before, next] = [tokens[at - 1]?.text ?? '', tokens[at + 1]?.text];
  if (token.kind === 'sign') return null;
  const assigns = token.kind === 'word' && next === '=';
  const keyed = next === ':' && ['(', ',', '{'].includes(before);
  if (!assigns && !keyed) return null;
  const name = token.kind === 'word' ? token.text : token.text.slice(1, -1);
  const last = endOfValue(tokens, at + 2);
  return last < at + 2 ? null : [part(name, 'value', tokens, at, last)];
}

function part(
  name: string,
  kind: NamedPart['kind'],
  tokens: readonly DartToken[],
  first: number,
  last: number,
): NamedPart {
  const [from, to] = [tokens[first]?.from ?? 0, tokens[Math.min(last, tokens.length - 1)]?.to ?? 0];
  return { name, kind, from, to };
}

/** Where the statement that holds a token begins: behind the last `;`, `{`, `}` or `,` of its level. */
function startOf(tokens: readonly DartToken[], at: number): number {
  let start = at;
  for (let index = at - 1; index >= 0; index -= 1) {
    const { text, partner } = tokens[index] ?? { text: ';', partner: -1 };
    if (text === ')' || text === ']') index = Math.max(0, partner);
    else if ([';', '{', '}', ',', '(', '[', '=>', '='].includes(text)) break;
    start = index;
  }
  return start;
}

/** The last token of what begins here and ends with its braces, or with a semicolon of its level. */
function endOfBody(tokens: readonly DartToken[], from: number): number {
  for (let at = from; at < tokens.length; at += 1) {
    const { text, partner } = tokens[at] ?? { text: ';', partner: -1 };
    if (text === ';') return at;
    if (text === '=>' || text === '=') return endOfValue(tokens, at + 1) + 1;
    if (text === '{') return partner < 0 ? tokens.length - 1 : partner;
    if ((text === '(' || text === '[') && partner > at) at = partner;
    else if (text === '}' || text === ')' || text === ']') return at - 1;
  }
  return tokens.length - 1;
}

/** The last token of a value: before the `,` or `;` of its level, or the bracket that it stands in. */
function endOfValue(tokens: readonly DartToken[], from: number): number {
  for (let at = from; at < tokens.length; at += 1) {
    const { text, partner } = tokens[at] ?? { text: ';', partner: -1 };
    if (text === ';' || text === ',' || text === '}' || text === ')' || text === ']') return at - 1;
    if ((text === '(' || text === '[' || text === '{') && partner > at) at = partner;
  }
  return tokens.length - 1;
}

/** Behind `<…>` where a function has type arguments. */
function afterTypeArguments(tokens: readonly DartToken[], at: number): number {
  if (tokens[at]?.text !== '<') return at;
  let depth = 0;
  for (let index = at; index < Math.min(tokens.length, at + 40); index += 1) {
    if (tokens[index]?.text === '<') depth += 1;
    if (tokens[index]?.text === '>') depth -= 1;
    if (depth === 0) return index + 1;
  }
  return at;
}
