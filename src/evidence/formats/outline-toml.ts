import type { AST } from 'toml-eslint-parser';
import { toml } from './lazy-parsers.ts';
import type { NamedPart } from './named-part.ts';

/** Returns the keys and tables of a TOML text, and the items of its lists by index. Throws where it is malformed. */
export function tomlNames(text: string): readonly NamedPart[] {
  const parts: NamedPart[] = [];
  for (const node of toml().parseTOML(text, { filePath: 'x.toml' }).body[0].body) collect(node, parts);
  return parts;
}

function collect(node: AST.TOMLTable | AST.TOMLKeyValue | AST.TOMLContentNode, parts: NamedPart[]): void {
  const [from, to] = node.range;
  if (node.type === 'TOMLTable' || node.type === 'TOMLKeyValue') {
    const noun = node.type === 'TOMLTable' ? 'table' : 'key';
    // `[a.b]` and `a.b = 1` are b inside a: both get the same extent, and the second is taken as nested in the first.
    for (const key of node.key.keys) parts.push({ name: nameOf(key), kind: 'value', noun, from, to });
    for (const inner of node.type === 'TOMLTable' ? node.body : [node.value]) collect(inner, parts);
  } else if (node.type === 'TOMLInlineTable') {
    for (const inner of node.body) collect(inner, parts);
  } else if (node.type === 'TOMLArray') {
    for (const [index, item] of node.elements.entries()) {
      parts.push({ name: String(index), kind: 'value', noun: 'item', from: item.range[0], to: item.range[1] });
      collect(item, parts);
    }
  }
}

function nameOf(key: AST.TOMLBare | AST.TOMLQuoted): string {
  return key.type === 'TOMLBare' ? key.name : String(key.value);
}
