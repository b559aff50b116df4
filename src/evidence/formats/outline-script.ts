import type { SyntaxNode, SyntaxNodeRef, Tree } from '@lezer/common';
import { javascript, python } from './lazy-parsers.ts';
import type { NamedPart } from './named-part.ts';

/** Returns the functions, classes, variables and properties of TypeScript and JavaScript. */
export function scriptNames(text: string): readonly NamedPart[] {
  return namesIn(javascript().parser.configure({ dialect: 'ts jsx' }).parse(text), text);
}

/** Returns the functions, classes, variables and keys of Python. */
export function pythonNames(text: string): readonly NamedPart[] {
  return namesIn(python().parser.parse(text), text);
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

function namesIn(tree: Tree, text: string): readonly NamedPart[] {
  const parts: NamedPart[] = [];
  tree.iterate({
    enter: (node) => {
      if (DEFINITIONS.has(node.name) || isMethod(node)) parts.push(...definitionAt(node, text));
      else if (NAMES.has(node.name)) parts.push(...valueAt(node, text));
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
    const outer = node.parent !== null && WRAPPERS.has(node.parent.name) ? node.parent : node;
    return [{ name: nameOf(child, text), kind: 'definition', noun, from: outer.from, to: outer.to }];
  }
  return [];
}

/** Returns a name that is followed by `=`, or as a key by a colon, and a value. */
function valueAt({ node }: SyntaxNodeRef, text: string): readonly NamedPart[] {
  const next = node.nextSibling;
  const sign = next?.name === 'TypeAnnotation' || next?.name === 'TypeDef' ? next.nextSibling : next;
  const assigns = sign?.name === 'Equals' || sign?.name === 'AssignOp';
  if (!assigns && !(sign?.name === ':' && KEYED.has(node.parent?.name ?? ''))) return [];
  let last: SyntaxNode = sign;
  for (let at = sign.nextSibling; at !== null && !ENDS.has(at.name); at = at.nextSibling) last = at;
  const noun = VALUES.get(last.name) ?? (assigns ? 'value' : 'key');
  return last === sign ? [] : [{ name: nameOf(node, text), kind: 'value', noun, from: node.from, to: last.to }];
}

function nameOf(node: SyntaxNode, text: string): string {
  const named = node.name === 'MemberExpression' ? (node.lastChild ?? node) : node;
  const written = text.slice(named.from, named.to);
  return named.name === 'String' ? written.replace(/^[bBrRuU]{0,2}(["'])(.*)\1$/s, '$2') : written.replace(/^#/, '');
}
