import type { SyntaxNode, SyntaxNodeRef, Tree } from '@lezer/common';
import { CORE_SCHEMA, loadAll } from 'js-yaml';
import type { AST } from 'toml-eslint-parser';
import type { ParsedNode } from 'yaml';
import { StewardError } from '../vault/errors.ts';
import { yaml } from '../vault/lazy-packages.ts';
import { CodeFences, extensionOf, type Source } from './files.ts';
import {
  cpp,
  csv,
  go,
  type JsonNode,
  java,
  javascript,
  parseJson,
  plainOf,
  python,
  rust,
  toml,
} from './formats-json.ts';
import { RowScan } from './formats-json-lines.ts';

/** A word, a string or a sign of Dart. Comments are not tokens. */
interface DartToken {
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
function dartTokens(text: string): readonly DartToken[] {
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

const STARTS: ReadonlySet<string> = new Set([';', '{', '}', ',', '(', '[', '=>', '=']);
const VALUE_ENDS: ReadonlySet<string> = new Set([';', ',', '}', ')', ']']);
const BODY_SIGNS: ReadonlySet<string> = new Set([';', '=>', '=', '{', '}', ')', ']']);

/** The tokens of a Dart text, with the extents of its statements, values and bodies, computed once. */
class DartCode {
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

/** Returns a function from an offset in the text to its line, counted from 1. */
function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

/** The nodes of a language that name something, each with what a person calls it. */
interface Grammar {
  readonly definitions: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, string>>;
  /** The nodes that are names. */
  readonly names: ReadonlySet<string>;
}

const GO: Grammar = {
  definitions: { FunctionDecl: 'function', MethodDecl: 'function', TypeSpec: 'type' },
  values: { ConstSpec: 'constant', VarSpec: 'variable' },
  names: new Set(['DefName', 'FieldName']),
};

const RUST: Grammar = {
  definitions: {
    FunctionItem: 'function',
    StructItem: 'struct',
    EnumItem: 'enum',
    UnionItem: 'union',
    TraitItem: 'trait',
    ImplItem: 'impl',
    TypeItem: 'type',
    ModItem: 'module',
    MacroDefinition: 'macro',
  },
  values: { ConstItem: 'constant', StaticItem: 'constant' },
  names: new Set(['BoundIdentifier', 'TypeIdentifier', 'Identifier']),
};

const JAVA: Grammar = {
  definitions: {
    ClassDeclaration: 'class',
    InterfaceDeclaration: 'interface',
    EnumDeclaration: 'enum',
    RecordDeclaration: 'record',
    AnnotationTypeDeclaration: 'interface',
    MethodDeclaration: 'function',
    ConstructorDeclaration: 'function',
  },
  values: { VariableDeclarator: 'value' },
  names: new Set(['Definition']),
};

const C: Grammar = {
  definitions: {
    FunctionDefinition: 'function',
    Declaration: 'function',
    FieldDeclaration: 'function',
    StructSpecifier: 'struct',
    ClassSpecifier: 'class',
    UnionSpecifier: 'union',
    EnumSpecifier: 'enum',
    NamespaceDefinition: 'namespace',
    TypeDefinition: 'type',
  },
  values: { InitDeclarator: 'value', PreprocDirective: 'macro' },
  names: new Set(['Identifier', 'TypeIdentifier', 'FieldIdentifier']),
};

/** Nodes that lie between a definition and its name. */
const BETWEEN = /Declarator$|^ScopedIdentifier$|^GenericType$/;
/** Nodes of which the last name is theirs: `impl Trait for Type`, `typedef Old New`, `Outer::inner`. */
const NAMED_LAST: ReadonlySet<string> = new Set(['ImplItem', 'TypeDefinition', 'ScopedIdentifier']);
/** Nodes of C in which the name of a type may precede the one that is declared. */
const RETURNS: ReadonlySet<string> = new Set(['FunctionDefinition', 'Declaration', 'FieldDeclaration']);
/** What is around a definition and belongs to it, where it holds no other one. */
const WRAPPERS: ReadonlySet<string> = new Set(['TypeDecl', 'TemplateDeclaration']);

/** Returns the functions, methods, types, constants and variables of Go. */
function goNames(text: string): readonly NamedPart[] {
  return namesIn(go().parser.parse(text), text, GO);
}

/** Returns the functions, types, blocks of methods, modules and constants of Rust. */
function rustNames(text: string): readonly NamedPart[] {
  return namesIn(rust().parser.parse(text), text, RUST);
}

/** Returns the classes, interfaces, methods and values of Java. */
function javaNames(text: string): readonly NamedPart[] {
  return namesIn(java().parser.parse(text), text, JAVA);
}

/** Returns the functions, classes, structures, values and macros of C and C++. */
function cNames(text: string): readonly NamedPart[] {
  return namesIn(cpp().parser.parse(text), text, C);
}

/**
 * These grammars guess where a text is not theirs: in C, a macro may hide a brace. So a part with an error in it or right
 * behind it is `unsure`, and so is, besides, a text that has an error anywhere.
 */
function namesIn(tree: Tree, text: string, grammar: Grammar): readonly NamedPart[] {
  const parts: NamedPart[] = [];
  const errors: number[] = [];
  tree.iterate({
    enter: ({ type, node, from }) => {
      if (type.isError) errors.push(from);
      parts.push(...partsAt(node, text, grammar));
    },
  });
  if (errors.length === 0) return parts;
  const all: NamedPart = { name: '', kind: 'unsure', noun: 'text', from: 0, to: text.length };
  return [all, ...parts.map((part): NamedPart => (isBroken(part, errors, text) ? { ...part, kind: 'unsure' } : part))];
}

/** One node names several values in `var a, b = 1, 2`. */
function partsAt(node: SyntaxNode, text: string, { definitions, values, names }: Grammar): readonly NamedPart[] {
  const noun = definitions[node.name] ?? values[node.name];
  const named = noun === undefined || !isWhole(node) ? null : nameOf(node, names);
  if (noun === undefined || named === null) return [];
  const { parent } = node;
  const isWrapped = parent !== null && WRAPPERS.has(parent.name) && parent.getChildren(node.name).length === 1;
  const { from, to } = isWrapped ? parent : node;
  const owner = node.name === 'MethodDecl' ? receiverOf(node, text) : scopeOf(named, text);
  const all = node.name.endsWith('Spec') && node.name !== 'TypeSpec' ? node.getChildren(named.name) : [named];
  return all.map((one) => ({
    name: text.slice(one.from, one.to),
    kind: isCut(node, text) ? 'unsure' : Object.hasOwn(definitions, node.name) ? 'definition' : 'value',
    noun: nounOf(node, noun),
    ...(owner === null ? {} : { owner }),
    from,
    to,
  }));
}

function nameOf(node: SyntaxNode, names: ReadonlySet<string>): SyntaxNode | null {
  const fitting: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling)
    if ((names.has(child.name) && !RETURNS.has(node.name)) || BETWEEN.test(child.name)) fitting.push(child);
  const one = NAMED_LAST.has(node.name) ? fitting.at(-1) : fitting[0];
  return one === undefined || names.has(one.name) ? (one ?? null) : nameOf(one, names);
}

/** Whether a node says what its name stands for: `struct a *b` only mentions one, `int a;` has no value. */
function isWhole(node: SyntaxNode): boolean {
  if (node.name.endsWith('Specifier')) return /List$/.test(node.lastChild?.name ?? '');
  if (/^(?:Field)?Declaration$/.test(node.name)) return declaresFunction(node);
  if (node.name === 'PreprocDirective') return node.firstChild?.name === '#define';
  return node.name !== 'VariableDeclarator' || node.getChild('AssignOp') !== null;
}

function declaresFunction(node: SyntaxNode): boolean {
  if (node.getChild('FunctionDeclarator') !== null) return true;
  const pointer = node.getChild('PointerDeclarator') ?? node.getChild('ReferenceDeclarator');
  return pointer !== null && declaresFunction(pointer);
}

/** What a type of Go is, as far as its node says. */
function nounOf(node: SyntaxNode, noun: string): string {
  if (node.name !== 'TypeSpec') return noun;
  if (node.getChild('StructType') !== null) return 'struct';
  return node.getChild('InterfaceType') === null ? noun : 'interface';
}

/** Whether the preprocessor may leave out a part of a function of C, and a brace with it. */
function isCut({ name, from, to }: SyntaxNode, text: string): boolean {
  return name === 'FunctionDefinition' && /^[ \t]*#[ \t]*(?:if|el)/m.test(text.slice(from, to));
}

/** Returns the type that a method of Go is written for. */
function receiverOf(node: SyntaxNode, text: string): string | null {
  const receiver = node.getChild('Parameters');
  const written = receiver === null ? '' : text.slice(receiver.from, receiver.to);
  return /([\p{L}_][\p{L}\p{N}_]{0,200})(?:\[[^\]]{0,200}\])?\s{0,9}\)$/u.exec(written)?.[1] ?? null;
}

