import type { StreamEvent } from '../steward/ports.ts';
import { patternOfAll } from './languages/union.ts';
import type { Span } from './mail.ts';

const OPENS = patternOfAll(({ quoting }) => quoting.attributionOpens);
const WROTE = patternOfAll(({ quoting }) => quoting.wrote);
const ORIGINAL_MESSAGE = lineWith(
  `(?:-{2,}|_{2,})\\s*(?:${patternOfAll(({ quoting }) => quoting.originalMessage)})\\s*(?:-{2,}|_{2,})?`,
);
const BEGIN_FORWARDED = lineWith(`(?:${patternOfAll(({ quoting }) => quoting.beginForwarded)})\\s*:?`);
const ATTRIBUTION = lineWith(
  `(?:(?:${OPENS})\\s.{4,240}?\\s(?:${WROTE})|.{2,160}(?:<[^<>]{3,100}>|\\)) (?:${WROTE}))\\s?:`,
);
const ATTRIBUTION_BEGINS = new RegExp(`^\\s*(?:${OPENS})\\s(?=.*\\d)`, 'i');
const FROM_LINE = new RegExp(`^\\s*\\*?(?:${patternOfAll(({ quoting }) => quoting.from)})\\s?:\\*?\\s+\\S`, 'i');
const HEADER_LINE = new RegExp(`^\\s*\\*?(?:${patternOfAll(({ quoting }) => quoting.headers)})\\s?:\\*?(?:\\s|$)`, 'i');
const SIGNATURE = /^--\s?$/;
const SENT_FROM = lineWith(`(?:${patternOfAll(({ quoting }) => quoting.sentFrom)})\\.?`);
const QUOTED_LINE = /^\s{0,3}>/;
const REPLY_SUBJECT = new RegExp(
  `^\\s*(?:${patternOfAll(({ quoting }) => quoting.replyMarks)})\\s*(?:\\[\\d+\\])?\\s*:`,
  'iu',
);

/** A mail's body in two parts. */
interface OwnWords {
  /** What the author wrote. */
  readonly text: string;
  /** What the mail only carries along: quoted history, signatures and forwarded mails. */
  readonly quoted: string;
}

/**
 * Returns the subject if the author wrote it, else ''. A reply repeats the subject of the mail that it answers; what is
 * said in a chat has none but its room and its first words.
 */
export function ownSubject({ subject, spoken }: Pick<StreamEvent, 'subject' | 'spoken'>): string {
  return spoken !== undefined || REPLY_SUBJECT.test(subject) ? '' : subject;
}

/** Separates the author's own words from the rest of the body. Every line ends up in one of the two parts. */
export function ownWords(body: string): OwnWords {
  const lines = body.split('\n');
  const own: string[] = [];
  const quoted: string[] = [];
  let at = 0;
  while (at < lines.length) {
    const carried = carriedFrom(lines, at);
    (carried > 0 ? quoted : own).push(...lines.slice(at, at + Math.max(1, carried)));
    at += Math.max(1, carried);
  }
  return { text: joined(own), quoted: joined(quoted) };
}

/** Returns how many lines from here on are not the author's own: 0 where this one is. */
function carriedFrom(lines: readonly string[], at: number): number {
  const line = lines[at] ?? '';
  if (QUOTED_LINE.test(line) || SENT_FROM.test(line)) return 1;
  if (SIGNATURE.test(line) || ORIGINAL_MESSAGE.test(line) || BEGIN_FORWARDED.test(line)) return lines.length - at;
  if (beginsHeaderBlock(lines, at)) return lines.length - at;
  const attribution = attributionLines(lines, at);
  if (attribution === 0) return 0;
  // Below an attribution comes either a `>` quotation, which has its own end, or history up to the end of the mail.
  return quotationFollows(lines, at + attribution) ? attribution : lines.length - at;
}

function beginsHeaderBlock(lines: readonly string[], at: number): boolean {
  if (!FROM_LINE.test(lines[at] ?? '')) return false;
  return lines.slice(at + 1, at + 5).filter((line) => HEADER_LINE.test(line)).length >= 2;
}

/** Returns how many lines an attribution takes, at most three; 0 where there is none. */
function attributionLines(lines: readonly string[], at: number): number {
  const first = lines[at] ?? '';
  if (first.length > 400) return 0;
  if (ATTRIBUTION.test(first)) return 1;
  if (!ATTRIBUTION_BEGINS.test(first)) return 0;
  for (const count of [2, 3]) {
    const span = lines.slice(at, at + count);
    if (span.some((line) => line.trim() === '')) return 0;
    if (ATTRIBUTION.test(span.join(' ').slice(0, 500))) return count;
  }
  return 0;
}

function quotationFollows(lines: readonly string[], at: number): boolean {
  const next = lines.slice(at, at + 4).find((line) => line.trim() !== '');
  return next !== undefined && QUOTED_LINE.test(next);
}

function lineWith(pattern: string): RegExp {
  return new RegExp(`^\\s*${pattern}\\s*$`, 'i');
}

function joined(lines: readonly string[]): string {
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

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
