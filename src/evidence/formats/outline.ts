import { StewardError } from '../../vault/errors.ts';
import { extensionOf, type Source } from '../files/source.ts';
import { lineFinder } from './line-index.ts';
import type { NamedPart } from './named-part.ts';
import { cNames, goNames, javaNames, rustNames } from './outline-compiled.ts';
import { dartNames } from './outline-dart.ts';
import { jsonNames } from './outline-json.ts';
import { markdownNames } from './outline-markdown.ts';
import { pythonNames, scriptNames } from './outline-script.ts';
import { tomlNames } from './outline-toml.ts';
import { yamlNames } from './outline-yaml.ts';

/** A named part with its lines and the names of the parts around it. */
export interface PlacedPart {
  /** The names of the enclosing parts, outermost first, then its own. */
  readonly path: readonly string[];
  readonly kind: NamedPart['kind'];
  /** What a person calls it: function, method, class, key, section. */
  readonly noun: string;
  readonly first: number;
  readonly last: number;
}

/** Returns the named parts of a text. Throws where the text is malformed. */
type Outliner = (text: string) => readonly NamedPart[];

const OUTLINERS: Readonly<Record<string, Outliner>> = {
  json: jsonNames,
  yaml: yamlNames,
  yml: yamlNames,
  toml: tomlNames,
  md: markdownNames,
  markdown: markdownNames,
  dart: dartNames,
  py: pythonNames,
  pyi: pythonNames,
  go: goNames,
  rs: rustNames,
  java: javaNames,
  ...Object.fromEntries(['c', 'h', 'cc', 'cpp', 'cxx', 'hh', 'hpp'].map((extension) => [extension, cNames])),
  ...Object.fromEntries(
    ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'].map((extension) => [extension, scriptNames]),
  ),
};

/** Longer texts are refused, since parsing them would take too long. */
const MAX_CHARS = 4_000_000;

/**
 * Returns everything in a source that has a name, in order; null for an unknown extension. Throws a `StewardError` where
 * the text is malformed or too long.
 */
export function outlineOf(source: Source): readonly PlacedPart[] | null {
  const extension = extensionOf(source);
  const outliner = Object.hasOwn(OUTLINERS, extension) ? OUTLINERS[extension] : undefined;
  if (outliner === undefined) return null;
  if (source.text.length > MAX_CHARS) throw tooLong(source.path);
  try {
    return placed(source.text, outliner(source.text));
  } catch (error) {
    if (error instanceof StewardError) throw error;
    throw malformed(source.path, error);
  }
}

/** The longest path of a part. */
const MAX_PATH = 40;

/** Adds to each part its lines and its path. */
function placed(text: string, parts: readonly NamedPart[]): readonly PlacedPart[] {
  const lineOf = lineFinder(text);
  const around: NamedPart[] = [];
  return parts
    .toSorted((one, other) => one.from - other.from || other.to - one.to)
    .map((part) => {
      while ((around.at(-1)?.to ?? Number.POSITIVE_INFINITY) <= part.from) around.pop();
      const noun = nounWithin(around.at(-1), part);
      around.push(part);
      const last = Math.max(part.from, part.from + text.slice(part.from, part.to).trimEnd().length - 1);
      return {
        path: pathOf(around, part),
        kind: part.kind,
        noun,
        first: lineOf(part.from),
        last: lineOf(last),
      };
    });
}

/** The names around a part and its own. What is unsure may only seem to be around it. */
function pathOf(around: readonly NamedPart[], part: NamedPart): readonly string[] {
  const sure = around.slice(-MAX_PATH, -1).filter(({ kind }) => kind !== 'unsure');
  return [...sure, part].flatMap(({ owner, name }) => (owner === undefined ? [name] : [owner, name]));
}

const HOLDS_METHODS: ReadonlySet<string> = new Set(
  'class mixin enum extension struct impl trait interface record union'.split(' '),
);

/** A function within a class is a method of it, or what makes one of it. */
function nounWithin(outer: NamedPart | undefined, { noun, name, owner }: NamedPart): string {
  if (noun !== 'function') return noun;
  if (owner !== undefined) return 'method';
  if (outer === undefined || !HOLDS_METHODS.has(outer.noun)) return noun;
  return outer.name === name ? 'constructor' : 'method';
}

function malformed(file: string, error: unknown): StewardError {
  const line = error instanceof Error && 'lineNumber' in error ? ` (line ${String(error.lineNumber)})` : '';
  return new StewardError({
    code: 'evidence-malformed',
    file,
    message: `${file} could not be read as what its name says it is${line}.`,
    hint: 'Mend the file, or ask for its lines.',
  });
}

function tooLong(file: string): StewardError {
  return new StewardError({
    code: 'evidence-too-long',
    file,
    message: `${file} is too long to be taken apart: it has more than ${MAX_CHARS} characters.`,
    hint: 'Ask for its lines.',
  });
}
