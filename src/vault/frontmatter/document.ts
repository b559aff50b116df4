import type { CST, Pair, ParsedNode, YAMLMap } from 'yaml';
import { StewardError } from '../errors.ts';
import { yaml } from '../lazy-packages.ts';
import { type Frontmatter, valuesIn } from '../records/values.ts';
import { readNote } from './parse.ts';
import { positionAt } from './position.ts';

/**
 * A note opened for editing: `head + body + tail` is the whole text, and `body` is the YAML between the fences. A note
 * without frontmatter is opened as if it had an empty one (`bare`).
 */
export interface NoteDocument {
  readonly file: string;
  readonly text: string;
  readonly bare: boolean;
  readonly head: string;
  readonly body: string;
  readonly tail: string;
  readonly eol: string;
  readonly data: Frontmatter;
  readonly entries: readonly FieldEntry[];
  /** The indent before each key; empty unless somebody indented the whole frontmatter. */
  readonly indent: string;
}

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

/**
 * Opens a note for editing.
 * @throws StewardError `edit-unreadable` where the note cannot be read, `edit-unsupported` where its frontmatter is
 * written in a way that cannot be edited exactly.
 */
export function openDocument(file: string, text: string): NoteDocument {
  const read = readNote(file, Buffer.from(text, 'utf8'));
  if (!read.ok) throw new StewardError({ ...read.trouble, code: 'edit-unreadable' });
  const { data, block } = read.note;
  const frame = block === null ? bareFrame(text) : frameAt(text, block.start, block.end, block.eol);
  demandSmall(file, data, frame.body);
  // The `yaml` package sees only what js-yaml has accepted: deep nesting can end the whole process inside it.
  const map = block === null ? null : parseBody(file, text, frame.head.length, frame.body);
  const entries = map === null ? [] : map.items.map((pair) => entryOf(frame.body, pair));
  demandApart(file, entries);
  demandSameNames(file, data, entries);
  return { file, text, ...frame, data, entries, indent: indentOf(frame.body, entries) };
}

/** Returns the whole note with another body; a note without frontmatter that gets no field stays as it is. */
export function withBody(document: NoteDocument, body: string): string {
  return document.bare && body === '' ? document.text : document.head + body + document.tail;
}

/** Returns the entry of a field, or null where the note has no such field. */
export function findField(document: NoteDocument, key: string): FieldEntry | null {
  return document.entries.find((entry) => entry.key === key) ?? null;
}

/** Returns the whole lines of an entry. */
export function sourceOf(document: NoteDocument, entry: FieldEntry): string {
  return document.body.slice(entry.start, entry.end);
}

