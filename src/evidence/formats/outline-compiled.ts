import type { SyntaxNode, Tree } from '@lezer/common';
import { cpp, go, java, rust } from './lazy-parsers.ts';
import type { NamedPart } from './named-part.ts';

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
export function goNames(text: string): readonly NamedPart[] {
  return namesIn(go().parser.parse(text), text, GO);
}

/** Returns the functions, types, blocks of methods, modules and constants of Rust. */
export function rustNames(text: string): readonly NamedPart[] {
  return namesIn(rust().parser.parse(text), text, RUST);
}

/** Returns the classes, interfaces, methods and values of Java. */
export function javaNames(text: string): readonly NamedPart[] {
  return namesIn(java().parser.parse(text), text, JAVA);
}

/** Returns the functions, classes, structures, values and macros of C and C++. */
export function cNames(text: string): readonly NamedPart[] {
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
