import { type JsonNode, parseJson } from './json.ts';
import type { NamedPart } from './named-part.ts';

/** Returns the keys of a JSON text, and the items of its lists by index. Throws `evidence-not-json`. */
export function jsonNames(text: string): readonly NamedPart[] {
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
