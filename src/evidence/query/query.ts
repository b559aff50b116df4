import type { PartAsked, Query } from '../asked.ts';
import {
  type FileReading,
  fileReadings,
  HOLE,
  isAboutLines,
  isAboutRows,
  linesAsked,
  nameIn,
  type Opening,
  type PlainText,
  partAsked,
  placeAsked,
  plainText,
  rowsAsked,
} from '../phrase.ts';

/** A longer request is no plain one. */
const MAX_LETTERS = 2_000;
/** What is said before a request and means nothing. */
const COURTESY = [
  /^(?:please|kindly|hi|hello|hey|ok|okay|so|now|and|also|then|just)[,!:]? /i,
  /^(?:can|could|would|will) (?:you|we|i) /i,
  /^(?:i|we)(?:['’]d| would) (?:like|love) (?:you )?(?:to )?/i,
  /^(?:i|we) (?:want|need)(?: you)?(?: to)? /i,
  /^let(?:['’]s| me| us) /i,
];
const THANKS = /(?<![, ])[, ]+(?:please|thanks|thank you|for me)$/i;
const SHOW = /^(?:show|print|display|quote|cite|output|dump|extract|return)(?: (?:me|us|out))? /i;
const FIND =
  /^(?:give|get|fetch|find|look ?up|look at|see|read|open|view|grab|pull(?: up)?|list|retrieve|tell|check)(?: (?:me|us|out))? /i;

/** Returns what a request in plain words asks for; null where there is any doubt. */
export function parseQuery(request: string): Query | null {
  if (request.length > MAX_LETTERS) return null;
  const plain = plainText(request);
  const text = withoutCourtesy(plain.text);
  const place = placeAsked(nameIn(plain, opened(text).words));
  if (place !== null) return { ...place.lines, file: place.file };
  for (const reading of fileReadings({ ...plain, text })) {
    const asked = askedBy(plain, reading);
    if (asked !== null) return asked;
  }
  return null;
}

function askedBy(plain: PlainText, { file, rest }: FileReading): Query | null {
  const last = rest.startsWith(`${HOLE} `) ? `${rest.slice(2)} ${HOLE}` : rest;
  const { words, opening } = opened(withoutCourtesy(last));
  const bare = words.replace(HOLE, '').replace(/ {2,}/g, ' ').trim();
  if (bare === '') return null;
  const asked = linesAsked(bare) ?? rowsAsked(plain, { file, rest: words }) ?? otherwise(plain, words, bare, opening);
  return asked === null ? null : { ...asked, file };
}

/** What asks for lines or rows in words that are not understood asks for nothing else. */
function otherwise(plain: PlainText, words: string, bare: string, opening: Opening): PartAsked | null {
  return isAboutLines(bare) || isAboutRows(words) ? null : partAsked(plain, bare, opening);
}

function withoutCourtesy(text: string): string {
  const found = COURTESY.find((one) => one.test(text));
  if (found !== undefined) return withoutCourtesy(text.replace(found, ''));
  return THANKS.test(text) ? withoutCourtesy(text.replace(THANKS, '')) : text;
}

function opened(text: string): { readonly words: string; readonly opening: Opening } {
  if (SHOW.test(text)) return { words: text.replace(SHOW, ''), opening: 'show' };
  return FIND.test(text) ? { words: text.replace(FIND, ''), opening: 'find' } : { words: text, opening: 'none' };
}
