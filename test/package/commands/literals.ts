import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/javascript';

/** A string or template of a program, with its escapes resolved. Each expression in it is written as `⟦expression⟧`. */
interface Literal {
  readonly text: string;
  readonly line: number;
}

const typescript = parser.configure({ dialect: 'ts' });

/** Returns every string and template of a TypeScript or JavaScript file. Comments, types and patterns are left out. */
export function readLiterals(source: string): readonly Literal[] {
  const literals: (Literal & { readonly name: string | null })[] = [];
  typescript.parse(source).iterate({
    enter: ({ node }) => {
      if (node.name !== 'String' && node.name !== 'TemplateString') return;
      const line = source.slice(0, node.from).split('\n').length;
      literals.push({ text: readText(source, node), line, name: findConstant(source, node) });
    },
  });
  const constants = new Map(literals.flatMap(({ name, text }) => (name === null ? [] : [[name, text]])));
  return literals.map(({ text, line }) => ({
    text: text.replaceAll(/⟦(\w+)⟧/g, (hole, name: string) => constants.get(name) ?? hole),
    line,
  }));
}

/** Returns the name of the constant that is this literal and nothing more, else null. */
function findConstant(source: string, node: SyntaxNode): string | null {
  const name = node.parent?.name === 'VariableDeclaration' ? node.parent.getChild('VariableDefinition') : null;
  return name === null ? null : source.slice(name.from, name.to);
}

function readText(source: string, node: SyntaxNode): string {
  let text = '';
  let from = node.from + 1;
  for (let part = node.firstChild; part !== null; part = part.nextSibling) {
    text += source.slice(from, part.from);
    const raw = source.slice(part.from, part.to);
    text += part.name === 'Interpolation' ? `⟦${raw.slice(2, -1)}⟧` : resolveEscape(raw);
    from = part.to;
  }
  return text + source.slice(from, node.to - 1);
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0', '\n': '' };

function resolveEscape(raw: string): string {
  const code = /^\\(?:x|u\{?)([0-9a-fA-F]+)\}?$/.exec(raw)?.[1];
  if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
  return raw.startsWith('\\') ? (ESCAPES[raw.slice(1)] ?? raw.slice(1)) : raw;
}
