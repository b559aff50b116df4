import { type Condition, pathOf } from './condition.ts';
import { parseCondition } from './condition-text.ts';
import { isWord, requestWords, type Word } from './word.ts';

/** A request that can be answered without a model. `file` is the name as written. */
export type Query = { readonly file: string } & (
  | { readonly kind: 'count'; readonly where: Condition | null; readonly whereText: string }
  | { readonly kind: 'value'; readonly name: string }
  | { readonly kind: 'show'; readonly name: string }
  | { readonly kind: 'lines'; readonly first: number; readonly last: number }
);

const MAX_WORDS = 300;
const POLITE =
  "please can could you tell me us give get find look up what what's what’s is are the a current exact".split(' ');
const ROWS = 'row rows record records entry entries item items object objects element elements'.split(' ');
const WHERE = ['where', 'with', 'having', 'whose', 'have', 'has', 'matching'];
const INSIDE = ['in', 'from', 'of', 'inside', 'within'];
const KINDS =
  'function method class heading section chapter definition declaration interface type enum struct constant variable source code body mixin extension'.split(
    ' ',
  );

/** Returns what a request in plain words asks for; null where there is any doubt. */
export function parseQuery(request: string): Query | null {
  const written = requestWords(request.replace(/(?<![\s.?!])[\s.?!]+$/, ''));
  if (written.length > MAX_WORDS) return null;
  const words = withFileLast(written);
  const head = after(words, POLITE);
  if (isWord(head[0], 'count')) return countQuery(request, head.slice(1));
  if (isWord(head[0], 'number') && isWord(head[1], 'of')) return countQuery(request, head.slice(2));
  if (isWord(head[0], 'how') && isWord(head[1], 'many')) return countQuery(request, head.slice(2));
  if (isWord(head[0], 'value', 'values') && isWord(head[1], 'of', 'for')) return valueQuery(request, head.slice(2));
  if (isWord(head[0], 'show', 'print', 'quote', 'display'))
    return showQuery(request, after(head.slice(1), ['me', 'us', 'the']));
  return isWord(head[0], ...KINDS, 'line', 'lines') ? showQuery(request, head) : null;
}

/** Rewrites "In FILE, count rows" to have the file last, as the other phrasings do. */
function withFileLast(words: readonly Word[]): readonly Word[] {
  if (!isWord(words[0], 'in', 'from')) return words;
  const [inside, file, ...rest] = words;
  const comma = file?.kind === 'word' && file.text.endsWith(',');
  const named = comma ? { ...file, text: file.text.slice(0, -1), to: file.to - 1 } : file;
  const tail = isWord(rest[0], ',') ? rest.slice(1) : rest;
  return inside === undefined || named === undefined || tail.length === 0 ? words : [...tail, inside, named];
}

function after(words: readonly Word[], left: readonly string[]): readonly Word[] {
  const first = words.findIndex((word) => !isWord(word, ...left));
  return first === -1 ? [] : words.slice(first);
}

// "rows where C in F", "rows in F where C", "rows in F"
function countQuery(request: string, words: readonly Word[]): Query | null {
  const [noun, next, ...more] = after(words, ['the', 'all', 'number', 'of']);
  if (!isWord(noun, ...ROWS) || next === undefined) return null;
  if (isWord(next, ...WHERE)) {
    const split = splitAtLast(more);
    return split === null ? null : counted(request, split.before, split.after);
  }
  if (!isWord(next, ...INSIDE)) return null;
  const where = more.findIndex((word) => isWord(word, ...WHERE));
  if (where === -1) return { kind: 'count', where: null, whereText: '', file: fileText(request, more) };
  return counted(request, more.slice(where + 1), more.slice(0, where));
}

function counted(request: string, condition: readonly Word[], file: readonly Word[]): Query | null {
  const where = parseCondition(condition);
  if (where === null || file.length === 0) return null;
  return { kind: 'count', where, whereText: textOf(request, condition), file: fileText(request, file) };
}

function valueQuery(request: string, words: readonly Word[]): Query | null {
  const split = splitAtLast(words);
  if (split === null) return null;
  const name = nameText(request, isWord(split.before[0], 'the') ? split.before.slice(1) : split.before);
  const isOne = split.before.length === 1 || !/\s/.test(name);
  return isOne && pathOf(name).length > 0 ? { kind: 'value', name, file: fileText(request, split.after) } : null;
}

function showQuery(request: string, words: readonly Word[]): Query | null {
  if (isWord(words[0], 'value') && isWord(words[1], 'of')) return valueQuery(request, words.slice(2));
  if (isWord(words[0], 'line', 'lines')) return linesQuery(request, words.slice(1));
  const split = splitAtLast(words);
  if (split === null) return null;
  const [kind, of, ...rest] = split.before;
  const isKind = isWord(kind, ...KINDS) && of !== undefined;
  const named = !isKind ? split.before : isWord(of, 'of', 'for') ? rest : split.before.slice(1);
  const name = nameText(request, isWord(named[0], 'the') ? named.slice(1) : named).replace(/\(\)$/, '');
  return name === '' ? null : { kind: 'show', name, file: fileText(request, split.after) };
}

function linesQuery(request: string, words: readonly Word[]): Query | null {
  const split = splitAtLast(words);
  const range = /^(\d{1,9})(?:\s?(?:-|–|\.\.|to)\s?(\d{1,9}))?$/.exec(
    split === null ? '' : textOf(request, split.before),
  );
  if (split === null || range === null) return null;
  const [first, last] = [Number(range[1]), Number(range[2] ?? range[1])];
  return first < 1 || last < first ? null : { kind: 'lines', first, last, file: fileText(request, split.after) };
}

/** Splits at the last unquoted "in", "from" or "of". */
function splitAtLast(words: readonly Word[]): { before: readonly Word[]; after: readonly Word[] } | null {
  const strong = words.findLastIndex((word) => isWord(word, 'in', 'from', 'inside', 'within'));
  const at = strong === -1 ? words.findLastIndex((word) => isWord(word, 'of')) : strong;
  return at < 1 || at === words.length - 1 ? null : { before: words.slice(0, at), after: words.slice(at + 1) };
}

/** Returns the name of a file: the quoted text, or the words as written. */
function fileText(request: string, words: readonly Word[]): string {
  const [first, second] = isWord(words[0], 'the', 'file') ? words.slice(1) : words;
  if (first?.kind === 'quoted' && second === undefined) return first.text;
  const from = isWord(words[0], 'the', 'file') ? words.slice(1) : words;
  return textOf(request, from).replace(/^file\s/, '');
}

function nameText(request: string, words: readonly Word[]): string {
  const [only] = words;
  return words.length === 1 && only?.kind === 'quoted' ? only.text : textOf(request, words);
}

function textOf(request: string, words: readonly Word[]): string {
  const [first, last] = [words[0], words.at(-1)];
  return first === undefined || last === undefined ? '' : request.slice(first.from, last.to).trim();
}
