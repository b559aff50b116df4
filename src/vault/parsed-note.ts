import { type Position, positionAt } from './frontmatter/position.ts';
import type { Frontmatter, Yaml } from './records/values.ts';

/** Whether two frontmatter values are deeply the same, whatever the order of their keys. */
export function same(one: Yaml, other: Yaml): boolean {
  if (one === other) return true;
  if (one === null || other === null || typeof one !== 'object' || typeof other !== 'object') return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, index) => same(item, other[index] ?? null));
  }
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  const [left, right] = [one as Readonly<Record<string, Yaml>>, other as Readonly<Record<string, Yaml>>];
  return keys.every((key) => Object.hasOwn(right, key) && same(left[key] ?? null, right[key] ?? null));
}

/** Whether two frontmatter values are deeply the same, with their keys in the same order. */
export function sameInOrder(one: Yaml | undefined, other: Yaml | undefined): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [ours, theirs] = [Object.entries(one), Object.entries(other)];
  return (
    ours.length === theirs.length &&
    ours.every(([key, value], nth) => key === theirs[nth]?.[0] && sameInOrder(value, theirs[nth]?.[1]))
  );
}

/** Where the YAML between the fences is, as offsets into the note's text. */
export interface Block {
  readonly start: number;
  readonly end: number;
  /** 1-based line in the file of the first YAML line. */
  readonly firstLine: number;
  /** The line end of the opening fence: `\n` or `\r\n`. */
  readonly eol: string;
}

/** A note that could be read: its fields, where they stand, and its whole text. */
export interface ParsedNote {
  readonly data: Frontmatter;
  /** Null where the note has no frontmatter. */
  readonly block: Block | null;
  readonly text: string;
  /** Whether the reader of plain YAML has read its frontmatter. */
  readonly isPlain: boolean;
}

/** Returns what stands below the frontmatter of a note, its closing fence included. */
export function bodyOf({ text, block }: ParsedNote): string {
  return block === null ? text : text.slice(block.end);
}

/**
 * Returns the position of a top-level key's value (of the key itself where the value begins on a later line), or null.
 */
export function fieldPosition(note: ParsedNote, key: string): Position | null {
  const offsets = offsetsOf(note, key);
  return offsets === null ? null : positionAt(note.text, offsets.value);
}

/** Returns the position of a top-level key itself, or null. */
export function keyPosition(note: ParsedNote, key: string): Position | null {
  const offsets = offsetsOf(note, key);
  return offsets === null ? null : positionAt(note.text, offsets.key);
}

/** Returns the line end a note uses: that of its opening fence, or without frontmatter that of its text. */
export function eolOf(text: string, block: Block | null): string {
  return block?.eol ?? (text.includes('\r\n') ? '\r\n' : '\n');
}

function offsetsOf({ text, block }: ParsedNote, key: string): { key: number; value: number } | null {
  if (block === null) return null;
  const yaml = text.slice(block.start, block.end);
  const indent = /^[ ]*(?=[^\s#])/gm.exec(yaml)?.[0] ?? '';
  const names = [key, JSON.stringify(key), `'${key.replaceAll("'", "''")}'`].map((name) =>
    name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  const found = new RegExp(`(?<=^|\\n)${indent}(?:${names.join('|')})[ \\t]*:(?=\\s|$)[ \\t]*`).exec(yaml);
  if (found === null) return null;
  const behind = found.index + found[0].length;
  const onThisLine = behind < yaml.length && !/[\r\n#]/.test(yaml.charAt(behind));
  const start = found.index + indent.length;
  return { key: block.start + start, value: block.start + (onThisLine ? behind : start) };
}
