export const LINE_END = 10;
export const BLANK = 32;
export const HASH = 35;
export const DASH = 45;
export const COLON = 58;
const UNDERSCORE = 95;
export const DOUBLE_QUOTE = 34;
export const SINGLE_QUOTE = 39;
export const OPENING_BRACKET = 91;
export const OPENING_BRACE = 123;
export const VERTICAL_BAR = 124;
const DELETE = 127;

/** The full reader refuses a note for long runs of blanks; shorter runs cannot add up to that in so few characters. */
const DESERT = 64;
/** Tabs, carriage returns, and whatever some reader treats as a line end, as a blank, or as no text at all. */
const USUAL = /[\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/uy;

/**
 * Whether a text holds between two offsets what some reader takes for something else than it seems, or too many blanks.
 * One turn over it: each pattern over the whole would take as long as reading it.
 */
export function isUnusual(text: string, from: number, to: number): boolean {
  let blanks = 0;
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BLANK || code === LINE_END) {
      blanks += 1;
      if (blanks === DESERT) return true;
      continue;
    }
    blanks = 0;
    if (code > BLANK && code < DELETE) continue;
    USUAL.lastIndex = at;
    if (!USUAL.test(text)) return true;
    at = USUAL.lastIndex - 1;
  }
  return false;
}

/** A letter, a digit, `_` or `-`. */
export function isInKey(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === UNDERSCORE || code === DASH;
}

/** A letter of the English alphabet. */
export function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
