import { oneLine } from '../vault/note-text.ts';

/** Returns the seconds that `1:02:03.5`, `02:03` or `0:3` means; null if it is no time. */
export function parseSeconds(written: string): number | null {
  const parts = written.trim().replace(',', '.').split(':').map(Number);
  if (parts.length < 2 || parts.length > 3 || parts.some((part) => !Number.isFinite(part) || part < 0)) return null;
  const [minutes, second] = [parts.at(-2) ?? 0, parts.at(-1) ?? 0];
  if (minutes > 59 && parts.length === 3) return null;
  if (second >= 60) return null;
  return Math.floor((parts.length === 3 ? (parts[0] ?? 0) : 0) * 3600 + minutes * 60 + second);
}

/** A line that says who speaks: `Anna Weber: I have paid it.` */
export interface SpokenLine {
  readonly speaker: string;
  readonly text: string;
}

const NAMED = /^[ ]{0,8}(?:\*\*|__)?([\p{Lu}\p{Lo}][^:\n\t]{0,60}?)(?:\*\*|__)?[ ]?:(?:\*\*|__)?[ \t]{1,8}(?=\S)/u;
/** `[Anna Weber] I have paid it.`, `(Anna Weber)` on a line of its own: as some write transcripts of recordings. */
const BRACKETED = /^(?:\[([^[\]\n]{1,60})\]:?[ \t\n]{1,8}(?=\S)|\(([^()\n]{1,60})\)[ \t]{0,8}\n)/;
const MOST_NAME_WORDS = 5;
/** Words before a colon that aren't a name. */
const NO_NAME =
  /^(?:note|notes|date|time|when|where|subject|title|topic|agenda|attendees?|participants?|present|location|duration|summary|action(?: item)?s?|todo|to do|next steps?|question|answer|important|warning|example|https?|from|to|cc|meeting(?: id)?|recorded|language|kind|datum|zeit|ort|thema|betreff|teilnehmer(?:innen)?|hinweis|beispiel|frage|antwort|music|applause|laugh(?:s|ter|ing)?|inaudible|crosstalk|silence|noise|musik|applaus|gelächter|rires|musique|aplausos|música|risas)$/i;

/** Returns who speaks in a cue, if a name in brackets precedes the words; null if it doesn't. */
export function bracketedSpeaker(text: string): SpokenLine | null {
  const found = BRACKETED.exec(text.slice(0, 100));
  const speaker = (found?.[1] ?? found?.[2] ?? '').trim();
  return found === null || !isName(speaker) ? null : { speaker, text: text.slice(found[0].length).trim() };
}

/** Returns who speaks in a line and what; null if it does not begin with a name. */
export function spokenLine(line: string): SpokenLine | null {
  const found = NAMED.exec(line.slice(0, 100));
  const speaker = found?.[1]?.trim() ?? '';
  if (found === null || !isName(speaker)) return null;
  return { speaker, text: line.slice(found[0].length).trim() };
}

/**
 * The text before a colon at the beginning of a line, whether it is a name or not: `krithika S`, `the plan is this`.
 */
const LABEL = /^([^:\n\t.!?]{1,60}):[ \t]{1,8}(?=\S)/;

/** Returns the text before the colon that a line begins with, and the rest; null if it has no such colon. */
export function labelledLine(line: string): SpokenLine | null {
  const found = LABEL.exec(line.slice(0, 100));
  const speaker = found?.[1]?.trim() ?? '';
  if (found === null || speaker.split(/\s+/).length > MOST_NAME_WORDS || NO_NAME.test(speaker)) return null;
  return { speaker, text: line.slice(found[0].length).trim() };
}

