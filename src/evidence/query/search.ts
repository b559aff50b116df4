import { extractOf, type Finding, found, notFound } from '../files/finding.ts';
import type { Source } from '../files/source.ts';
import { miniSearch } from '../formats/lazy-parsers.ts';

/** A few consecutive lines that can be found. */
interface Passage {
  readonly id: number;
  readonly source: Source;
  readonly first: number;
  readonly last: number;
  readonly text: string;
  /** The file's path. Its words count too, but less. */
  readonly path: string;
}

const MAX_LINES = 12;
const MAX_PASSAGES = 20_000;
const MAX_HITS = 5;
const SMALL_WORDS: ReadonlySet<string> = new Set(
  'a an the of for to in on at by and or with from is are was were be it this that what which who how when where why do does did please find show tell me us all any there file files'.split(
    ' ',
  ),
);

/**
 * Returns the passages that share the most distinctive words with a request, best first. They may not answer it. Each
 * source is asked for once, and only those that hold a word of the request are kept.
 */
export function search(request: string, sources: Iterable<Source>): Finding {
  const checked: string[] = [];
  const all: Passage[] = [];
  const words = [...new Set(termsOf(request))];
  for (const source of sources) {
    checked.push(source.path);
    if (words.length > 0) for (const passage of passagesWith(words, source)) all.push(passage);
  }
  if (words.length === 0) return notFound(['The request holds no word to search for.'], checked);
  const passages = all.slice(0, MAX_PASSAGES);
  const MiniSearch = miniSearch();
  const index = new MiniSearch<Passage>({ fields: ['text', 'path'], tokenize: termsOf, processTerm: (term) => term });
  index.addAll(passages.map((passage, id) => ({ ...passage, id })));
  const hits = index
    .search(words.join(' '), { prefix: (term) => term.length > 4, boost: { text: 4 } })
    .slice(0, MAX_HITS);
  const extracts = hits.flatMap(({ id }) => {
    const passage = passages[Number(id)];
    return passage === undefined ? [] : [extractOf(passage.source, passage.first, passage.last)];
  });
  if (extracts.length === 0) return notFound(['No passage holds a word of the request.'], checked);
  const left =
    all.length > MAX_PASSAGES
      ? [`Only the first ${MAX_PASSAGES} of ${all.length} passages that hold a word of it were compared.`]
      : [];
  return found({
    statements: ['A search for the words of the request; whether these passages answer it was not judged.', ...left],
    extracts,
    checked,
  });
}

/**
 * Returns the passages that hold a word of the request, or of which the path does; what else they hold is never asked. The
 * words are letters and figures alone.
 */
function passagesWith(words: readonly string[], source: Source): readonly Passage[] {
  const some = new RegExp(words.join('|'), 'iu');
  const holds = (text: string) => some.test(text.normalize('NFC'));
  if (holds(source.path)) return passagesOf(source);
  return holds(source.text) ? passagesOf(source).filter(({ text }) => holds(text)) : [];
}

/** Returns the paragraphs of a text. Long ones are split. */
function passagesOf(source: Source): readonly Passage[] {
  const passages: Passage[] = [];
  let first = 1;
  const close = (last: number) => {
    const text = source.lines.slice(first - 1, last).join('\n');
    if (text.trim() !== '') passages.push({ id: 0, source, first, last, text, path: source.path });
    first = last + 1;
  };
  for (const [index, line] of source.lines.entries()) {
    if (line.trim() === '') {
      close(index);
      first = index + 2;
    } else if (index + 2 - first >= MAX_LINES) close(index + 1);
  }
  close(source.lines.length);
  return passages;
}

/** Returns the words of a text. Names in code also count by their parts. */
function termsOf(text: string): string[] {
  const words = text.normalize('NFC').match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words
    .flatMap((word) => [word, ...(word.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{N}+/gu) ?? [])])
    .map((word) => word.toLowerCase())
    .filter(
      (word, at, all) => word.length > 1 && !SMALL_WORDS.has(word) && all.indexOf(word, Math.max(0, at - 8)) === at,
    );
}
