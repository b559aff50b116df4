import { fileTitle, folderTitle } from './chats-file-title.ts';

/** The chat in the zip of an export. */
export const CHAT_IN_ZIP = /(?:^|\/)(?:_chat|whatsapp[^/]{1,200})\.txt$/i;

const TITLE =
  /^(?:whatsapp[- ]chat (?:with|mit|avec|con|met|com) |whatsapp chat - |chat de whatsapp con |discussion whatsapp avec )/i;
const NO_TITLE = /^_?chat$/i;

/** Returns what an exported chat is called, by the name of its file or of the folder it lies in; null where neither says so. */
export function chatTitle(file: string): string | null {
  const [own, folder] = [fileTitle(file), folderTitle(file)];
  const title = NO_TITLE.test(own) && TITLE.test(folder) ? folder : own;
  const name = title.replace(TITLE, '').trim();
  return name === '' || NO_TITLE.test(name) ? null : name;
}

/** The time that a message begins with, as it is written: the order of day and month shows only in the whole file. */
export interface Stamp {
  /** The three numbers of the date in the order in which they stand. */
  readonly date: readonly [number, number, number];
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** Whether the first number is the year, by its four digits. */
  readonly yearFirst: boolean;
  readonly separator: string;
  readonly isTwelveHours: boolean;
}

/** A line that begins a message. */
interface FirstLine {
  readonly stamp: Stamp;
  /** What stands behind the stamp, as it is. */
  readonly rest: string;
}

/** As long a stamp may be, with its marks. */
const MAX_STAMP = 80;
const INVISIBLE = /^[\u200E\u200F\u202A-\u202E\uFEFF]+/;
const EASTERN = /[\u0660-\u0669\u06F0-\u06F9]/g;
/**
 * `[20.01.35, 20:49:13] `, `20/01/2035, 20:49 - `, `1/20/35, 8:49 PM - `, `2035/1/20 下午8:49 - `, `2035. 1. 20. 오후 8:49, `.
 */
const STAMP =
  /^\[?(\d{1,4})([./-])[ ]?(\d{1,2})\2[ ]?(\d{1,4})\.?[,،]?[ ](?:(\p{L}{1,10})[ ]?)?(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(?:[ ]?([ap]\.?[ ]?m\.?|[صم]|π\.μ\.|μ\.μ\.|\p{L}{2}))?(?:\][ ]?|[ ][-–][ ]|,[ ])/iu;
const AFTERNOON = /^(?:p\.? ?m\.?|م|μ\.μ\.|下午|午後|晚上|오후|ch|ös)$/iu;
const MORNING = /^(?:a\.? ?m\.?|ص|π\.μ\.|上午|午前|凌晨|早上|오전|sa|öö)$/iu;

/** Returns a line as the beginning of a message; null where it goes on with the one before. */
export function firstLine(line: string): FirstLine | null {
  const from = INVISIBLE.exec(line)?.[0].length ?? 0;
  // Each character is replaced by one other, so that what stands behind is found again at the same place.
  const head = line
    .slice(from, from + MAX_STAMP)
    .replace(/\s/g, ' ')
    .replace(EASTERN, asciiDigit);
  const found = STAMP.exec(head);
  if (found === null) return null;
  return { stamp: stampOf(found), rest: line.slice(from + found[0].length) };
}

/** Returns a stamp as one text, the same for the same stamp however its blanks and digits are written. */
export function stampText({ date, separator, hour, minute, second }: Stamp): string {
  return `${date.join(separator)} ${hour}:${minute}:${second}`;
}

function stampOf(found: RegExpExecArray): Stamp {
  const [, first = '', separator = '', middle = '', last = '', before = '', hours, minutes, seconds, after = ''] =
    found;
  const half = [before, after].find((word) => AFTERNOON.test(word) || MORNING.test(word)) ?? null;
  return {
    date: [Number(first), Number(middle), Number(last)],
    ...{ hour: hourOf(Number(hours), half), minute: Number(minutes), second: Number(seconds ?? 0) },
    ...{ yearFirst: first.length === 4, separator, isTwelveHours: half !== null },
  };
}

function hourOf(hour: number, half: string | null): number {
  if (half === null) return hour;
  return (hour % 12) + (AFTERNOON.test(half) ? 12 : 0);
}

function asciiDigit(digit: string): string {
  return String(digit.charCodeAt(0) & 0x0f);
}
