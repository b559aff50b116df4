import type { Source } from './source.ts';

/** Where something stands: lines `first` to `last` of a file, both counted from 1. */
export interface Citation {
  readonly path: string;
  readonly first: number;
  readonly last: number;
}

/** Lines of a file, verbatim. */
export interface Extract extends Citation {
  readonly lines: readonly string[];
}

/** What a look at the registered files came to. */
export interface Finding {
  readonly found: boolean;
  /** What was counted, or what is to be known of the extracts; never what they mean. */
  readonly statements: readonly string[];
  readonly extracts: readonly Extract[];
  /** Places that are cited without their text. */
  readonly citations: readonly Citation[];
  /** What was looked at. */
  readonly checked: readonly string[];
}

/** Lines of a source. */
export function extractOf(source: Source, first: number, last: number): Extract {
  return { path: source.path, first, last, lines: source.lines.slice(first - 1, last) };
}

/** `path:line` or `path:first-last`. A path with characters that could be read otherwise stands in quotes. */
export function cite({ path, first, last }: Citation): string {
  const name = /^[^\p{Cc}\p{Zl}\p{Zp}":`]+$/u.test(path) ? path : JSON.stringify(path);
  return first === last ? `${name}:${first}` : `${name}:${first}-${last}`;
}

export function found(parts: Pick<Finding, 'statements' | 'extracts' | 'checked'>): Finding {
  return { found: true, citations: [], ...parts };
}

export function notFound(statements: readonly string[], checked: readonly string[]): Finding {
  return { found: false, statements, extracts: [], citations: [], checked };
}
