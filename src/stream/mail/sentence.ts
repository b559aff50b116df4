import { patternOfAll } from '../languages/union.ts';
import type { Span } from './span.ts';

const ABBREVIATION = new RegExp(`(?:^|[\\s(])(?:${patternOfAll(({ names }) => names.abbreviations)}|\\p{L})\\.$`, 'iu');
const LIST_ITEM = /^\s*(?:[-*•–+]|\d{1,2}[.)])\s/;
const LABELLED = /^\s*\p{Lu}[\p{L} ]{0,30}:\s/u;
// The lookbehind makes a long run of marks match once, instead of once for each of its characters.
const ENDS = /(?<![.!?…？！])[.!?…？！]+["'”’»)\]]*(?=\s|$)|\n[^\S\n]*\n|\n/gu;

/**
 * Returns the text with every white space as a blank and every apostrophe straight, character for character: an offset
 * in the view is the same offset in the text.
 */
export function viewOf(text: string): string {
  return text.replace(/\s/g, ' ').replace(/[\u2018\u2019\u02BC]/g, "'");
}

/**
 * Returns the sentences of a text. When in doubt, two are read as one: a negation too many only loses a finding, a
 * negation too few invents one.
 */
export function sentencesOf(text: string): readonly Span[] {
  const sentences: Span[] = [];
  let start = 0;
  for (const match of text.matchAll(ENDS)) {
    if (!endsSentence(text, start, match.index, match[0])) continue;
    const end = match.index + match[0].length;
    sentences.push({ start, end });
    start = end;
  }
  sentences.push({ start, end: text.length });
  return sentences.filter(({ start: from, end }) => text.slice(from, end).trim() !== '');
}

function endsSentence(text: string, start: number, at: number, mark: string): boolean {
  if (mark === '\n') return lineEnds(text, start, at);
  if (mark.startsWith('\n')) return true;
  if (!mark.startsWith('.') || mark.startsWith('..')) return true;
  const before = text.slice(Math.max(start, at - 12), at + 1);
  if (ABBREVIATION.test(before)) return false;
  // "am 28.11. reserviert": a dotted date does not end the sentence if a lower-case letter follows.
  if (/(?:^|[^\p{L}\p{N}.,:])\d{1,2}\.\d{1,2}\.$/u.test(before))
    return !/^\s+\p{Ll}/u.test(text.slice(at + 1, at + 40));
  // "am 3. November": an ordinal does not end the sentence, unless the text ends with it.
  return !/(?:^|[^\p{L}\p{N}.,:])\d{1,2}\.$/u.test(before) || text.slice(at + 1).trim() === '';
}

/** A list item or a labelled line ends a sentence; a wrapped line does not. */
function lineEnds(text: string, start: number, at: number): boolean {
  const next = text.slice(at + 1, at + 60);
  const line = text.slice(Math.max(start, text.lastIndexOf('\n', at - 1) + 1), at);
  return LIST_ITEM.test(next) || LABELLED.test(next) || (LABELLED.test(line) && line.length < 60);
}
