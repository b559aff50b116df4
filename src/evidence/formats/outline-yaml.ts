import { CORE_SCHEMA, loadAll } from 'js-yaml';
import type { ParsedNode } from 'yaml';
import { StewardError } from '../../vault/errors.ts';
import { yaml } from '../../vault/lazy-packages.ts';
import type { NamedPart } from './named-part.ts';

/** Longer YAML is refused, since parsing it takes too long. */
const MAX_CHARS = 400_000;

/** Returns the keys of a YAML text, and the items of its lists by index. Throws where it is malformed or too long. */
export function yamlNames(text: string): readonly NamedPart[] {
  if (text.length > MAX_CHARS) throw tooLong();
  // First through js-yaml, which refuses deep nesting: `yaml` may crash on it.
  loadAll(text, () => {}, { schema: CORE_SCHEMA });
  const parts: NamedPart[] = [];
  for (const document of yaml().parseAllDocuments(text, { uniqueKeys: false })) {
    if ('contents' in document && document.contents !== null) collect(document.contents, parts);
  }
  return parts;
}

function collect(node: ParsedNode, parts: NamedPart[]): void {
  const { isMap, isScalar, isSeq } = yaml();
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      const to = value?.range[1] ?? key.range[1];
      if (isScalar(key)) parts.push({ name: String(key.value), kind: 'value', noun: 'key', from: key.range[0], to });
      if (value !== null) collect(value, parts);
    }
  } else if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) {
      if (!('range' in item) || !item.range) continue;
      parts.push({ name: String(index), kind: 'value', noun: 'item', from: item.range[0], to: item.range[1] });
      collect(item, parts);
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
