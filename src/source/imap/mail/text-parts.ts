import type { MessageStructureObject } from 'imapflow';
import type { Section } from './fetching.ts';

/** A part of a mail that is kept: a text, or what holds texts. */
interface Kept {
  /** Its number, as `1.2`; null for the mail itself. */
  readonly part: string | null;
  /** Between what its own parts stand; null for a text. */
  readonly boundary: string | null;
  readonly within: readonly Kept[];
}

const MOST_DEPTH = 10;
const MOST_TEXTS = 12;
const MOST_TEXT_BYTES = 256 * 1024;
const MOST_MIME_BYTES = 16 * 1024;
const BOUNDARY = /^[\x20-\x7e]{1,70}$/;
const LINE_END = Buffer.from('\r\n');

/** What is to be fetched of a mail that is too large, and how the small mail is made of it. */
interface TextPlan {
  readonly sections: readonly Section[];
  /** Joins the header block and what was fetched to a mail of the same headers, with its texts alone. */
  join(header: Buffer, fetched: ReadonlyMap<string, Buffer>): Buffer;
}

/** Returns how a large mail is made small: its texts with their own MIME headers, in the same order, and no attachment. */
export function textPlan(structure: MessageStructureObject | null): TextPlan {
  const root = structure === null ? null : keptOf(structure, 0);
  if (root === null) return { sections: [], join: (header) => header };
  const sections = sectionsOf(root).slice(0, 2 * MOST_TEXTS * MOST_DEPTH);
  return { sections, join: (header, fetched) => Buffer.concat([ended(header), ...bodyOf(root, fetched)]) };
}

function keptOf(node: MessageStructureObject, depth: number): Kept | null {
  const part = depth === 0 ? null : (node.part ?? null);
  if (depth > 0 && (part === null || !/^\d+(?:\.\d+)*$/.test(part))) return null;
  const type = node.type.toLowerCase();
  if (type.startsWith('multipart/')) return multipart(node, part, depth);
  const isText = type.startsWith('text/') && node.disposition?.toLowerCase() !== 'attachment';
  return isText ? { part, boundary: null, within: [] } : null;
}

function multipart(node: MessageStructureObject, part: string | null, depth: number): Kept | null {
  const boundary = node.parameters?.boundary ?? '';
  if (depth >= MOST_DEPTH || !BOUNDARY.test(boundary)) return null;
  const within = (node.childNodes ?? [])
    .map((child) => keptOf(child, depth + 1))
    .filter((kept) => kept !== null)
    .slice(0, MOST_TEXTS);
  return within.length === 0 ? null : { part, boundary, within };
}

function sectionsOf(kept: Kept): readonly Section[] {
  const mime = kept.part === null ? [] : [{ key: `${kept.part}.MIME`, maxLength: MOST_MIME_BYTES }];
  const text = kept.boundary === null ? [{ key: kept.part ?? 'TEXT', maxLength: MOST_TEXT_BYTES }] : [];
  return [...mime, ...text, ...kept.within.flatMap(sectionsOf)];
}

function bodyOf(kept: Kept, fetched: ReadonlyMap<string, Buffer>): readonly Buffer[] {
  const { boundary } = kept;
  if (boundary === null) return [fetched.get(kept.part ?? 'TEXT') ?? Buffer.alloc(0)];
  const parts = kept.within.flatMap((child) => [
    Buffer.from(`--${boundary}\r\n`),
    ended(fetched.get(`${child.part}.MIME`) ?? LINE_END),
    ...bodyOf(child, fetched),
    LINE_END,
  ]);
  return [...parts, Buffer.from(`--${boundary}--\r\n`)];
}

/** Returns a header block with the empty line that ends it. */
export function ended(header: Buffer): Buffer {
  const tail = header.subarray(-4).toString('latin1');
  if (/(?:^|\n)\r?\n$/.test(tail)) return header;
  return Buffer.concat(tail.endsWith('\n') ? [header, LINE_END] : [header, LINE_END, LINE_END]);
}
