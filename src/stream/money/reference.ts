/** Runs of letters and digits, joined as codes are: `INV-2041`, `2026/114`. */
const TOKENS = /[\p{L}\p{N}]+(?:[-/_][\p{L}\p{N}]+)*/gu;
const MIN_CHARACTERS = 4;
const MAX_CHARACTERS = 40;
const MAX_TOKENS = 200;

const YEAR = /^(?:19[5-9]|20[0-3])\d$/;
const WRITTEN_DAY = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])$/;
/** A day, a time, a measure or a sum in one word: many mails have the same. */
const MEASURE =
  /^\d{1,9}(?:st|nd|rd|th|er|ème|e|h|hrs?|min|am|pm|km|kg|g|ml|l|m|cm|mm|m2|m²|k|x|d|y|eur|euros?|usd|gbp|chf|mb|gb)$|^\d{1,2}h\d{2}$/u;
const PERIOD = /^(?:fy|q|h|hj|kw|ss|ws)$/;

const SUM_BEFORE = /(?:[€£$¥]|\b(?:eur|euros?|usd|gbp|chf)) ?$|\d[.,]$/iu;
const SUM_BEHIND = /^ ?(?:[€£$¥%]|(?:eur|euros?|usd|gbp|chf|percent|prozent)(?![\p{L}\p{N}]))|^[.,]\d/iu;

/** Returns the numbers and codes that a text has, folded, at most 200. Sums of money are left out: they tell nothing apart. */
export function codesIn(text: string): ReadonlySet<string> {
  return new Set(tokensIn(text).map(folded));
}

/**
 * Returns the numbers and codes by which a note can be told from others, folded. They are judged as the note's owner
 * writes them: years, days, measures and sums occur in any mail.
 */
export function referencesOf(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((name) => [...tokensIn(name), ...wordsBeside(name)].filter(isTelling).map(folded)));
}

function tokensIn(text: string): string[] {
  const found = [...text.normalize('NFC').matchAll(TOKENS)].filter(([token]) => hasLength(token) && /\d/.test(token));
  const codes = found.filter(
    ({ index, 0: token, input }) =>
      !SUM_BEFORE.test(input.slice(Math.max(0, index - 6), index)) &&
      !SUM_BEHIND.test(input.slice(index + token.length, index + token.length + 9)),
  );
  return codes.slice(0, MAX_TOKENS).map(([token]) => token);
}

/** In `pay-inv-2041-deposit`, a file name with dashes for blanks, returns what is left without the words around the code. */
function wordsBeside(name: string): string[] {
  if (/\s/.test(name) || name !== name.toLowerCase()) return [];
  const parts = name.split(/[-_]/);
  const first = parts.findIndex((part) => /\d/.test(part));
  const last = parts.findLastIndex((part) => /\d/.test(part));
  if (first === -1) return [];
  const starts = Array.from({ length: Math.min(first, 6) + 1 }, (_, nth) => first - nth);
  return starts.map((start) => parts.slice(start, last + 1).join('-')).filter(hasLength);
}

function hasLength({ length }: string): boolean {
  return length >= MIN_CHARACTERS && length <= MAX_CHARACTERS;
}

function isTelling(token: string): boolean {
  const parts = token.split(/[-/_]/);
  return parts.some((part, nth) => {
    if (YEAR.test(part)) return isCode(parts[nth - 1] ?? '');
    if (/^\d+$/.test(part)) return !WRITTEN_DAY.test(part) && (part.length > 2 || isCode(parts[nth - 1] ?? ''));
    return /\d/.test(part) && part.length > 2 && !MEASURE.test(part.toLowerCase());
  });
}

/** The letters of a code are capitals: `INV-2031` is one, `taxes-2031` is not. */
function isCode(letters: string): boolean {
  return /^\p{Lu}{2,6}$/u.test(letters) && !PERIOD.test(letters.toLowerCase());
}

function folded(token: string): string {
  return token.toLowerCase();
}
