import type { LinesAsked } from '../asked.ts';

const RANGE =
  /^(?:between |from )?(?:the )?(?:exact )?(?:lines?|ll?\.) ?(?:numbers? )?L?(\d{1,9})(?: ?(?:-|–|—|\.\.|to|through|thru|until|till) ?(?:line )?L?(\d{1,9}))?$/i;
const BETWEEN = /^(?:the )?(?:lines )?between (?:lines? )?(\d{1,9}) and (?:line )?(\d{1,9})$/i;
const SHORT = /^L(\d{1,9})(?: ?[-–] ?L?(\d{1,9}))?$/i;
const FIRST = /^(?:the )?(?:first|top|head) (?:(\d{1,9}|[a-z]{3,5}) )?lines?$/i;
const LAST = /^(?:the )?(?:last|bottom|final|tail) (?:(\d{1,9}|[a-z]{3,5}) )?lines?$/i;
const HEAD = /^head (?:-n ?|-|--lines[= ])?(\d{1,9})$/i;
const TAIL = /^tail (?:-n ?|-|--lines[= ])?(\d{1,9})$/i;
const PLACE = /^(.{1,400}?)(?::|#)(?:L|line )?(\d{1,9})(?:[-–]L?(\d{1,9}))?$/i;
const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** Returns the lines that a phrase without its file asks for; null where it asks for something else. */
export function linesAsked(words: string): LinesAsked | null {
  const range = RANGE.exec(words) ?? BETWEEN.exec(words) ?? SHORT.exec(words);
  if (range !== null) return lines(Number(range[1]), Number(range[2] ?? range[1]));
  const [first, last] = [countOf(FIRST, words), countOf(LAST, words)];
  if (first !== null) return lines(1, first);
  if (last !== null) return fromEnd(last);
  const [head, tail] = [HEAD.exec(words)?.[1], TAIL.exec(words)?.[1]];
  if (head !== undefined) return lines(1, Number(head));
  return tail === undefined ? null : fromEnd(Number(tail));
}

/** Whether a phrase asks for lines by number, be it in words that are understood or not. */
export function isAboutLines(words: string): boolean {
  return /^(?:the )?(?:lines?|first|last|head|tail) ?L?\d/i.test(words);
}

/** Returns a place such as `FILE:8-13`, with its file; null where a request is none. */
export function placeAsked(request: string): { readonly file: string; readonly lines: LinesAsked } | null {
  const [, file = '', first, last] = PLACE.exec(request) ?? [];
  const asked = lines(Number(first), Number(last ?? first));
  return asked === null || /\s/.test(file) ? null : { file, lines: asked };
}

/** "The first line" is one, "the first lines" are no number. */
function countOf(form: RegExp, words: string): number | null {
  const match = form.exec(words);
  if (match === null) return null;
  const [, written] = match;
  if (written === undefined) return words.endsWith('s') ? null : 1;
  const count = /^\d/.test(written) ? Number(written) : NUMBERS.indexOf(written.toLowerCase()) + 1;
  return count > 0 ? count : null;
}

function lines(first: number, last: number): LinesAsked | null {
  return first >= 1 && last >= first ? { kind: 'lines', first, last } : null;
}

function fromEnd(count: number): LinesAsked | null {
  return count < 1 ? null : { kind: 'lines', first: -count, last: -1 };
}
