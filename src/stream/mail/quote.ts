import type { Span } from './span.ts';

export const MAX_QUOTE_CHARACTERS = 50;
const MAX_CLAIMED = 500;

/** Marks that are written one for the other: a model that copies a quote often does. */
const ALIKE = [`"“”„‟«»″`, `'’‘‚‛ʼ´\``, '-‐‑‒–—'].map((marks) => new RegExp(`[${marks}]`, 'gu'));
/** What a model may put around a quote that it was asked for, and what the quote itself may not end in. */
const AROUND = /^["“”„«»'’‘‚\s]+|(?<!["“”„«»'’‘‚\s])["“”„«»'’‘‚\s]+$/gu;

/**
 * Returns where the text has the claimed words, with any white space between them and any kind of quotation mark, apostrophe
 * and dash in the place of another; null where it does not.
 */
export function locate(claimed: string, text: string): Span | null {
  const words = claimed.slice(0, MAX_CLAIMED);
  return placeOf(words, text) ?? placeOf(words.replace(AROUND, ''), text);
}

function placeOf(claimed: string, text: string): Span | null {
  const words = claimed.match(/\S+/g);
  if (words === null) return null;
  const found = new RegExp(words.map(pattern).join('\\s+'), 'u').exec(text);
  return found === null ? null : { start: found.index, end: found.index + found[0].length };
}

function pattern(word: string): string {
  const literally = word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return ALIKE.reduce((said, marks) => said.replace(marks, `${marks.source}`), literally);
}

/**
 * Returns at most 50 characters of the sentence, verbatim and on one line, that show the span with as many whole words
 * around it as there is room for. Of a span over several lines only the last line is shown.
 */
export function quoteAround(text: string, span: Span, sentence: Span): string {
  const line = lineOf(text, span.end, sentence);
  const to = Math.min(span.end, line.end);
  let from = wholeWordFrom(text, Math.max(span.start, line.start), to);
  let until = to;
  for (let grows = true; grows; ) {
    const left = wordBefore(text, from, line.start);
    const growsLeft = until - left <= MAX_QUOTE_CHARACTERS && left < from;
    if (growsLeft) from = left;
    const right = wordAfter(text, until, line.end);
    const growsRight = right - from <= MAX_QUOTE_CHARACTERS && right > until;
    if (growsRight) until = right;
    grows = growsLeft || growsRight;
  }
  return withoutHalves(text.slice(from, until)).trim();
}

/** Returns where a span that is too long starts to be shown: not inside a word, unless that word is all there is. */
function wholeWordFrom(text: string, start: number, to: number): number {
  const from = to - MAX_QUOTE_CHARACTERS;
  if (from <= start) return start;
  const cut = /^\S*\s+(?=\S)/.exec(text.slice(from - 1, to))?.[0].length ?? 1;
  return from - 1 + cut;
}

/** Returns the part of the sentence that is in the same line as `end`. */
function lineOf(text: string, end: number, sentence: Span): Span {
  let from = end;
  while (from > sentence.start && !isBreak(text, from - 1)) from -= 1;
  let to = end;
  while (to < sentence.end && !isBreak(text, to)) to += 1;
  return { start: from, end: to };
}

function isBreak(text: string, at: number): boolean {
  return /[\p{Cc}\u2028\u2029]/u.test(text.charAt(at));
}

function wordBefore(text: string, at: number, limit: number): number {
  const before = text.slice(Math.max(limit, at - MAX_QUOTE_CHARACTERS - 1), at);
  return at - (/\S+\s*$/.exec(before)?.[0].length ?? 0);
}

function wordAfter(text: string, at: number, limit: number): number {
  const behind = text.slice(at, Math.min(limit, at + MAX_QUOTE_CHARACTERS + 1));
  return at + (/^\s*\S+/.exec(behind)?.[0].length ?? 0);
}

/** Half a character is not what the source says. */
function withoutHalves(quote: string): string {
  return quote.replace(/^[\uDC00-\uDFFF]/, '').replace(/[\uD800-\uDBFF]$/, '');
}
