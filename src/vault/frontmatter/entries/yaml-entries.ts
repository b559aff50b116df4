import type { CST, Pair, ParsedNode, YAMLMap } from 'yaml';
import { StewardError } from '../../errors.ts';
import { yaml } from '../../lazy-packages.ts';
import { positionAt } from '../position.ts';
import { contentEnd, type FieldEntry, lineStart, nextLine } from './field-entry.ts';
import { BY_HAND, unsupported } from './unsupported.ts';

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
