import type { ParsedNode } from 'yaml';
import { yaml } from '../../lazy-packages.ts';

/**
 * One top-level field, as offsets into the body: whole lines, from that of its key to the last one of its value.
 * Comments and blank lines after it belong to no field.
 */
export interface FieldEntry {
  readonly key: string;
  readonly start: number;
  readonly end: number;
  /** Just after the colon. */
  readonly afterColon: number;
  readonly value: ParsedNode;
  /** False where the key is complex, or key or value has an anchor or a tag: such an entry is never edited. */
  readonly simple: boolean;
}

/** Returns where the line of an offset begins. */
export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** Returns where the next line begins, or the end of the text. */
export function nextLine(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  return at === -1 ? text.length : at + 1;
}

/** Returns the offset after the last character that belongs to the node, without trailing comments and line end. */
export function contentEnd(body: string, node: ParsedNode): number {
  if (yaml().isScalar(node) && isBlockScalar(node)) return blockScalarEnd(body, node.range[0], node.range[1]);
  if (node.srcToken?.type === 'block-seq' && yaml().isSeq(node)) return lastEnd(body, node.items.at(-1), node.range[1]);
  if (node.srcToken?.type === 'block-map' && yaml().isMap(node)) {
    const pair = node.items.at(-1);
    return lastEnd(body, pair?.value ?? pair?.key, node.range[1]);
  }
  return node.range[1];
}

/** Whether a value is a text of several lines after `|` or `>`. */
export function isBlockScalar(node: ParsedNode): boolean {
  return node.srcToken?.type === 'block-scalar';
}

function lastEnd(body: string, node: ParsedNode | null | undefined, otherwise: number): number {
  return node ? contentEnd(body, node) : otherwise;
}

/** Blank lines after a block scalar belong to it only where its header says keep (`|+`). */
function blockScalarEnd(body: string, start: number, end: number): number {
  const source = body.slice(start, end);
  const keep = /^[|>][0-9]*\+/.test(source);
  return start + (keep ? source.replace(/\r?\n$/, '') : source.trimEnd()).length;
}
