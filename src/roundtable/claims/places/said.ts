import type { Figure } from '../figures/figure.ts';
import { figuresIn } from '../figures/figures.ts';
import { sentenceBounds } from '../sentence.ts';
import type { Place } from './place.ts';

/** What a message says of the lines that it cites. */
export interface Said {
  /** Code and quotes, each to be found as it stands. */
  readonly words: readonly Quoted[];
  readonly figures: readonly Figure[];
}

/** Code or a quote beside a citation. */
interface Quoted {
  readonly text: string;
  /** Whether it stands right beside the citation, so that it can only be its content. */
  readonly attached: boolean;
}

const MARKED = /(`{1,2})([^`\n]{2,240})\1|["“]([^"“”\n]{4,240})["”]/g;
const FENCED = /^[ \t]*`{3}[\w-]*\n([\s\S]{2,600}?)\n[ \t]*`{3}/;
/** What stands between a citation and the code block below it that shows it. */
const LEADS_TO_BLOCK = /^[^\n`]{0,160}\n{1,2}(?=[ \t]*`{3})/;
/** Between a citation and what it is said to hold: a colon, a bracket, a word such as *says*. */
const ATTACHED_AFTER = /^[`"'”)\]]{0,2}(?:\s?[:=|–—-]\s?|\s(?:says|reads|holds|sets|is|has|states)[:,]?\s|,\s|\s\(?)$/;
const ATTACHED_BEFORE = /^(?:\s|,\s|;\s)?[([]{1,2}$/;

/**
 * Returns what is said of the lines of one place: of the code, quotes and figures of its sentence those that stand nearer
 * to it than to any other place with lines.
 */
export function saidOf(place: Place, places: readonly Place[], text: string): Said {
  const { start, end } = sentenceBounds(text, place.start);
  const others = places.filter((one) => one.lines !== null && one !== place && one.start >= start && one.start < end);
  const isNearest = (from: number, to: number) =>
    others.every((one) => distance(place, from, to) <= distance(one, from, to)) &&
    !places.some((one) => (one.lines !== null || one.named !== null) && from < one.end && one.start < to);
  const sentence = text.slice(start, end);
  const words = [...sentence.matchAll(MARKED)]
    .map((match) => ({ from: start + match.index, text: match[2] ?? match[3] ?? '', whole: match[0] }))
    .filter(({ from, whole }) => isNearest(from, from + whole.length))
    .map((one) => ({ text: one.text, attached: isAttached(place, text, one.from, one.from + one.whole.length) }));
  const figures = figuresIn(sentence)
    .filter((one) => one.kind !== 'line' && isTelling(one))
    .filter((one) => isNearest(start + one.start, start + one.end));
  return { words: [...words, ...blockBelow(place, text)], figures };
}

function distance(place: Place, from: number, to: number): number {
  if (to <= place.start) return place.start - to;
  // What follows a citation is more often about it than about the next one.
  return from >= place.end ? 0.6 * (from - place.end) : 0;
}

function isTelling({ specific, kind }: Figure): boolean {
  return specific && kind !== 'version';
}

function isAttached(place: Place, text: string, from: number, to: number): boolean {
  if (from >= place.end) return ATTACHED_AFTER.test(text.slice(place.end, from));
  return ATTACHED_BEFORE.test(text.slice(to, place.start));
}

function blockBelow(place: Place, text: string): Quoted[] {
  const behind = text.slice(place.end, place.end + 800);
  const lead = LEADS_TO_BLOCK.exec(behind);
  const block = lead === null ? null : FENCED.exec(behind.slice(lead[0].length));
  return (block?.[1] ?? '')
    .split('\n')
    .filter((line) => line.trim().length > 3)
    .slice(0, 12)
    .map((line) => ({ text: line, attached: true }));
}
