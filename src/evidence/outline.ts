import { createRequire } from 'node:module';
import type { SyntaxNode, SyntaxNodeRef, Tree } from '@lezer/common';
import { CORE_SCHEMA, loadAll } from 'js-yaml';
import type MiniSearch from 'minisearch';
import type { AST } from 'toml-eslint-parser';
import type { ParsedNode } from 'yaml';
import { yaml } from '../vault/data.ts';
import { StewardError } from '../vault/errors.ts';
import { CodeFences, type EvidenceSource, fileExtension } from './files.ts';
import { type JsonNode, lineFinder, parseJson } from './rows.ts';

/*
 * Parsers, each loaded with the first file of its kind: all together take longer to load than to count a hundred thousand
 * rows.
 */

const load = createRequire(import.meta.url);

const javascript = (): typeof import('@lezer/javascript') => load('@lezer/javascript');
const python = (): typeof import('@lezer/python') => load('@lezer/python');
const toml = (): typeof import('toml-eslint-parser') => load('toml-eslint-parser');
/** Searches for the words of a request if no other lookup answers it. */
export const miniSearch = (): typeof MiniSearch => load('minisearch');

/*
 * Languages without a parser here are read by what they have in common: a declaration names what it declares before a bracket,
 * and braces or indentation show where it ends. Comments and quoted text are blanked first. What stays ambiguous is left out.
 */

const PAIRS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Comments and quoted text; a single quote is a character or, in some languages, a text. */
const NOT_CODE = String.raw`\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\br(#{0,9})"[\s\S]*?"\1|"""[\s\S]*?(?:"""|$)|\x60[^\x60]*\x60|"(?:[^"\\\n]|\\.)*"`;
const TEXT_IN_SINGLE_QUOTES = new RegExp(String.raw`'''[\s\S]*?(?:'''|$)|${NOT_CODE}|'(?:[^'\\\n]|\\.)*'`, 'g');
const CHARACTER_IN_SINGLE_QUOTES = new RegExp(String.raw`${NOT_CODE}|'(?:\\[^\n']{1,8}|\\'|[^'\\\n])'`, 'g');

/** In Dart both kinds of quotes hold text, and text may contain code: `'${map['key']}'`. */
const DART_QUOTES =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|r?'{3}[\s\S]*?(?:'{3}|$)|r?"{3}[\s\S]*?(?:"{3}|$)|\br'[^'\n]*'|\br"[^"\n]*"|'(?:[^'\\\n$]|\\.|\$\{[^{}\n]*\}|\$(?!\{))*'|"(?:[^"\\\n$]|\\.|\$\{[^{}\n]*\}|\$(?!\{))*"/g;

const KEYWORD_NOUNS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'class struct enum interface trait union namespace record mixin extension protocol object type impl function'
      .split(' ')
      .map((word) => [word, word]),
  ),
  typedef: 'type',
  mod: 'module',
  module: 'module',
  func: 'function',
  fun: 'function',
  fn: 'function',
  def: 'function',
  macro_rules: 'macro',
};
const KEYWORD = new RegExp(
  `^\\s*(?:pub\\([^)]{0,40}\\)\\s+)?[\\w\\s@:,<>?.]{0,120}?\\b(${Object.keys(KEYWORD_NOUNS).join('|')})\\b!?(?!\\s*[=:.,)]|\\()`,
);
/** `struct Point *find(…`: the word names a type that another declaration uses. */
const USES_TYPE = /^\s*\w+[\s*&]+\w+\s*\(/;
const RECEIVER = /^\s*\((?:[^()]*?([A-Za-z_]\w*)(?:\[[^\]]*\])?)\s*\)\s*/;
/** Words before a bracket that don't name anything. */
const NOT_A_NAME =
  /^(?:if|for|while|switch|catch|return|assert|await|throw|else|do|case|new|using|yield|match|loop|elif|in|is)$/;
