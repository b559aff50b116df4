import fs from 'node:fs';
import path from 'node:path';
import type { SyntaxNode, Tree } from '@lezer/common';
import { parser } from '@lezer/javascript';

const typescript = parser.configure({ dialect: 'ts' });

/** One import of another file or package. */
export interface Import {
  /** The file it names, relative to the root of the tree, or the package's name. */
  readonly target: string;
  readonly isRelative: boolean;
  /** Whether only types are imported, so that nothing of it is there when the program runs. */
  readonly isTypeOnly: boolean;
  /** The names that are imported; empty for a whole module. */
  readonly names: readonly string[];
}

/** A TypeScript file as its own syntax tree tells it. */
export interface Source {
  /** Relative to the root of the tree, with forward slashes. */
  readonly file: string;
  readonly text: string;
  /** The text without comments and the inside of strings, so that prose cannot trip a rule. */
  readonly code: string;
  readonly imports: readonly Import[];
  /** The names that the file exports. */
  readonly exported: readonly string[];
}

/** Every TypeScript file below a folder, sorted by path. */
export function sourcesIn(root: string): readonly Source[] {
  return fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .map((file) => sourceOf(file, fs.readFileSync(path.join(root, file), 'utf8')));
}

/** The files that a file leads to through its imports, itself included. `follows` chooses the imports. */
export function reachedFrom(start: string, tree: ReadonlyMap<string, Source>, follows: (one: Import) => boolean) {
  const reached = new Set<string>();
  for (let open = [start]; open.length > 0; ) {
    const [file = '', ...rest] = open;
    const found = reached.has(file) ? [] : (tree.get(file)?.imports ?? []).filter(follows);
    reached.add(file);
    open = [...rest, ...found.filter(({ isRelative }) => isRelative).map(({ target }) => target)];
  }
  return reached;
}

/** The groups of nodes that lead round to each other (Tarjan's strongly connected components of more than one node). */
export function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found = new Map<string, { index: number; low: number; open: boolean }>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (node: string): number => {
    const own = { index: found.size, low: found.size, open: true };
    found.set(node, own);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      const known = found.get(next);
      if (known === undefined) own.low = Math.min(own.low, visit(next));
      else if (known.open) own.low = Math.min(own.low, known.index);
    }
    if (own.low === own.index) close(node);
    return own.low;
  };
  const close = (node: string) => {
    const circle = stack.splice(stack.indexOf(node));
    for (const one of circle) Object.assign(found.get(one) ?? {}, { open: false });
    if (circle.length > 1) circles.push(circle.sort());
  };
  for (const node of graph.keys()) if (!found.has(node)) visit(node);
  return circles;
}

function sourceOf(file: string, text: string): Source {
  const tree = typescript.parse(text);
  return {
    file,
    text,
    code: codeOf(text, tree),
    imports: importsOf(file, text, tree),
    exported: exportedOf(text, tree),
  };
}

// Comments and the text in quotes, blanked; template literals keep their code.
function codeOf(text: string, tree: Tree): string {
  const letters = [...text];
  const offsets = offsetsOf(letters);
  tree.iterate({
    enter: ({ name, from, to }) => {
      if (name !== 'LineComment' && name !== 'BlockComment' && name !== 'String') return;
      const inset = name === 'String' ? 1 : 0;
      for (let at = from + inset; at < to - inset; at += 1) {
        const place = offsets.get(at);
        if (place !== undefined && letters[place] !== '\n') letters[place] = ' ';
      }
    },
  });
  return letters.join('');
}

// Where each UTF-16 offset that begins a letter lies among the letters.
function offsetsOf(letters: readonly string[]): Map<number, number> {
  const offsets = new Map<number, number>();
  let at = 0;
  for (const [place, letter] of letters.entries()) {
    offsets.set(at, place);
    at += letter.length;
  }
  return offsets;
}

function importsOf(file: string, text: string, tree: Tree): Import[] {
  const written = [...nodesOf(tree, 'ImportDeclaration'), ...nodesOf(tree, 'ExportDeclaration')].flatMap((node) => {
    const from = node.getChild('String');
    return from === null ? [] : [importOf(file, textOf(node, text), textOf(from, text))];
  });
  const loaded = nodesOf(tree, 'DynamicImport').flatMap((node) => {
    const from = node.getChild('ArgList')?.getChild('String') ?? node.getChild('String');
    return from == null ? [] : [{ ...targetOf(file, textOf(from, text)), isTypeOnly: false, names: [] }];
  });
  return [...written, ...loaded];
}

function importOf(file: string, declaration: string, from: string): Import {
  const braces = /\{([^}]*)\}/.exec(declaration)?.[1] ?? '';
  const specifiers = braces
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  // An import of `{ type … }` alone still loads the file (verbatimModuleSyntax).
  const isTypeOnly = /^(?:import|export)\s+type\b/.test(declaration);
  const names = specifiers.map((one) => one.replace(/^type\s+/, '').replace(/\s+as\s+.*$/, ''));
  return { ...targetOf(file, from), isTypeOnly, names };
}

function targetOf(file: string, quoted: string): Pick<Import, 'target' | 'isRelative'> {
  const specifier = quoted.slice(1, -1);
  if (specifier.startsWith('.')) {
    return { target: path.posix.join(path.posix.dirname(file), specifier), isRelative: true };
  }
  return { target: specifier, isRelative: false };
}

function exportedOf(text: string, tree: Tree): string[] {
  return nodesOf(tree, 'ExportDeclaration').flatMap((node) => {
    const [, words = ''] = /^export\s+([\s\S]*)$/.exec(textOf(node, text)) ?? [];
    const named = /^(?:abstract\s+|async\s+)*(?:function\*?|class|interface|type|const|let|enum)\s+(\w+)/.exec(words);
    if (named?.[1] !== undefined) return [named[1]];
    const braces = /^(?:type\s+)?\{([^}]*)\}/.exec(words)?.[1] ?? '';
    return braces.split(',').flatMap((one) => /(\w+)\s*$/.exec(one.trim())?.[1] ?? []);
  });
}

function nodesOf(tree: Tree, name: string): SyntaxNode[] {
  const nodes: SyntaxNode[] = [];
  tree.iterate({
    enter: (one) => {
      if (one.name === name) nodes.push(one.node);
    },
  });
  return nodes;
}

function textOf({ from, to }: SyntaxNode, text: string): string {
  return text.slice(from, to);
}