/** Returns the body with other lines for these entries; '' removes one. */
export function replaced(document: NoteDocument, sources: ReadonlyMap<FieldEntry, string>): string {
  let body = '';
  let from = 0;
  for (const entry of document.entries) {
    body += document.body.slice(from, entry.start) + (sources.get(entry) ?? sourceOf(document, entry));
    from = entry.end;
  }
  return body + document.body.slice(from);
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

/** Returns the error of an edit that cannot be made exactly, `edit-unsupported`. */
export function unsupported(file: string, what: string, hint: string): StewardError {
  return new StewardError({ code: 'edit-unsupported', file, message: what, hint });
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

/** Where several keys share a line, or entries overlap, no entry can be cut out alone. */
function demandApart(file: string, entries: readonly FieldEntry[]): void {
  if (entries.every((entry, nth) => entry.start >= (entries[nth - 1]?.end ?? 0))) return;
  throw unsupported(file, 'The fields of the frontmatter do not stand on lines of their own.', BY_HAND);
}

/**
 * Both YAML readers must see the same fields. js-yaml takes a byte order mark before the first key as part of its name,
 * and `yaml` ignores it: an edit would change another field than the one that was read.
 */
function demandSameNames(file: string, data: Frontmatter, entries: readonly FieldEntry[]): void {
  const isKnown = entries.every(({ simple, key }) => !simple || Object.hasOwn(data, key));
  if (isKnown && new Set(entries.map(({ key }) => key)).size === entries.length) return;
  throw unsupported(file, 'The name of a field holds characters that cannot be seen.', BY_HAND);
}

/** An edit opens a note several times and must not block the program: each value or comment costs it some 50 µs. */
const MAX_VALUES = 1000;
const MAX_COMMENTS = 4000;

function demandSmall(file: string, data: Frontmatter, body: string): void {
  const comments = body.split('\n').filter((line) => line.trimStart().startsWith('#'));
  if (comments.length <= MAX_COMMENTS && valuesIn(data) <= MAX_VALUES) return;
  throw unsupported(file, 'The frontmatter holds too much to be edited.', BY_HAND);
}

type Frame = Pick<NoteDocument, 'bare' | 'head' | 'body' | 'tail' | 'eol'>;

function frameAt(text: string, start: number, end: number, eol: string): Frame {
  return { bare: false, head: text.slice(0, start), body: text.slice(start, end), tail: text.slice(end), eol };
}

function bareFrame(text: string): Frame {
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  return { bare: true, head: `${bom}---${eol}`, body: '', tail: `---${eol}${text.slice(bom.length)}`, eol };
}

const BY_HAND = 'Change this note by hand, or write its frontmatter as plain "field: value" lines.';

/**
 * The top-level mapping, null where there is none yet. Duplicate keys were refused before: here the check is quadratic.
 */
function parseBody(file: string, text: string, offset: number, body: string): YAMLMap.Parsed | null {
  // A lone CR ends a line for js-yaml, but not for `yaml`.
  if (/\r(?!\n)/.test(body)) throw unsupported(file, 'The frontmatter holds a lone carriage return.', BY_HAND);
  const parsed = yaml().parseDocument(body, { keepSourceTokens: true, uniqueKeys: false, prettyErrors: false });
  const [error] = parsed.errors;
  if (error !== undefined) throw unreadableFor(file, text, offset + error.pos[0], error.message);
  const { contents } = parsed;
  if (contents === null || (yaml().isScalar(contents) && contents.source === '')) return null;
  const explicit = parsed.directives?.docStart === true || /^%/m.test(body);
  if (
    explicit ||
    !yaml().isMap(contents) ||
    contents.srcToken?.type !== 'block-map' ||
    contents.anchor ||
    contents.tag
  ) {
    throw unsupported(file, 'The frontmatter is not written as one field a line.', BY_HAND);
  }
  return contents;
}

function unreadableFor(file: string, text: string, offset: number, reason: string): StewardError {
  return new StewardError({
    code: 'edit-unsupported',
    file,
    ...positionAt(text, offset),
    message: `The frontmatter can be read but not edited safely: ${reason}.`,
    hint: BY_HAND,
  });
}

function entryOf(body: string, pair: Pair<ParsedNode, ParsedNode | null>): FieldEntry {
  const { key } = pair;
  const value = pair.value ?? key;
  const tokens: CST.CollectionItem | undefined = pair.srcToken;
  const first = tokens?.start.find((token) => !isTrivia(token))?.offset ?? key.range[0];
  const start = lineStart(body, first);
  const colon = tokens?.sep?.find((token) => token.type === 'map-value-ind');
  return {
    key: nameOf(key) || body.slice(start, nextLine(body, start)).trim(),
    start,
    end: nextLine(body, Math.max(contentEnd(body, value), colon === undefined ? 0 : colon.offset + 1)),
    afterColon: (colon?.offset ?? 0) + 1,
    value,
    simple: pair.value !== null && colon !== undefined && isSimple(body, key, tokens),
  };
}

/** '' for a key that is no name. Its entry goes by its first line, since '' means "before all entries" in a recipe. */
function nameOf(key: ParsedNode): string {
  if (!yaml().isScalar(key)) return '';
  return typeof key.value === 'string' ? key.value : (key.source ?? '');
}

function isSimple(body: string, key: ParsedNode, tokens: CST.CollectionItem | undefined): boolean {
  if (!yaml().isScalar(key) || typeof key.value !== 'string' || tokens === undefined) return false;
  const between = tokens.sep?.filter((token) => !isTrivia(token)) ?? [];
  if (!tokens.start.every(isTrivia) || between.length !== 1) return false;
  return /^ *$/.test(body.slice(lineStart(body, key.range[0]), key.range[0]));
}

function isTrivia(token: CST.SourceToken): boolean {
  return token.type === 'space' || token.type === 'newline' || token.type === 'comment';
}

function indentOf(body: string, entries: readonly FieldEntry[]): string {
  const [first] = entries;
  return first === undefined ? '' : (/^ */.exec(body.slice(first.start))?.[0] ?? '');
}