/** A line that belongs to the declaration after it. */
const MARK = /^\s*(?:@|#\[|template\b)/;
const NAME_BEFORE_BRACKET = /((?:\w{1,200}::)?~?[\p{L}_$][\p{L}\p{N}_$]{0,200})\s{0,20}(?:<[^<>()]{0,200}>)?\s{0,20}$/u;
/** `double get floor => 0.6;` has a body like a function, but no brackets. */
const GETTER = /\bget\s{1,20}([\p{L}_$][\p{L}\p{N}_$]{0,200})\s{0,20}(?==>|\{|async\b|$)/u;
/** An entry of a map, or an argument, at the start of its line: `'strict': 0.62`. */
const KEYED_VALUE = /^\s*(['"]?)([\p{L}_$][\p{L}\p{N}_$-]{0,200})\1\s{0,20}:(?!:)/u;
const NAME_BEFORE_VALUE = /([\p{L}_$][\p{L}\p{N}_$]{0,200})\s{0,20}(?::\s{0,20}[\w<>[\]?&'. ]{1,200})?:?$/u;
const PLAIN_HEAD = /^[\w\s:<>,[\]*&?.~$@]*$/;

/** A text without comments and quoted text, with its brackets in pairs. */
class Code {
  readonly text: string;
  readonly lines: readonly { readonly from: number; readonly line: string }[];
  /** Whether each bracket has its partner: else extents can't be told. */
  readonly isBalanced: boolean;
  /** The offset of each bracket → that of its partner. */
  readonly #partners = new Map<number, number>();

  constructor(text: string, quotes: RegExp) {
    this.text = text.replace(quotes, (found) => found.replace(/[^\n]/g, ' '));
    this.lines = [...linesFrom(this.text, 0)];
    const open: number[] = [];
    let unpaired = 0;
    for (const { 0: sign, index } of this.text.matchAll(/[()[\]{}]/g)) {
      if ('([{'.includes(sign)) open.push(index);
      else if (PAIRS[sign] === this.text[open.at(-1) ?? -1]) this.#pair(open.pop() ?? index, index);
      else unpaired += 1;
    }
    this.isBalanced = open.length + unpaired === 0;
  }

  #pair(one: number, other: number): void {
    this.#partners.set(one, other);
    this.#partners.set(other, one);
  }

  /** Returns the offset of the bracket that closes this one; null if it is never closed. */
  closeOf(open: number): number | null {
    return this.#partners.get(open) ?? null;
  }

  /**
   * Returns the offset of the first of these signs from here on that isn't within brackets; null if a bracket closes
   * before, or there is no sign nearby.
   */
  next(from: number, signs: string, within: number): number | null {
    const end = Math.min(this.text.length, from + within);
    for (let at = from; at < end; at += 1) {
      const sign = this.text[at] ?? '';
      if (signs.includes(sign)) return at;
      if (')]}'.includes(sign)) return null;
      if ('([{'.includes(sign)) at = this.closeOf(at) ?? this.text.length;
    }
    return null;
  }
}

/** How far behind the name a body begins, and how far behind its sign a value ends (characters). */
const MAX_HEAD = 2_000;
const MAX_VALUE = 20_000;

/** Returns an outliner for a language that has no parser here. `hasKeys`: whether a name and a colon set a value. */
function codeNames(quotes: RegExp, hasKeys = false): Outliner {
  return (text) => {
    const code = new Code(text, quotes);
    const keys = hasKeys ? [...linesFrom(text, 0)].flatMap((one) => keyedValueIn(code, one)) : [];
    const parts = code.lines.flatMap(({ line }, nth) => declarationIn(code, line, nth) ?? valueIn(code, line, nth));
    parts.push(...keys);
    const nested = withoutOverlaps(parts);
    if (code.isBalanced)
      return nested.map((part) =>
        part.kind === 'definition' && /^[ \t]*#[ \t]*(?:if|el)/m.test(code.text.slice(part.from, part.to))
          ? { ...part, kind: 'unsure' }
          : part,
      );
    const all: NamedPart = { name: '', kind: 'unsure', noun: 'text', from: 0, to: text.length };
    return [all, ...nested.map((part): NamedPart => ({ ...part, kind: 'unsure' }))];
  };
}

function withoutOverlaps(parts: readonly NamedPart[]): NamedPart[] {
  const around: NamedPart[] = [];
  return parts
    .toSorted((one, other) => one.from - other.from || other.to - one.to)
    .filter((part) => {
      while ((around.at(-1)?.to ?? Number.POSITIVE_INFINITY) <= part.from) around.pop();
      if ((around.at(-1)?.to ?? part.to) < part.to) return false;
      around.push(part);
      return true;
    });
}

function declarationIn(code: Code, line: string, nth: number): NamedPart[] | null {
  const [before = '', keyword = ''] = KEYWORD.exec(line) ?? [];
  const getter = GETTER.exec(line);
  if (getter !== null) return getterIn(code, getter, nth);
  const isUsed =
    keyword === '' || (/^(?:struct|enum|union)$/.test(keyword) && USES_TYPE.test(line.slice(before.length)));
  return isUsed ? functionIn(code, line, nth) : namedBy(keyword, before.length, { code, line, nth });
}

interface Line {
  readonly code: Code;
  readonly line: string;
  readonly nth: number;
}

function namedBy(keyword: string, end: number, { code, line, nth }: Line): NamedPart[] | null {
  const noun = KEYWORD_NOUNS[keyword] ?? keyword;
  const rest = line.slice(end);
  const receiver = noun === 'function' ? RECEIVER.exec(rest) : null;
  const after = rest.slice(receiver?.[0].length ?? 0).replace(/^\s*class\b/, '');
  const names = [
    ...after
      .replace(/<[^<>]{0,200}>/g, ' ')
      .split(/[{(:=;[]|\bwhere\b/, 1)
      .join('')
      .matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu),
  ];
  // `impl Trait for Type` and `typedef Old New` name their last word.
  const name = keyword === 'impl' || keyword === 'typedef' ? names.at(-1)?.[0] : names[0]?.[0];
  const from = code.lines[nth]?.from ?? 0;
  const to = name === undefined ? null : endOfDeclaration(code, from + end, nth);
  if (name === undefined || to === null) return null;
  const owner = receiver?.[1];
  return [{ name, kind: 'definition', noun, ...(owner === undefined ? {} : { owner }), from: startOf(code, nth), to }];
}

function getterIn(code: Code, { 0: whole, 1: name = '', index }: RegExpExecArray, nth: number): NamedPart[] | null {
  const from = code.lines[nth]?.from ?? 0;
  const sign = code.next(from + index + whole.length, '{;=', MAX_HEAD);
  if (sign === null || code.text[sign] === ';') return null;
  const to = code.text[sign] === '{' ? code.closeOf(sign) : code.next(sign + 1, ';', MAX_VALUE);
  return to === null ? null : [{ name, kind: 'definition', noun: 'getter', from: startOf(code, nth), to: to + 1 }];
}

function functionIn(code: Code, line: string, nth: number): NamedPart[] | null {
  const from = code.lines[nth]?.from ?? 0;
  const bracket = line.indexOf('(');
  const before = bracket === -1 ? '' : line.slice(0, bracket);
  const [whole = '', written = ''] = NAME_BEFORE_BRACKET.exec(before) ?? [];
  const head = before.slice(0, before.length - whole.length);
  const words = head.trim() === '' ? [] : head.trim().split(/\s+/);
  if (written === '' || !PLAIN_HEAD.test(head) || NOT_A_NAME.test(written) || NOT_A_NAME.test(words[0] ?? ''))
    return null;
  const close = code.closeOf(from + bracket);
  const sign = close === null ? null : code.next(close + 1, '{;=', MAX_HEAD);
  if (close === null || sign === null) return null;
  const [, owner, name = written] = /^(\w+)::(.+)$/.exec(written) ?? [];
  const hasBody = code.text[sign] === '{' || code.text.startsWith('=>', sign);
  if (!hasBody && (words.length === 0 || code.text[sign] === '=')) return null;
  const to = code.text[sign] === '{' ? code.closeOf(sign) : code.next(sign + 1, ';', MAX_VALUE);
  if (hasBody && to === null) return null;
  const end = (hasBody ? (to ?? sign) : sign) + 1;
  return [
    {
      name,
      kind: 'definition',
      noun: 'function',
      ...(owner === undefined ? {} : { owner }),
      from: startOf(code, nth),
      to: end,
    },
  ];
}

/** A constant or a variable with its value: `final int limit = 3;`, `#define LIMIT 3`. */
function valueIn(code: Code, line: string, nth: number): NamedPart[] {
  const from = code.lines[nth]?.from ?? 0;
  const [, macro] = /^\s*#\s*define\s+(\w+)/.exec(line) ?? [];
  if (macro !== undefined)
    return [{ name: macro, kind: 'value', noun: 'macro', from, to: from + line.trimEnd().length }];
  const sign = /(?<![=!<>+\-*/%&|^~])=(?![=>])/.exec(line)?.index ?? -1;
  const [whole = '', name = ''] = sign === -1 ? [] : (NAME_BEFORE_VALUE.exec(line.slice(0, sign)) ?? []);
  const head = line.slice(0, Math.max(0, sign - whole.length));
  if (name === '' || !PLAIN_HEAD.test(head) || NOT_A_NAME.test(head.trim().split(/\s+/)[0] ?? '')) return [];
  const end = code.next(from + sign + 1, ';,', MAX_VALUE) ?? from + line.trimEnd().length;
  const start = from + line.search(/\S/);
  return [{ name, kind: 'value', noun: 'value', from: start, to: Math.max(end, start + 1) }];
}

function keyedValueIn(code: Code, { line, from }: { readonly line: string; readonly from: number }): NamedPart[] {
  const [whole = '', , name = ''] = KEYED_VALUE.exec(line) ?? [];
  const colon = from + whole.length - 1;
  // Within a comment or a text, the colon was blanked.
  if (name === '' || NOT_A_NAME.test(name) || name === 'default' || code.text[colon] !== ':') return [];
  const end = code.next(colon + 1, ';,)]}', MAX_VALUE);
  if (end === null) return [];
  return [{ name, kind: 'value', noun: 'key', from: from + line.search(/\S/), to: end }];
}

function startOf(code: Code, nth: number): number {
  let first = nth;
  while (MARK.test(code.lines[first - 1]?.line ?? '')) first -= 1;
  const { from, line } = code.lines[first] ?? { from: 0, line: '' };
  return from + Math.max(0, line.search(/\S/));
}

/** Where a declaration ends: at its closing brace, its semicolon, or before the next line that isn't indented further. */
function endOfDeclaration(code: Code, from: number, nth: number): number | null {
  const sign = code.next(from, '{;', MAX_HEAD);
  const line = code.lines[nth]?.line ?? '';
  const isNear = sign !== null && (code.text.slice(from, sign).match(/\n/g)?.length ?? 0) < 12;
  if (isNear && code.text[sign] === '{') return (code.closeOf(sign) ?? code.text.length - 1) + 1;
  if (isNear && !/[:)]\s*$/.test(line)) return sign + 1;
  const indent = line.search(/\S/);
  let last = nth;
  for (let at = nth + 1; at < code.lines.length; at += 1) {
    const { line: next = '' } = code.lines[at] ?? {};
    if (next.trim() !== '' && next.search(/\S/) <= indent) break;
    if (next.trim() !== '') last = at;
  }
  const { from: start, line: end } = code.lines[last] ?? { from: 0, line: '' };
  return start + end.trimEnd().length;
}

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

/** Returns the keys of a YAML text, and the items of its lists by index. Throws if it is malformed or too long. */
function yamlNames(text: string): readonly NamedPart[] {
  if (text.length > MAX_CHARS) throw tooLong();
  // First through js-yaml, which refuses deep nesting: `yaml` may crash on it.
  loadAll(text, () => {}, { schema: CORE_SCHEMA });
  const parts: NamedPart[] = [];
  for (const document of yaml().parseAllDocuments(text, { uniqueKeys: false })) {
    if ('contents' in document && document.contents !== null) collectYaml(document.contents, parts);
  }
  return parts;
}

function collectYaml(node: ParsedNode, parts: NamedPart[]): void {
  const { isMap, isScalar, isSeq } = yaml();
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      const to = value?.range[1] ?? key.range[1];
      if (isScalar(key)) parts.push({ name: String(key.value), kind: 'value', noun: 'key', from: key.range[0], to });
      if (value !== null) collectYaml(value, parts);
    }
  } else if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) {
      if (!('range' in item) || !item.range) continue;
      parts.push({ name: String(index), kind: 'value', noun: 'item', from: item.range[0], to: item.range[1] });
      collectYaml(item, parts);
    }
  }
}

function tooLong(): StewardError {
  return new StewardError({
    code: 'evidence-malformed',
    message: `YAML of more than ${MAX_CHARS} characters is not parsed.`,
    hint: 'Ask for its lines.',
  });
}

const FRONTMATTER = /^---[ \t]*\r?\n/;
const FRONTMATTER_END = /^(?:---|\.\.\.)[ \t]*\r?$/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+([^\r\n]*)/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*\r?$/;

function markdownNames(text: string): readonly NamedPart[] {
  const block = frontmatterOf(text);
  return [...(block === null ? [] : fieldsIn(text, block)), ...headingsIn(text, block?.to ?? 0)];
}

/** Returns the fields of the frontmatter; empty if it is malformed, so that the headings are still found. */
function fieldsIn(text: string, { from, to }: { readonly from: number; readonly to: number }): readonly NamedPart[] {
  try {
    // A comment of the same length replaces the fence, so that the offsets are those of the note.
    return yamlNames(`${'#'.repeat(from - 1)}\n${text.slice(from, to)}`);
  } catch {
    return [];
  }
}

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

function scriptNames(text: string): readonly NamedPart[] {
  return collectScriptNames(javascript().parser.configure({ dialect: 'ts jsx' }).parse(text), text);
}

function pythonNames(text: string): readonly NamedPart[] {
  return collectScriptNames(python().parser.parse(text), text);
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
const WRAPPERS: ReadonlySet<string> = new Set(['ExportDeclaration', 'DecoratedStatement']);
const ENDS: ReadonlySet<string> = new Set([',', ';', ')', '}', ']']);

function collectScriptNames(tree: Tree, text: string): readonly NamedPart[] {
  const parts: NamedPart[] = [];
  tree.iterate({
    enter: (node) => {
      if (DEFINITIONS.has(node.name) || (node.name === 'Property' && node.node.getChild('ParamList') !== null))
        parts.push(...definitionAt(node, text));
      else if (NAMES.has(node.name)) parts.push(...scriptValueAt(node, text));
    },
  });
  return parts;
}

function definitionAt({ node }: SyntaxNodeRef, text: string): readonly NamedPart[] {
  const noun = DEFINITIONS.get(node.name) ?? 'function';
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (!NAMES.has(child.name)) continue;
    const outer = node.parent !== null && WRAPPERS.has(node.parent.name) ? node.parent : node;
    return [{ name: scriptName(child, text), kind: 'definition', noun, from: outer.from, to: outer.to }];
  }
  return [];
}

/** Returns a name that is followed by `=`, or as a key by a colon, and a value. */
function scriptValueAt({ node }: SyntaxNodeRef, text: string): readonly NamedPart[] {
  const next = node.nextSibling;
  const sign = next?.name === 'TypeAnnotation' || next?.name === 'TypeDef' ? next.nextSibling : next;
  const assigns = sign?.name === 'Equals' || sign?.name === 'AssignOp';
  if (!assigns && !(sign?.name === ':' && KEYED.has(node.parent?.name ?? ''))) return [];
  let last: SyntaxNode = sign;
  for (let at = sign.nextSibling; at !== null && !ENDS.has(at.name); at = at.nextSibling) last = at;
  const noun = VALUES.get(last.name) ?? (assigns ? 'value' : 'key');
  return last === sign ? [] : [{ name: scriptName(node, text), kind: 'value', noun, from: node.from, to: last.to }];
}

function scriptName(node: SyntaxNode, text: string): string {
  const named = node.name === 'MemberExpression' ? (node.lastChild ?? node) : node;
  const written = text.slice(named.from, named.to);
  return named.name === 'String' ? written.replace(/^[bBrRuU]{0,2}(["'])(.*)\1$/s, '$2') : written.replace(/^#/, '');
}

/** Returns the keys and tables of a TOML text, and the items of its lists by index. Throws if it is malformed. */
function tomlNames(text: string): readonly NamedPart[] {
  const parts: NamedPart[] = [];
  for (const node of toml().parseTOML(text, { filePath: 'x.toml' }).body[0].body) collectToml(node, parts);
  return parts;
}

function collectToml(node: AST.TOMLTable | AST.TOMLKeyValue | AST.TOMLContentNode, parts: NamedPart[]): void {
  const [from, to] = node.range;
  if (node.type === 'TOMLTable' || node.type === 'TOMLKeyValue') {
    const noun = node.type === 'TOMLTable' ? 'table' : 'key';
    // `[a.b]` and `a.b = 1` are b inside a: both get the same extent, and the second is taken as nested in the first.
    for (const key of node.key.keys)
      parts.push({ name: key.type === 'TOMLBare' ? key.name : String(key.value), kind: 'value', noun, from, to });
    for (const inner of node.type === 'TOMLTable' ? node.body : [node.value]) collectToml(inner, parts);
  } else if (node.type === 'TOMLInlineTable') {
    for (const inner of node.body) collectToml(inner, parts);
  } else if (node.type === 'TOMLArray') {
    for (const [index, item] of node.elements.entries()) {
      parts.push({ name: String(index), kind: 'value', noun: 'item', from: item.range[0], to: item.range[1] });
      collectToml(item, parts);
    }
  }
}

/** A named part with its lines and the names of the parts around it. */
export interface PlacedPart {
  /** The names of the enclosing parts, outermost first, then its own. */
  readonly path: readonly string[];
  readonly kind: NamedPart['kind'];
  /** The common word for it: function, method, class, key, section. */
  readonly noun: string;
  readonly first: number;
  readonly last: number;
}

/** Returns the named parts of a text. Throws if the text is malformed. */
type Outliner = (text: string) => readonly NamedPart[];

const OUTLINERS: Readonly<Record<string, Outliner>> = {
  json: jsonNames,
  yaml: yamlNames,
  yml: yamlNames,
  toml: tomlNames,
  md: markdownNames,
  markdown: markdownNames,
  dart: codeNames(DART_QUOTES, true),
  py: pythonNames,
  pyi: pythonNames,
  ...Object.fromEntries(
    ['go', 'rs', 'java', 'c', 'h', 'cc', 'cpp', 'cxx', 'hh', 'hpp', 'cs', 'kt', 'swift', 'scala'].map((extension) => [
      extension,
      codeNames(CHARACTER_IN_SINGLE_QUOTES),
    ]),
  ),
  ...Object.fromEntries(['php', 'rb', 'lua'].map((extension) => [extension, codeNames(TEXT_IN_SINGLE_QUOTES)])),
  ...Object.fromEntries(
    ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'].map((extension) => [extension, scriptNames]),
  ),
};

/** Longer texts are refused, since parsing them would take too long. */
const MAX_OUTLINE_CHARS = 4_000_000;

/**
 * Returns everything in a source that has a name, in order; null for an unknown extension. Throws a `StewardError` if
 * the text is malformed or too long.
 */
export function readOutline(source: EvidenceSource): readonly PlacedPart[] | null {
  const extension = fileExtension(source);
  const outliner = Object.hasOwn(OUTLINERS, extension) ? OUTLINERS[extension] : undefined;
  if (outliner === undefined) return null;
  if (source.text.length > MAX_OUTLINE_CHARS) throw tooLongToOutline(source.path);
  try {
    return placed(source.text, outliner(source.text));
  } catch (error) {
    if (error instanceof StewardError) throw error;
    throw malformed(source.path, error);
  }
}

const MAX_PATH = 40;

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

/** The names around a part and its own. An unsure part may only seem to be around it. */
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
    hint: 'Correct the file, or ask for its lines.',
  });
}

function tooLongToOutline(file: string): StewardError {
  return new StewardError({
    code: 'evidence-too-long',
    file,
    message: `${file} is too long to be parsed: it has more than ${MAX_OUTLINE_CHARS} characters.`,
    hint: 'Ask for its lines.',
  });
}

/** Something in a text that has a name: a key or variable with a value, a function or class, a heading. */
interface NamedPart {
  readonly name: string;
  /** `unsure`: something with this name is here, but where it ends cannot be told. */
  readonly kind: 'value' | 'definition' | 'heading' | 'unsure';
  /** The common word for it: function, class, key, section. */
  readonly noun: string;
  /** What it belongs to, if it isn't within it, as a method of Go does. */
  readonly owner?: string;
  /** Offsets into the text. Two parts either nest or do not overlap. */
  readonly from: number;
  readonly to: number;
}
