import { figuresIn } from './figures/figures.ts';

/** Lines of a file, both counted from 1. */
interface Lines {
  readonly file: string;
  readonly first: number;
  readonly last: number;
}

/** What was cited in some messages: the lines, and the messages themselves, in which a count may be repeated. */
export interface Quoted {
  readonly lines: readonly Lines[];
  readonly texts: readonly string[];
}

/** A part of a result as it is carried on: lines of a file, verbatim; or a count, without a place of its own. */
interface Carried {
  readonly lines?: string;
  readonly text: string;
}

/** An extract in the text of a result. */
interface Extract extends Lines {
  readonly body: readonly string[];
}

const PLACE = /^("(?:[^"\\]|\\.)*"|[^":`]+):(\d{1,9})(?:-(\d{1,9}))?(?: — .*)?$/;
const FENCE = /^`{3,}$/;
const COUNT = /^(\d{1,9}) of (\d{1,9}) /;

/** Returns what these messages cite as `path:line`. Lines without a path, and those that are only asked for, do not count. */
export function quotedIn(texts: readonly string[]): Quoted {
  const lines = texts.flatMap((text) => figuresIn(text).flatMap((figure) => figure.lines ?? []));
  return { lines: lines.filter(({ file }) => file !== ''), texts };
}

/**
 * Returns the lines of a result that were cited, verbatim and each run of them under its own place; of a count, which has
 * no lines to show, the count itself where one of its places was cited or both its numbers were repeated together. Empty
 * where nobody has cited it. LAW: what is returned stands in the result.
 */
export function carriedFrom(result: string, quoted: Quoted): Carried[] {
  const { extracts, statements } = partsOf(result);
  if (extracts.length > 0) return extracts.flatMap((extract) => citedRuns(extract, quoted));
  return isCounted(statements, quoted) ? statements.map((text) => ({ text })) : [];
}

function partsOf(result: string): { extracts: Extract[]; statements: string[] } {
  const lines = result.split('\n').slice(1); // without its header
  const extracts: Extract[] = [];
  const statements: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const fence = lines[at + 1] ?? '';
    const place = FENCE.test(fence) ? placeIn(line) : null;
    const end = place === null ? -1 : lines.indexOf(fence, at + 2);
    if (place === null || end === -1) statements.push(line);
    else {
      extracts.push({ ...place, body: lines.slice(at + 2, end) });
      at = end;
    }
  }
  return { extracts, statements: statements.filter((line) => line.trim() !== '') };
}

function placeIn(line: string): Lines | null {
  const [, written = '', first = '', last = first] = PLACE.exec(line) ?? [];
  if (first === '') return null;
  return { file: written.startsWith('"') ? unquoted(written) : written, first: Number(first), last: Number(last) };
}

function unquoted(written: string): string {
  try {
    return String(JSON.parse(written));
  } catch {
    return written;
  }
}

function citedRuns({ file, first, body }: Extract, { lines }: Quoted): Carried[] {
  const ranges = lines.filter((one) => isSameFile(one.file, file));
  const isCited = (line: number) => ranges.some((one) => one.first <= line && line <= one.last);
  const runs: { from: number; text: string[] }[] = [];
  for (const [at, text] of body.entries()) {
    const last = runs.at(-1);
    if (!isCited(first + at)) continue;
    if (last !== undefined && last.from + last.text.length === first + at) last.text.push(text);
    else runs.push({ from: first + at, text: [text] });
  }
  return runs.map(({ from, text }) => {
    const to = from + text.length - 1;
    return { lines: from === to ? `${file}:${from}` : `${file}:${from}-${to}`, text: text.join('\n') };
  });
}

function isCounted(statements: readonly string[], { lines, texts }: Quoted): boolean {
  const places = quotedIn(statements).lines;
  const isPlaceCited = places.some(({ file, first, last }) =>
    lines.some((one) => isSameFile(one.file, file) && one.first <= last && first <= one.last),
  );
  return isPlaceCited || statements.some((one) => isRepeated(one, texts));
}

function isRepeated(statement: string, texts: readonly string[]): boolean {
  const [, some = '', all = ''] = COUNT.exec(statement) ?? [];
  if (all === '') return false;
  const both = new RegExp(`(?<![\\d.,])${some}(?![\\d.,]\\d)\\D{1,60}(?<![\\d.,])${all}(?!\\d|[.,]\\d)`);
  return texts.some((text) => both.test(text));
}

function isSameFile(one: string, other: string): boolean {
  const [long, short] = one.length > other.length ? [one, other] : [other, one];
  return long.replace(/^\.\//, '') === short.replace(/^\.\//, '') || long.endsWith(`/${short.replace(/^\.\//, '')}`);
}
