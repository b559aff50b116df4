import { DartCode } from './dart-code.ts';
import type { DartToken } from './dart-tokens.ts';
import type { NamedPart } from './named-part.ts';

/*
 * There is no small parser for Dart. Declarations are recognized by their tokens: brackets are paired, and strings and
 * comments are whole, so extents are right even where a string contains `}`. Whatever remains ambiguous is left out.
 */

const TYPES: ReadonlySet<string> = new Set(['class', 'mixin', 'enum', 'extension', 'typedef']);
/** Words that may precede a bracket but name nothing. */
const CONTROL: ReadonlySet<string> = new Set(
  'if for while switch catch return assert await throw super this new const else do in is as case when yield late final var Function'.split(
    ' ',
  ),
);
/** What may precede a call, but never the name of a function with a body. */
const BEFORE_CALLS: ReadonlySet<string> = new Set(['=', '(', ',', 'return', '?']);
const MAX_TYPE_ARGUMENTS = 40;

/** Returns the classes, functions, variables and keys of Dart. */
export function dartNames(text: string): readonly NamedPart[] {
  const code = new DartCode(text);
  return code.tokens.flatMap((token, at) => typeAt(code, at) ?? functionAt(code, at) ?? valueAt(code, token, at) ?? []);
}

function typeAt(code: DartCode, at: number): NamedPart | null {
  const { tokens } = code;
  const token = tokens[at];
  if (token?.kind !== 'word' || !TYPES.has(token.text)) return null;
  const named = ['class', 'type'].includes(tokens[at + 1]?.text ?? '') ? at + 2 : at + 1;
  const name = tokens[named];
  if (name?.kind !== 'word' || (tokens[at - 1]?.text === 'mixin' && token.text === 'class')) return null;
  return definition(code, name, token.text, at, named + 1);
}

function functionAt(code: DartCode, at: number): NamedPart | null {
  const { tokens } = code;
  const [token, before] = [tokens[at], tokens[at - 1]];
  if (token?.kind !== 'word' || CONTROL.has(token.text) || before?.text === '@') return null;
  const isGetter = before?.text === 'get' && ['{', '=>'].includes(bodySign(tokens, at + 1));
  if (isGetter) return definition(code, token, 'getter', at, at + 1);
  const bracket = afterTypeArguments(tokens, at + 1);
  const close = tokens[bracket]?.text === '(' ? (tokens[bracket]?.partner ?? -1) : -1;
  return close < 0 || !isDeclaration(tokens, at, close) ? null : definition(code, token, 'function', at, close + 1);
}

function definition(code: DartCode, { text }: DartToken, noun: string, at: number, behind: number): NamedPart {
  return { name: text, kind: 'definition', noun, ...code.extent(code.startOf(at), code.endOfBody(behind)) };
}

/** Whether a body follows, or the tokens before say that this declares a function without one. */
function isDeclaration(tokens: readonly DartToken[], at: number, close: number): boolean {
  const before = tokens[at - 1];
  const sign = bodySign(tokens, close + 1);
  if (sign === '{' || sign === '=>' || sign === ':') return !BEFORE_CALLS.has(before?.text ?? '');
  const typed = before?.kind === 'word' && !CONTROL.has(before.text);
  return sign === ';' && (typed || before?.text === '>' || before?.text === '?');
}

/** Returns the first sign of a function's body, after `async` and the like. */
function bodySign(tokens: readonly DartToken[], from: number): string {
  const isMark = /^(?:async|sync|native)$/.test(tokens[from]?.text ?? '');
  const at = isMark ? from + (tokens[from + 1]?.text === '*' ? 2 : 1) : from;
  return tokens[at]?.text ?? '';
}

function valueAt(code: DartCode, token: DartToken, at: number): NamedPart | null {
  const { tokens } = code;
  const [before, next] = [tokens[at - 1]?.text ?? '', tokens[at + 1]?.text];
  if (token.kind === 'sign') return null;
  const assigns = token.kind === 'word' && next === '=';
  const keyed = next === ':' && ['(', ',', '{'].includes(before);
  const last = assigns || keyed ? code.endOfValue(at + 2) : -1;
  if (last < at + 2) return null;
  return {
    name: token.kind === 'word' ? token.text : token.text.slice(1, -1),
    kind: 'value',
    noun: keyed ? 'key' : 'value',
    ...code.extent(at, last),
  };
}

/** Returns the index after the type arguments `<…>`, or `at` where there are none. */
function afterTypeArguments(tokens: readonly DartToken[], at: number): number {
  if (tokens[at]?.text !== '<') return at;
  let depth = 0;
  for (let index = at; index < Math.min(tokens.length, at + MAX_TYPE_ARGUMENTS); index += 1) {
    if (tokens[index]?.text === '<') depth += 1;
    if (tokens[index]?.text === '>') depth -= 1;
    if (depth === 0) return index + 1;
  }
  return at;
}
