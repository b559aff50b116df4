import { looksLikeFile } from '../../files/file-name.ts';
import { HOLE, nameIn, type PlainText } from './plain-text.ts';

/** One way to read a request: the file that it names, and the rest with a hole in its place. */
export interface FileReading {
  readonly file: string;
  readonly rest: string;
}

const MAX_WORDS = 300;
/** A request in which a file may be named in more ways is not clear. */
const MAX_READINGS = 8;
const STRONG: ReadonlySet<string> = new Set(['in', 'from', 'inside', 'within', 'at']);
const BEFORE_FILE: ReadonlySet<string> = new Set(['the', 'file', 'module', 'script']);

/** Returns the ways in which a request may name its file, the likeliest first. */
export function fileReadings(plain: PlainText): readonly FileReading[] {
  const words = plain.text.split(' ');
  if (words.length > MAX_WORDS || plain.text === '') return [];
  const last = [...words.keys()].toReversed();
  const strong = last.filter((at) => STRONG.has(lower(words[at])));
  const weak = last.filter((at) => lower(words[at]) === 'of');
  const likely = (at: number) => namesFile(plain, words, at);
  const readings = [
    ...(STRONG.has(lower(words[0])) ? atFront(plain, words) : []),
    ...[...strong.filter(likely), ...weak.filter(likely)].flatMap((at) => oneWord(plain, words, at)),
    ...last
      .filter((at) => isFile(plain, words[at]) && !isLed(words[at - 1]))
      .flatMap((at) => withHole(plain, words, at, at, at + 1)),
    ...[...strong.slice(0, 1), ...weak.slice(0, 1)].flatMap((at) => toTheEnd(plain, words, at)),
  ];
  return readings.slice(0, MAX_READINGS);
}

/** "In FILE, count rows": the file is first, whatever its name looks like. */
function atFront(plain: PlainText, words: readonly string[]): readonly FileReading[] {
  const at = fileAfter(words, 0);
  const rest = words[at + 1] === ',' ? at + 2 : at + 1;
  return rest >= words.length ? [] : withHole(plain, words, at, 0, rest);
}

function oneWord(plain: PlainText, words: readonly string[], at: number): readonly FileReading[] {
  const file = fileAfter(words, at);
  return withHole(plain, words, file, at, file + 1);
}

/** A name with spaces, or without an extension. */
function toTheEnd(plain: PlainText, words: readonly string[], at: number): readonly FileReading[] {
  const from = fileAfter(words, at);
  const file = nameIn(plain, words.slice(from).join(' '));
  return file === '' || at === 0 ? [] : [{ file, rest: [...words.slice(0, at), HOLE].join(' ') }];
}

function withHole(
  plain: PlainText,
  words: readonly string[],
  file: number,
  from: number,
  to: number,
): readonly FileReading[] {
  const name = nameIn(plain, bare(words[file] ?? ''));
  return name === '' ? [] : [{ file: name, rest: [...words.slice(0, from), HOLE, ...words.slice(to)].join(' ') }];
}

function fileAfter(words: readonly string[], at: number): number {
  let next = at + 1;
  while (next < words.length - 1 && BEFORE_FILE.has(lower(words[next]))) next += 1;
  return next;
}

/** A word that leads to a file was read with it already. */
function isLed(before: string | undefined): boolean {
  return STRONG.has(lower(before)) || lower(before) === 'of';
}

function namesFile(plain: PlainText, words: readonly string[], at: number): boolean {
  return isFile(plain, words[fileAfter(words, at)]);
}

function isFile(plain: PlainText, word: string | undefined): boolean {
  return word !== undefined && looksLikeFile(nameIn(plain, bare(word)));
}

/** A comma or a colon behind a name is not of the name. */
function bare(word: string): string {
  return word.replace(/[,:;]$/, '');
}

function lower(word: string | undefined): string {
  return word?.toLowerCase() ?? '';
}