/** Returns what stands before the `::` in front of a name. */
function scopeOf({ parent, from }: SyntaxNode, text: string): string | null {
  if (parent?.name !== 'ScopedIdentifier') return null;
  return /([\p{L}_][\p{L}\p{N}_]{0,200})(?:<[^>]{0,200}>)?::$/u.exec(text.slice(parent.from, from))?.[1] ?? null;
}

/** Whether one of these errors, which are in order, stands in a part or right behind it. */
function isBroken({ from, to }: NamedPart, errors: readonly number[], text: string): boolean {
  let [low, high] = [0, errors.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((errors[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  const behind = to + (/^\s*/.exec(text.slice(to, to + 200))?.[0].length ?? 0);
  return (errors[low] ?? Number.POSITIVE_INFINITY) <= behind;
}

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
function dartNames(text: string): readonly NamedPart[] {
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

/** Returns the keys of a JSON text, and the items of its lists by index. Throws `evidence-not-json`. */
function jsonNames(text: string): readonly NamedPart[] {
  const parts: NamedPart[] = [];
  collect(parseJson(text), parts);
  return parts;
}

function collect(node: JsonNode, parts: NamedPart[]): void {
  for (const { key, from, value } of node.members ?? []) {
    parts.push({ name: key, kind: 'value', noun: 'key', from, to: value.to });
    collect(value, parts);
  }
  for (const [index, item] of (node.items ?? []).entries()) {
    parts.push({ name: String(index), kind: 'value', noun: 'item', from: item.from, to: item.to });
    collect(item, parts);
  }
}

/** Longer YAML is refused, since parsing it takes too long. */
const MAX_CHARS = 400_000;

/** Returns the keys of a YAML text, and the items of its lists by index. Throws where it is malformed or too long. */
function yamlNames(text: string): readonly NamedPart[] {
  if (text.length > MAX_CHARS) throw tooLong();
  // First through js-yaml, which refuses deep nesting: `yaml` may crash on it.
  loadAll(text, () => {}, { schema: CORE_SCHEMA });
  const parts: NamedPart[] = [];
  for (const document of yaml().parseAllDocuments(text, { uniqueKeys: false })) {
    if ('contents' in document && document.contents !== null) collectOutlineYaml(document.contents, parts);
  }
  return parts;
}

function collectOutlineYaml(node: ParsedNode, parts: NamedPart[]): void {
  const { isMap, isScalar, isSeq } = yaml();
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      const to = value?.range[1] ?? key.range[1];
      if (isScalar(key)) parts.push({ name: String(key.value), kind: 'value', noun: 'key', from: key.range[0], to });
      if (value !== null) collectOutlineYaml(value, parts);
    }
  } else if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) {
      if (!('range' in item) || !item.range) continue;
      parts.push({ name: String(index), kind: 'value', noun: 'item', from: item.range[0], to: item.range[1] });
      collectOutlineYaml(item, parts);
    }
  }
}

function tooLong(): StewardError {
  return new StewardError({
    code: 'evidence-malformed',
    message: `YAML of more than ${MAX_CHARS} characters is not taken apart.`,
    hint: 'Ask for its lines.',
  });
}

const FRONTMATTER = /^---[ \t]*\r?\n/;
const FRONTMATTER_END = /^(?:---|\.\.\.)[ \t]*\r?$/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+([^\r\n]*)/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*\r?$/;

/** Returns the headings of a Markdown text, each with its section, and the fields of its frontmatter. */
function markdownNames(text: string): readonly NamedPart[] {
  const block = frontmatterOf(text);
  return [...(block === null ? [] : fieldsIn(text, block)), ...headingsIn(text, block?.to ?? 0)];
}

/** Returns the fields of the frontmatter. None where it is malformed, so that the headings are still found. */
function fieldsIn(text: string, { from, to }: { readonly from: number; readonly to: number }): readonly NamedPart[] {
  try {
    // A comment of the same length replaces the fence, so that the offsets are those of the note.
    return yamlNames(`${'#'.repeat(from - 1)}\n${text.slice(from, to)}`);
  } catch {
    return [];
  }
}

/** Returns the offsets of the text between the fences, or null. */
function frontmatterOf(text: string): { readonly from: number; readonly to: number } | null {
  const opening = FRONTMATTER.exec(text);
  if (opening === null) return null;
  const from = opening[0].length;
  for (const line of linesFrom(text, from)) if (FRONTMATTER_END.test(line.line)) return { from, to: line.from };
  return null;
}

interface Heading {
  readonly name: string;
  readonly level: number;
  readonly from: number;
}

function headingsIn(text: string, body: number): readonly NamedPart[] {
  const headings: Heading[] = [];
  const fences = new CodeFences();
  let before: { line: string; from: number } | null = null;
  for (const { line, from } of linesFrom(text, body)) {
    const isCode = fences.isCode(line);
    const heading = isCode ? null : headingAt(line, from, before);
    if (heading !== null) headings.push(heading);
    before = isCode ? null : { line, from };
  }
  return sectionsOf(headings, text.length);
}

function headingAt(line: string, from: number, before: { line: string; from: number } | null): Heading | null {
  const [, marks, title = ''] = HEADING.exec(line) ?? [];
  if (marks !== undefined) return { name: plain(title), level: marks.length, from };
  const isText = before !== null && /\S/.test(before.line) && !/^\s{0,9}(?:[#>|*+-]|\d+[.)])/.test(before.line);
  if (!isText || !UNDERLINE.test(line)) return null;
  return { name: plain(before.line), level: line.includes('=') ? 1 : 2, from: before.from };
}

/** A section extends to the next heading of the same or a higher level. */
function sectionsOf(headings: readonly Heading[], end: number): readonly NamedPart[] {
  const open: Heading[] = [];
  const parts: NamedPart[] = [];
  const close = (level: number, to: number) => {
    for (let top = open.at(-1); top !== undefined && top.level >= level; top = open.at(-1)) {
      parts.push({ name: top.name, kind: 'heading', noun: 'section', from: top.from, to });
      open.pop();
    }
  };
  for (const heading of headings) {
    close(heading.level, heading.from);
    open.push(heading);
  }
  close(0, end);
  return parts;
}

function plain(title: string): string {
  return title
    .trim()
    .replace(/(?<=\s)#+$/, '')
    .replace(/[*_`]/g, '')
    .trim();
}

function* linesFrom(text: string, start: number): Generator<{ readonly line: string; readonly from: number }> {
  for (let from = start; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const to = end === -1 ? text.length : end;
    yield { line: text.slice(from, to), from };
    from = to + 1;
  }
}

/** Returns the functions, classes, variables and properties of TypeScript and JavaScript. */
function scriptNames(text: string): readonly NamedPart[] {
  return namesInOutlineScript(javascript().parser.configure({ dialect: 'ts jsx' }).parse(text), text);
}

/** Returns the functions, classes, variables and keys of Python. */
function pythonNames(text: string): readonly NamedPart[] {
  return namesInOutlineScript(python().parser.parse(text), text);
}

/** The nodes that define something, in the grammars of both languages, and what it is called. */
const DEFINITIONS: ReadonlyMap<string, string> = new Map([
  ['FunctionDeclaration', 'function'],
  ['ClassDeclaration', 'class'],
  ['MethodDeclaration', 'function'],
  ['InterfaceDeclaration', 'interface'],
  ['TypeAliasDeclaration', 'type'],
  ['EnumDeclaration', 'enum'],
  ['NamespaceDeclaration', 'namespace'],
  ['FunctionDefinition', 'function'],
  ['ClassDefinition', 'class'],
]);
/** The values that are called what they are. */
const VALUES: ReadonlyMap<string, string> = new Map([
  ['ArrowFunction', 'function'],
  ['FunctionExpression', 'function'],
  ['LambdaExpression', 'function'],
  ['ClassExpression', 'class'],
]);
const NAMES: ReadonlySet<string> = new Set([
  'VariableDefinition',
  'PropertyDefinition',
  'PrivatePropertyDefinition',
  'TypeDefinition',
  'PropertyName',
  'VariableName',
  'MemberExpression',
  'String',
]);
/** The nodes in which a colon separates a name from its value. */
const KEYED: ReadonlySet<string> = new Set(['Property', 'DictionaryExpression']);
/** Wrappers that belong to a definition. */
const WRAPPERS_OUTLINE_SCRIPT: ReadonlySet<string> = new Set(['ExportDeclaration', 'DecoratedStatement']);
const ENDS: ReadonlySet<string> = new Set([',', ';', ')', '}', ']']);

function namesInOutlineScript(tree: Tree, text: string): readonly NamedPart[] {
  const parts: NamedPart[] = [];
  tree.iterate({
    enter: (node) => {
      if (DEFINITIONS.has(node.name) || isMethod(node)) parts.push(...definitionAt(node, text));
      else if (NAMES.has(node.name)) parts.push(...valueAtOutlineScript(node, text));
    },
  });
  return parts;
}

/** `{ name() { … } }` is a property in the grammar, but one with parameters. */
function isMethod({ name, node }: SyntaxNodeRef): boolean {
  return name === 'Property' && node.getChild('ParamList') !== null;
}

function definitionAt({ node }: SyntaxNodeRef, text: string): readonly NamedPart[] {
  const noun = DEFINITIONS.get(node.name) ?? 'function';
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (!NAMES.has(child.name)) continue;
    const outer = node.parent !== null && WRAPPERS_OUTLINE_SCRIPT.has(node.parent.name) ? node.parent : node;
    return [{ name: nameOfOutlineScript(child, text), kind: 'definition', noun, from: outer.from, to: outer.to }];
  }
  return [];
}

/** Returns a name that is followed by `=`, or as a key by a colon, and a value. */
function valueAtOutlineScript({ node }: SyntaxNodeRef, text: string): readonly NamedPart[] {
  const next = node.nextSibling;
  const sign = next?.name === 'TypeAnnotation' || next?.name === 'TypeDef' ? next.nextSibling : next;
  const assigns = sign?.name === 'Equals' || sign?.name === 'AssignOp';
  if (!assigns && !(sign?.name === ':' && KEYED.has(node.parent?.name ?? ''))) return [];
  let last: SyntaxNode = sign;
  for (let at = sign.nextSibling; at !== null && !ENDS.has(at.name); at = at.nextSibling) last = at;
  const noun = VALUES.get(last.name) ?? (assigns ? 'value' : 'key');
  return last === sign
    ? []
    : [{ name: nameOfOutlineScript(node, text), kind: 'value', noun, from: node.from, to: last.to }];
}

function nameOfOutlineScript(node: SyntaxNode, text: string): string {
  const named = node.name === 'MemberExpression' ? (node.lastChild ?? node) : node;
  const written = text.slice(named.from, named.to);
  return named.name === 'String' ? written.replace(/^[bBrRuU]{0,2}(["'])(.*)\1$/s, '$2') : written.replace(/^#/, '');
}

/** Returns the keys and tables of a TOML text, and the items of its lists by index. Throws where it is malformed. */
function tomlNames(text: string): readonly NamedPart[] {
  const parts: NamedPart[] = [];
  for (const node of toml().parseTOML(text, { filePath: 'x.toml' }).body[0].body) collectOutlineToml(node, parts);
  return parts;
}

function collectOutlineToml(node: AST.TOMLTable | AST.TOMLKeyValue | AST.TOMLContentNode, parts: NamedPart[]): void {
  const [from, to] = node.range;
  if (node.type === 'TOMLTable' || node.type === 'TOMLKeyValue') {
    const noun = node.type === 'TOMLTable' ? 'table' : 'key';
    // `[a.b]` and `a.b = 1` are b inside a: both get the same extent, and the second is taken as nested in the first.
    for (const key of node.key.keys) parts.push({ name: nameOfOutlineToml(key), kind: 'value', noun, from, to });
    for (const inner of node.type === 'TOMLTable' ? node.body : [node.value]) collectOutlineToml(inner, parts);
  } else if (node.type === 'TOMLInlineTable') {
    for (const inner of node.body) collectOutlineToml(inner, parts);
  } else if (node.type === 'TOMLArray') {
    for (const [index, item] of node.elements.entries()) {
      parts.push({ name: String(index), kind: 'value', noun: 'item', from: item.range[0], to: item.range[1] });
      collectOutlineToml(item, parts);
    }
  }
}

function nameOfOutlineToml(key: AST.TOMLBare | AST.TOMLQuoted): string {
  return key.type === 'TOMLBare' ? key.name : String(key.value);
}

/** A named part with its lines and the names of the parts around it. */
export interface PlacedPart {
  /** The names of the enclosing parts, outermost first, then its own. */
  readonly path: readonly string[];
  readonly kind: NamedPart['kind'];
  /** What a person calls it: function, method, class, key, section. */
  readonly noun: string;
  readonly first: number;
  readonly last: number;
}

/** Returns the named parts of a text. Throws where the text is malformed. */
type Outliner = (text: string) => readonly NamedPart[];

const OUTLINERS: Readonly<Record<string, Outliner>> = {
  json: jsonNames,
  yaml: yamlNames,
  yml: yamlNames,
  toml: tomlNames,
  md: markdownNames,
  markdown: markdownNames,
  dart: dartNames,
  py: pythonNames,
  pyi: pythonNames,
  go: goNames,
  rs: rustNames,
  java: javaNames,
  ...Object.fromEntries(['c', 'h', 'cc', 'cpp', 'cxx', 'hh', 'hpp'].map((extension) => [extension, cNames])),
  ...Object.fromEntries(
    ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'].map((extension) => [extension, scriptNames]),
  ),
};

/** Longer texts are refused, since parsing them would take too long. */
const MAX_CHARS_OUTLINE = 4_000_000;

/**
 * Returns everything in a source that has a name, in order; null for an unknown extension. Throws a `StewardError` where
 * the text is malformed or too long.
 */
export function outlineOf(source: Source): readonly PlacedPart[] | null {
  const extension = extensionOf(source);
  const outliner = Object.hasOwn(OUTLINERS, extension) ? OUTLINERS[extension] : undefined;
  if (outliner === undefined) return null;
  if (source.text.length > MAX_CHARS_OUTLINE) throw tooLongOutline(source.path);
  try {
    return placed(source.text, outliner(source.text));
  } catch (error) {
    if (error instanceof StewardError) throw error;
    throw malformed(source.path, error);
  }
}

/** The longest path of a part. */
const MAX_PATH = 40;

/** Adds to each part its lines and its path. */
function placed(text: string, parts: readonly NamedPart[]): readonly PlacedPart[] {
  const lineOf = lineFinder(text);
  const around: NamedPart[] = [];
  return parts
    .toSorted((one, other) => one.from - other.from || other.to - one.to)
    .map((part) => {
      while ((around.at(-1)?.to ?? Number.POSITIVE_INFINITY) <= part.from) around.pop();
      const noun = nounWithin(around.at(-1), part);
      around.push(part);
      const last = Math.max(part.from, part.from + text.slice(part.from, part.to).trimEnd().length - 1);
      return {
        path: pathOf(around, part),
        kind: part.kind,
        noun,
        first: lineOf(part.from),
        last: lineOf(last),
      };
    });
}

/** The names around a part and its own. What is unsure may only seem to be around it. */
function pathOf(around: readonly NamedPart[], part: NamedPart): readonly string[] {
  const sure = around.slice(-MAX_PATH, -1).filter(({ kind }) => kind !== 'unsure');
  return [...sure, part].flatMap(({ owner, name }) => (owner === undefined ? [name] : [owner, name]));
}

const HOLDS_METHODS: ReadonlySet<string> = new Set(
  'class mixin enum extension struct impl trait interface record union'.split(' '),
);

/** A function within a class is a method of it, or what makes one of it. */
function nounWithin(outer: NamedPart | undefined, { noun, name, owner }: NamedPart): string {
  if (noun !== 'function') return noun;
  if (owner !== undefined) return 'method';
  if (outer === undefined || !HOLDS_METHODS.has(outer.noun)) return noun;
  return outer.name === name ? 'constructor' : 'method';
}

function malformed(file: string, error: unknown): StewardError {
  const line = error instanceof Error && 'lineNumber' in error ? ` (line ${String(error.lineNumber)})` : '';
  return new StewardError({
    code: 'evidence-malformed',
    file,
    message: `${file} could not be read as what its name says it is${line}.`,
    hint: 'Mend the file, or ask for its lines.',
  });
}

function tooLongOutline(file: string): StewardError {
  return new StewardError({
    code: 'evidence-too-long',
    file,
    message: `${file} is too long to be taken apart: it has more than ${MAX_CHARS_OUTLINE} characters.`,
    hint: 'Ask for its lines.',
  });
}

/** Something in a text that has a name: a key or variable with a value, a function or class, a heading. */
interface NamedPart {
  readonly name: string;
  /** `unsure`: something with this name is here, but where it ends cannot be told. */
  readonly kind: 'value' | 'definition' | 'heading' | 'unsure';
  /** What a person calls it: function, class, key, section. */
  readonly noun: string;
  /** What it belongs to, where it does not stand within it, as a method of Go does. */
  readonly owner?: string;
  /** Offsets into the text. Two parts either nest or do not overlap. */
  readonly from: number;
  readonly to: number;
}

/** A row of a table. `isText`: all its values are texts (CSV), so a text that reads as a number counts as one. */
export interface Row {
  readonly value: unknown;
  readonly isText: boolean;
}

/** A row and the lines it is on. */
export interface PlacedRow extends Row {
  readonly first: number;
  readonly last: number;
}

/** One list of rows. A JSON file may hold several. */
export interface Table {
  /** The path of the list in the file: `results` of `{"results": […]}`; empty where the list is the whole file. */
  readonly at: string;
  readonly rows: readonly PlacedRow[];
  /** Lines that are not valid rows. */
  readonly unread: readonly number[];
}

/** `keys`: the only members of a row that are asked for, where that is known. */
type Reader = (source: Source, keys: readonly string[] | null) => readonly Table[];

const READERS: Readonly<Record<string, Reader>> = {
  json: jsonTables,
  jsonl: jsonLines,
  ndjson: jsonLines,
  csv: (source) => separated(source, delimiterOf(source)),
  tsv: (source) => separated(source, '\t'),
};

/**
 * Returns the tables in a file, by its extension; null for an extension without rows. Throws a `StewardError` for a
 * malformed file. `keys`: what else an object holds may be left out of its row.
 */
export function tablesIn(source: Source, keys: readonly string[] | null = null): readonly Table[] | null {
  return READERS[extensionOf(source)]?.(source, keys) ?? null;
}

function jsonTables(source: Source): readonly Table[] {
  const root = parseJson(source.text);
  const lineOf = lineFinder(source.text);
  return listsIn(root).map(({ at, items }) => ({
    at,
    unread: [],
    rows: items.map((item) => ({
      value: plainOf(source.text, item),
      isText: false,
      first: lineOf(item.from),
      last: lineOf(item.to - 1),
    })),
  }));
}

/** Returns the list that is the whole file, or the lists of rows inside it. */
function listsIn(root: JsonNode): readonly { at: string; items: readonly JsonNode[] }[] {
  if (root.items !== undefined) return [{ at: '', items: root.items }];
  return (root.members ?? []).flatMap(({ key, value }) => {
    if (value.items?.some((item) => item.members !== undefined) === true) return [{ at: key, items: value.items }];
    return value.members === undefined ? [] : listsIn(value).map((list) => ({ ...list, at: `${key}.${list.at}` }));
  });
}

function jsonLines({ text }: Source, keys: readonly string[] | null): readonly Table[] {
  const scan = new RowScan(text, keys);
  const rows: PlacedRow[] = [];
  const unread: number[] = [];
  for (let line = 1; scan.hasNext; line += 1) {
    const read = scan.next();
    if (read.value !== undefined) rows.push({ value: read.value, isText: false, first: line, last: line });
    else if ('text' in read && read.text.trim() !== '') unread.push(line);
  }
  return [{ at: '', rows, unread }];
}

/** One record of a CSV text. */
interface CsvRecord {
  readonly values: readonly string[];
  /** How many bytes were read up to the end of the record. */
  readonly bytes: number;
}

/** Reads separated values. The first record names the columns. Line ends inside quotes belong to the value. */
function separated(source: Source, delimiter: string): readonly Table[] {
  const text = source.lines.join('\n');
  const [names, ...records] = recordsOf(source.path, text, delimiter);
  if (names === undefined) return [];
  // By bytes, since the library counts lines differently where quotes contain a lone `\r`.
  const lineOf = lineFinder(Buffer.from(text).toString('latin1'));
  const unread: number[] = [];
  const rows: PlacedRow[] = [];
  let before = lineOf(names.bytes - 1);
  for (const { values, bytes } of records) {
    const [first, last] = [firstLine(source, before), lineOf(bytes - 1)];
    before = last;
    if (values.length !== names.values.length) unread.push(first);
    else rows.push({ value: rowOf(names.values, values), isText: true, first, last });
  }
  return [{ at: '', rows, unread }];
}

function recordsOf(file: string, text: string, delimiter: string): readonly CsvRecord[] {
  const form = { delimiter, record_delimiter: '\n', relax_column_count: true, skip_empty_lines: true };
  const records: CsvRecord[] = [];
  // Collected while they are read, since the types of the library's result do not include the offsets.
  const on_record = (values: string[], { bytes }: { readonly bytes: number }) => {
    records.push({ values, bytes });
    return null;
  };
  try {
    csv().parse(text, { ...form, on_record });
    return records;
  } catch (error) {
    const line = error instanceof Error && 'lines' in error && typeof error.lines === 'number' ? error.lines : null;
    throw new StewardError({
      code: 'evidence-not-csv',
      file,
      line,
      message: `${file} is not well-formed CSV${line === null ? '' : ` (line ${line})`}.`,
      hint: 'Mend its quotes, or ask for its lines.',
    });
  }
}

/** Returns the first line after another that is not empty: empty lines between records do not count. */
function firstLine({ lines }: Source, before: number): number {
  let first = before + 1;
  while (first < lines.length && lines[first - 1] === '') first += 1;
  return first;
}

function rowOf(names: readonly string[], values: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name, index) => [name.trim(), values[index] ?? '']));
}

/** Returns the separator that occurs most often in the first line, outside of quotes. */
function delimiterOf({ lines }: Source): string {
  const head = (lines[0] ?? '').replace(/"[^"]*"/g, '');
  const counted = [',', ';', '\t', '|'].map((sign) => ({ sign, count: head.split(sign).length }));
  return counted.reduce((most, one) => (one.count > most.count ? one : most)).sign;
}
