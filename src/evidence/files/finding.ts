import type { Source } from './source.ts';

/** Lines `first` to `last` of a file, both counted from 1. */
export interface Citation {
  readonly path: string;
  readonly first: number;
  readonly last: number;
}

/** Lines of a file, verbatim. */
export interface Extract extends Citation {
  /** What they are, such as `function load`; null where nobody said. */
  readonly part: string | null;
  readonly lines: readonly string[];
}

/** The result of a lookup in the registered files. */
export interface Finding {
  readonly found: boolean;
  /** Counts, or remarks on the extracts; never an interpretation. */
  readonly statements: readonly string[];
  readonly extracts: readonly Extract[];
  /** Lines that are cited without their text. */
  readonly citations: readonly Citation[];
  /** The paths that were looked at. */
  readonly checked: readonly string[];
}

/** Returns lines of a source as an extract. `part`: what they are. */
export function extractOf(source: Source, first: number, last: number, part: string | null = null): Extract {
  return { path: source.path, first, last, part, lines: source.lines.slice(first - 1, last) };
}

/** Drops extracts that lie inside another one. */
export function withoutNested(extracts: readonly Extract[]): readonly Extract[] {
  return extracts.filter(
    (one, index) =>
      !extracts.some(
        (other, at) =>
          other.path === one.path &&
          other.first <= one.first &&
          one.last <= other.last &&
          (other.last - other.first > one.last - one.first || at < index),
      ),
  );
}

/** Returns `path:line` or `path:first-last`. The path is quoted where its characters would be ambiguous. */
export function cite({ path, first, last }: Citation): string {
  const name = /^[^\p{Cc}\p{Zl}\p{Zp}":`]+$/u.test(path) ? path : JSON.stringify(path);
  return first === last ? `${name}:${first}` : `${name}:${first}-${last}`;
}

/** Returns a finding of something. */
export function found(parts: Pick<Finding, 'statements' | 'extracts' | 'checked'>): Finding {
  return { found: true, citations: [], ...parts };
}

/** Returns a finding of nothing. `statements` say why. */
export function notFound(statements: readonly string[], checked: readonly string[]): Finding {
  return { found: false, statements, extracts: [], citations: [], checked };
}
