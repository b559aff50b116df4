import { stem } from '../../vault/note-names.ts';
import { clipped, oneLine } from '../../vault/notes/note-text.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DAY = /\b(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])\b/g;
/** What turns the direction of a text round, hides it, or is no character at all. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** Returns text from outside in one short line that is only text, wherever it is shown. */
export function plainLine(text: string, most: number): string {
  return clipped(oneLine(text).replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim(), most);
}

/** Returns a text with days as people write them: `9 Dec`, and `9 Dec 2027` in another year than that of `now`. */
export function withDays(text: string, now: number): string {
  const year = String(new Date(now).getFullYear());
  return text.replace(DAY, (_, written: string, month: string, day: string) => {
    const name = MONTHS[Number(month) - 1] ?? month;
    return `${Number(day)} ${name}${written === year ? '' : ` ${written}`}`;
  });
}

/** Returns the title of the note at a path, in one line. */
export function titleOf(path: string): string {
  return plainLine(stem(path), 100);
}

/** Returns the title of the note that a link names. */
export function titleOfLink(link: string): string {
  return titleOf(link.replace(/^\[\[|\]\]$/g, '').split('|')[0] ?? link);
}

/** Returns `1 thing`, `2 things`. */
export function several(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
