import type { ParsedNode } from 'yaml';
import { yaml } from '../../lazy-packages.ts';
import { type FieldEntry, nextLine } from './field-entry.ts';

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
