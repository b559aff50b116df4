import { oneLine } from './mail/plain-text.ts';

/** Returns the seconds that `1:02:03.5`, `02:03` or `0:3` means; null where it is no time. */
export function secondsIn(written: string): number | null {
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
/** Words that stand before a colon and are nobody's name. */
const NO_NAME =
  /^(?:note|notes|date|time|when|where|subject|title|topic|agenda|attendees?|participants?|present|location|duration|summary|action(?: item)?s?|todo|to do|next steps?|question|answer|important|warning|example|https?|from|to|cc|meeting(?: id)?|recorded|language|kind|datum|zeit|ort|thema|betreff|teilnehmer(?:innen)?|hinweis|beispiel|frage|antwort|music|applause|laugh(?:s|ter|ing)?|inaudible|crosstalk|silence|noise|musik|applaus|gelächter|rires|musique|aplausos|música|risas)$/i;

/** Returns who speaks in a cue, where a name in brackets stands before the words; null where none does. */
export function bracketedSpeaker(text: string): SpokenLine | null {
  const found = BRACKETED.exec(text.slice(0, 100));
  const speaker = (found?.[1] ?? found?.[2] ?? '').trim();
  return found === null || !isName(speaker) ? null : { speaker, text: text.slice(found[0].length).trim() };
}

/** Returns who speaks in a line and what; null where it does not begin with a name. */
export function spokenLine(line: string): SpokenLine | null {
  const found = NAMED.exec(line.slice(0, 100));
  const speaker = found?.[1]?.trim() ?? '';
  if (found === null || !isName(speaker)) return null;
  return { speaker, text: line.slice(found[0].length).trim() };
}

/** What stands before a colon at the beginning of a line, whoever or whatever it is: `krithika S`, `the plan is this`. */
const LABEL = /^([^:\n\t.!?]{1,60}):[ \t]{1,8}(?=\S)/;

/** Returns what stands before the colon that a line begins with, and the rest; null where there is none. */
export function labelledLine(line: string): SpokenLine | null {
  const found = LABEL.exec(line.slice(0, 100));
  const speaker = found?.[1]?.trim() ?? '';
  if (found === null || speaker.split(/\s+/).length > MOST_NAME_WORDS || NO_NAME.test(speaker)) return null;
  return { speaker, text: line.slice(found[0].length).trim() };
}

/** Whether a text can be the name of somebody who speaks. */
export function isName(text: string): boolean {
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

/** Returns the name of the folder that a file lies in; empty where it lies in none. */
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
export function* linesOf(text: string): Generator<TextLine> {
  let start = 0;
  for (let nth = 0; start < text.length; nth += 1) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    yield { nth, text: text.slice(start, end) };
    start = end + 1;
  }
}

const HEADER_BYTES = 30;
const MOST_NAMES = 50;

/** Returns the names of the files whose beginning stands in the first bytes of a zip; none where it is no zip. */
export function namesInZip(head: Uint8Array): readonly string[] {
  const view = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const names: string[] = [];
  let at = view.indexOf(LOCAL_FILE) === 0 ? 0 : -1;
  while (at >= 0 && at + HEADER_BYTES <= view.length && names.length < MOST_NAMES) {
    const length = view.readUInt16LE(at + 26);
    names.push(view.toString('utf8', at + HEADER_BYTES, at + HEADER_BYTES + length));
    at = view.indexOf(LOCAL_FILE, at + HEADER_BYTES + length);
  }
  return names;
}

const LOCAL_FILE = Buffer.from('PK\x03\x04', 'latin1');