/** Whether a text can be the name of somebody who speaks. */
function isName(text: string): boolean {
  if (
    text === '' ||
    text.length > 60 ||
    NO_NAME.test(text) ||
    /[.!?;"“”<>[\]{}|=/\\]$|[!?;"“”<>[\]{}|=]|\. \p{Ll}/u.test(text)
  )
    return false;
  const words = text.split(/\s+/);
  return (
    words.length <= MOST_NAME_WORDS &&
    words.every((word) =>
      /^[\p{Lu}\p{Lo}\p{N}(&+'’-]|^(?:von|van|de|der|den|da|di|el|la|le|du|dos|bin|al|and|und|et|y|e)$/u.test(word),
    )
  );
}

/** What copying and downloading append to a name: ` (1)`, ` - Copy`, ` 2`. */
const COPY_MARK = /(?: \(\d{1,3}\)| - copy| copy| - kopie)+$/i;
const MAX_TITLE = 120;

/** Returns what a file is called, without its folder, its ending and the marks of a copy. */
export function fileTitle(file: string): string {
  const name = file.slice(file.lastIndexOf('/') + 1).replace(/\.[^.]{1,16}$/, '');
  return oneLine(name, 400).slice(0, MAX_TITLE).replace(COPY_MARK, '').trim();
}

/** Returns the name of the folder of a file; empty if it isn't in one. */
export function folderTitle(file: string): string {
  const folder = file.slice(0, Math.max(0, file.lastIndexOf('/')));
  return oneLine(folder.slice(folder.lastIndexOf('/') + 1), MAX_TITLE);
}

/** One line of a text, and its number from 0 on. */
interface TextLine {
  readonly nth: number;
  readonly text: string;
}

/** Yields the lines of a text without their ends (LF), one by one. */
export function* splitLines(text: string): Generator<TextLine> {
  let start = 0;
  for (let nth = 0; start < text.length; nth += 1) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    yield { nth, text: text.slice(start, end) };
    start = end + 1;
  }
}

/** The content of a transcript's line: who speaks from here on, at what time, or only more words. */
interface TranscriptLine {
  /** Null if the line names no speaker: the one before goes on. */
  readonly speaker: string | null;
  /** Seconds; null if the line has no time. */
  readonly second: number | null;
  readonly text: string;
  /** Whether it is only a time range, with the name on the next line. */
  readonly isSpan: boolean;
}

const TIME = '\\d{1,2}:\\d{1,2}(?::\\d{1,2})?(?:[.,]\\d{1,7})?';
/** `[00:12:03] `, `(0:03) `, `00:12:03 - `, at the beginning of a line. */
const TIMED = new RegExp(`^[ ]{0,8}[\\[(]?(${TIME})[\\])]?(?:[ \\t]{1,8}[-–][ \\t]{1,8}|[ \\t:]{1,8}|$)`);
/** `Anna Weber  0:03`, `Anna Weber (00:12:03):`, `[Anna Weber] 08:15:32`. */
const NAME_AND_TIME = new RegExp(
  `^[ ]{0,8}[\\[]?([^\\d\\[\\]():][^\\[\\]():\\t]{0,60}?)[\\]]?[,]?[ \\t]{1,8}[\\[(]?(${TIME})(?:[ ]?([ap])\\.?m\\.?)?[\\])]?[ ]?:?(?:[ \\t]{1,8}|$)`,
  'i',
);
/** `From Anna Weber to Everyone: …`, as Zoom keeps what was typed. */
const TYPED = /^From[ \t]{1,8}([^:\t]{1,80}?)[ \t]{1,8}(?:to[ \t]{1,8}[^:\t]{1,80})?:[ \t]{0,8}/i;
const SPAN = new RegExp(`^[ ]{0,8}(${TIME})[ ]?-->[ ]?${TIME}[ ]{0,8}$`);
const LONGEST_HEAD = 200;
const [FEWEST_TIMED, FEWEST_NAMED, SHARE] = [3, 4, 0.3];
const LOOKED_AT = 200;

function transcriptLine(line: string): TranscriptLine {
  const head = line.slice(0, LONGEST_HEAD);
  const span = SPAN.exec(head);
  if (span !== null) return { speaker: null, second: parseSeconds(span[1] ?? ''), text: '', isSpan: true };
  const time = TIMED.exec(head);
  if (time !== null) return timedLine(parseSeconds(time[1] ?? ''), line.slice(time[0].length));
  const both = NAME_AND_TIME.exec(head);
  const name = both?.[1]?.trim() ?? '';
  if (both === null || !isName(name)) return { ...said(line), second: null, isSpan: false };
  const second = clockSeconds(both[2] ?? '', both[3] ?? null);
  return { speaker: name, second, text: line.slice(both[0].length).trim(), isSpan: false };
}

/** `0:03 Anna Weber` on a line of its own; one word alone may as well be what was said. */
function timedLine(second: number | null, rest: string): TranscriptLine {
  const alone = rest.trim();
  if (/\s/.test(alone) && isName(alone)) return { speaker: alone, second, text: '', isSpan: false };
  return { ...said(rest), second, isSpan: false };
}

function said(line: string): Pick<TranscriptLine, 'speaker' | 'text'> {
  const typed = TYPED.exec(line.slice(0, LONGEST_HEAD));
  if (typed !== null) return { speaker: typed[1]?.trim() ?? '', text: line.slice(typed[0].length).trim() };
  return spokenLine(line) ?? { speaker: null, text: line.trim() };
}

function clockSeconds(written: string, half: string | null): number | null {
  if (half === null) return parseSeconds(written);
  const [hour = 0, minute = 0, second = 0] = written.split(':').map(Number);
  return ((hour % 12) + (/p/i.test(half) ? 12 : 0)) * 3600 + minute * 60 + Math.floor(second);
}

/** Yields the lines that say something. A name on a line of its own behind a stretch of time says who speaks. */
export function* spokenLines(text: string): Generator<TranscriptLine & { readonly nth: number }> {
  let isBehindSpan = false;
  for (const { nth, text: written } of splitLines(text)) {
    if (written.trim() === '') continue;
    const line = transcriptLine(written);
    const isNameAlone = isBehindSpan && line.speaker === null && isName(line.text);
    isBehindSpan = line.isSpan;
    yield isNameAlone ? { ...line, nth, speaker: line.text, text: '' } : { ...line, nth };
  }
}

/** Whether a text looks like a transcript: many lines say who speaks, and somebody does so more than once. */
export function looksSpoken(text: string): boolean {
  const speakers: string[] = [];
  let [lines, withTime] = [0, 0];
  for (const { nth, speaker, second } of spokenLines(text.replace(/\r\n?/g, '\n'))) {
    if (nth > LOOKED_AT) break;
    lines += 1;
    if (speaker !== null) speakers.push(speaker);
    if (second !== null) withTime += 1;
  }
  if (withTime >= FEWEST_TIMED && speakers.length > 0) return true;
  const isRepeated = new Set(speakers).size < speakers.length;
  return speakers.length >= FEWEST_NAMED && isRepeated && speakers.length >= lines * SHARE;
}

/** The chat in the zip of an export. */
export const CHAT_IN_ZIP = /(?:^|\/)(?:_chat|whatsapp[^/]{1,200})\.txt$/i;

const TITLE =
  /^(?:whatsapp[- ]chat (?:with|mit|avec|con|met|com) |whatsapp chat - |chat de whatsapp con |discussion whatsapp avec )/i;
const NO_TITLE = /^_?chat$/i;

/** Returns the name of an exported chat, by its file or the file's folder; null if neither gives one. */
export function chatTitle(file: string): string | null {
  const [own, folder] = [fileTitle(file), folderTitle(file)];
  const title = NO_TITLE.test(own) && TITLE.test(folder) ? folder : own;
  const name = title.replace(TITLE, '').trim();
  return name === '' || NO_TITLE.test(name) ? null : name;
}

/** The time that a message begins with, as it is written: the order of day and month shows only in the whole file. */
export interface Stamp {
  /** The three numbers of the date in their written order. */
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

/** Returns a line as the beginning of a message; null if it goes on with the one before. */
export function firstLine(line: string): FirstLine | null {
  const from = INVISIBLE.exec(line)?.[0].length ?? 0;
  // Each character is replaced by one other, so that what is behind is found again at the same place.
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
    hour: hourOf(Number(hours), half),
    minute: Number(minutes),
    second: Number(seconds ?? 0),
    yearFirst: first.length === 4,
    separator,
    isTwelveHours: half !== null,
  };
}

function hourOf(hour: number, half: string | null): number {
  if (half === null) return hour;
  return (hour % 12) + (AFTERNOON.test(half) ? 12 : 0);
}

function asciiDigit(digit: string): string {
  return String(digit.charCodeAt(0) & 0x0f);
}

/** Who said something. */
export interface Author {
  /** The pattern of a source by which they are known; null for the vault's owner, and for an unnamed sender. */
  readonly id: string | null;
  /** As shown. Never used to decide anything. */
  readonly name: string | null;
}

/** The vault's owner, or an unnamed person: no lessons are learnt from their words. */
export const NOBODY_NAMED = { id: null, name: null } as const satisfies Author;

const MAX_AUTHOR_NAME = 120;
/** Characters that could make a name read as an address, a domain, `Name <…>`, or a mark of this program. */
const NOT_IN_A_NAME = /[^\p{L}\p{M}\p{N} ~+._'-]+/gu;

/**
 * Returns an author who is known by a name alone: it is folded, and has no part that looks like an address. A person
 * who calls themselves `anna@notary.example` is not taken for a sender of mails.
 */
export function namedAuthor(written: string): Author {
  const id = foldedName(written);
  return { id: id === '' ? null : id, name: shownName(written) };
}

/**
 * Returns an author who the channel knows by an id, which people can't choose. The channel follows it in brackets,
 * which no name has: a name that is written like an id is not taken for it.
 */
export function identifiedAuthor(id: string, channel: string, name: string | null): Author {
  const plain = foldedName(id);
  const shown = name === null ? null : shownName(name);
  return { id: plain === '' ? null : `${plain} (${foldedName(channel)})`, name: shown };
}

function foldedName(written: string): string {
  const plain = oneLine(written.normalize('NFKC'), MAX_AUTHOR_NAME).toLowerCase();
  return plain.replace(NOT_IN_A_NAME, ' ').replace(/ {2,}/g, ' ').trim();
}

function shownName(written: string): string | null {
  const shown = oneLine(written, MAX_AUTHOR_NAME);
  return shown === '' ? null : shown;
}
