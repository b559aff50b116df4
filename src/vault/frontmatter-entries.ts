import type { CST, Pair, ParsedNode, YAMLMap } from 'yaml';
import { StewardError } from './errors.ts';
import { positionAt } from './frontmatter/position.ts';
import { yaml } from './lazy-packages.ts';

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

const LINE_END = 10;
const BLANK = 32;
const HASH = 35;
const DASH = 45;
/** A text of several lines begins behind such a mark: the blank lines at its end may be its own. */
const LITERAL = /\|[-+]?$/m;

/**
 * Returns the fields of frontmatter that the reader of plain YAML has read; null where only a full reader can tell where
 * they end. To find them in lines takes a hundredth of the time of reading them all with `yaml`, which an edit would do
 * four times over: a value is read by it when somebody asks how it is written.
 *
 * LAW: it returns what `yamlEntries` returns, or declines.
 */
export function plainEntries(body: string): FieldEntry[] | null {
  if (LITERAL.test(body) || body.includes('\r')) return null;
  const entries: PlainEntry[] = [];
  for (let start = 0; start < body.length; ) {
    const end = nextLine(body, start);
    const content = afterBlanks(body, start);
    const first = body.charCodeAt(content);
    if (first !== LINE_END && first !== HASH) {
      if (content === start && first !== DASH) entries.push(new PlainEntry(body, start, end));
      else entries.at(-1)?.reachTo(end);
    }
    start = end;
  }
  return entries;
}

function afterBlanks(body: string, from: number): number {
  let at = from;
  while (body.charCodeAt(at) === BLANK) at += 1;
  return at;
}

/** A field of plain frontmatter. How its value is written is looked at when somebody asks. */
class PlainEntry implements FieldEntry {
  readonly key: string;
  readonly start: number;
  readonly afterColon: number;
  readonly simple = true;
  readonly #body: string;
  #end: number;
  #value: ParsedNode | undefined;

  constructor(body: string, start: number, end: number) {
    const colon = body.indexOf(':', start);
    this.key = body.slice(start, colon);
    this.start = start;
    this.afterColon = colon + 1;
    this.#body = body;
    this.#end = end;
  }

  get end(): number {
    return this.#end;
  }

  get value(): ParsedNode {
    this.#value ??= valueAt(this.start, this.#body.slice(this.start, this.#end));
    return this.#value;
  }

  /** Another line belongs to it, and whatever stands between. */
  reachTo(end: number): void {
    this.#end = end;
  }
}

/** Reads one field as it stands `start` characters behind the beginning: a comment takes the place of what is before it. */
function valueAt(start: number, source: string): ParsedNode {
  const before = start === 0 ? '' : `${'#'.repeat(start - 1)}\n`;
  const parsed = yaml().parseDocument<ParsedNode>(before + source, { keepSourceTokens: true, prettyErrors: false });
  const pair = yaml().isMap(parsed.contents) ? parsed.contents.items[0] : undefined;
  const value = pair?.value ?? pair?.key;
  if (value === undefined) throw new Error(`no field in ${JSON.stringify(source)}`); // the plain reader has read one
  return value;
}

/** What a person can do about frontmatter that cannot be edited. */
export const BY_HAND = 'Change this note by hand, or write its frontmatter as plain "field: value" lines.';

/** Returns the error of an edit that cannot be made exactly, `edit-unsupported`. */
export function unsupported(file: string, what: string, hint: string): StewardError {
  return new StewardError({ code: 'edit-unsupported', file, message: what, hint });
}

/** Returns the fields of any frontmatter that js-yaml has accepted, in the order in which they stand. Throws `edit-unsupported`. */
export function yamlEntries(file: string, text: string, offset: number, body: string): FieldEntry[] {
  const map = mappingIn(file, text, offset, body);
  return map === null ? [] : map.items.map((pair) => entryOf(body, pair));
}

/**
 * The top-level mapping, null where there is none yet. Duplicate keys were refused before: here the check is quadratic.
 */
function mappingIn(file: string, text: string, offset: number, body: string): YAMLMap.Parsed | null {
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
