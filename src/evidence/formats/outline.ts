import { StewardError } from '../../vault/errors.ts';
import type { Source } from '../files/source.ts';
import { lineFinder } from './line-index.ts';
import type { NamedPart } from './named-part.ts';
import { dartNames } from './outline-dart.ts';
import { jsonNames } from './outline-json.ts';
import { markdownNames } from './outline-markdown.ts';
import { pythonNames, scriptNames } from './outline-script.ts';
import { tomlNames } from './outline-toml.ts';
import { yamlNames } from './outline-yaml.ts';

/** A named part with the names around it, and its lines. */
export interface PlacedPart {
  /** The names of what it stands in, outermost first, and its own. */
  readonly path: readonly string[];
  readonly kind: NamedPart['kind'];
  readonly first: number;
  readonly last: number;
}

/** The named parts of a text. Throws a `StewardError` where the text is not well-formed. */
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
  ...Object.fromEntries(['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'].map((ending) => [ending, scriptNames])),
};

/** Longer texts are not taken apart: it would take too long. */
const MAX_CHARS = 4_000_000;

/** Everything in a source that has a name, in the order of the text; null where nothing is known of files of its ending. */
export function outlineOf(source: Source): readonly PlacedPart[] | null {
  const ending = source.path.slice(source.path.lastIndexOf('.') + 1).toLowerCase();
  const outliner = Object.hasOwn(OUTLINERS, ending) ? OUTLINERS[ending] : undefined;
  if (outliner === undefined) return null;
  if (source.text.length > MAX_CHARS) throw tooLong(source.path);
  try {
    return placed(source.text, outliner(source.text));
  } catch (error) {
    if (error instanceof StewardError) throw error;
    throw malformed(source.path, error);
  }
}

/** Of how many names around it a part knows. */
const MAX_AROUND = 40;

/** Parts that lie within others have their names before their own. */
function placed(text: string, parts: readonly NamedPart[]): readonly PlacedPart[] {
  const lineOf = lineFinder(text);
  const around: NamedPart[] = [];
  return parts
    .toSorted((one, other) => one.from - other.from || other.to - one.to)
    .map((part) => {
      while ((around.at(-1)?.to ?? Number.POSITIVE_INFINITY) <= part.from) around.pop();
      around.push(part);
      const last = Math.max(part.from, part.from + text.slice(part.from, part.to).trimEnd().length - 1);
      return {
        path: around.slice(-MAX_AROUND).map(({ name }) => name),
        kind: part.kind,
        first: lineOf(part.from),
        last: lineOf(last),
      };
    });
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
