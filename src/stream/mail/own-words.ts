import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import { patternOfAll } from '../languages/union.ts';

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
