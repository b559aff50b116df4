import { type ItemContent, type ItemDoor, nothing } from '../items/item.ts';
import { NOBODY_NAMED, namedAuthor } from './author.ts';
import { fileTitle } from './file-title.ts';
import { isoTimeIn } from './local-time.ts';
import { saidItem, textHash } from './said.ts';

/** What somebody said in a meeting, until another spoke. */
export interface Turn {
  readonly speaker: string | null;
  /** Seconds from the beginning of the meeting; null where the transcript does not say. */
  readonly second: number | null;
  readonly text: string;
  /** Its place among the turns with the same speaker, time and first words, from 1 on. */
  readonly nth: number;
}

/** A meeting, as its file has it. */
export interface Meeting {
  readonly title: string | null;
  /** When it began (epoch ms); null where nothing says so. */
  readonly began: number | null;
  /** The beginning of its day (epoch ms), for times of a clock; null where nothing names the day. */
  readonly midnight: number | null;
  /** Its day and title, by which its turns are told from those of other meetings. */
  readonly key: string;
}

/** "Yes." and "Okay, thanks" say nothing that could be about a note. */
const FEWEST_WORDS = 3;
const START = 40;
const WORDS = /[\p{L}\p{N}]+/gu;
/** `GMT20350302-080000_Recording`, `2035-03-02 09.00 Planning`, `2035-03-02T09:00:00Z`. */
const STAMPED =
  /(?<!\d)(20\d\d)-?([01]\d)-?([0-3]\d)(?:(?:T|[-_ ]|, | at )([0-2]\d)[-:.h]?([0-5]\d)(?:[-:.]?([0-5]\d))?(?!\d))?/;

/** Returns what is known of a meeting. `heading`: lines of the file that may name its day. */
export function meetingOf(file: string, heading: string, { zone }: Pick<ItemDoor, 'zone'>): Meeting {
  const title = fileTitle(file);
  const found = STAMPED.exec(title) ?? STAMPED.exec(heading);
  const [, year, month, day] = found ?? [];
  const plain = title
    .replace(RECORDED, '')
    .replace(STAMPED, ' ')
    .replace(/[_\s]+/g, ' ')
    .replace(/^[-., ]+/, '')
    .trim();
  return {
    title: plain === '' ? null : plain,
    began: found === null ? null : beginning(found, title, zone),
    midnight: found === null ? null : isoTimeIn(zone, `${year}-${month}-${day}T00:00:00`),
    key: `${found?.[0].slice(0, 10) ?? ''} ${plain.toLowerCase()}`,
  };
}

const RECORDED = /^GMT(?=20)|_Recording.*$/g;

/** Zoom says `GMT` where it means it; all others write the time of the place. Without a time, the day's noon stands for it. */
function beginning(
  [, year, month, day, hour, minute, second]: RegExpExecArray,
  title: string,
  zone: string,
): number | null {
  const time = hour === undefined ? '12:00:00' : `${hour}:${minute ?? '00'}:${second ?? '00'}`;
  return isoTimeIn(/^GMT20/.test(title) ? 'UTC' : zone, `${year}-${month}-${day}T${time}`);
}

/** Returns the words by which a turn is told from others at the same time. */
export function turnStart(text: string): string {
  return text.slice(0, START);
}

/** Returns what a turn holds. */
export function turnContent({ speaker, second, text, nth }: Turn, meeting: Meeting, door: ItemDoor): ItemContent {
  if ((text.match(WORDS) ?? []).length < FEWEST_WORDS) return nothing('too few words');
  const author = speaker === null ? NOBODY_NAMED : namedAuthor(speaker);
  const at = meeting.began === null ? null : meeting.began + (second ?? 0) * 1000;
  const said = { author, at, room: meeting.title, isPersonal: false, text, carried: [], machine: null };
  const key = `transcript ${meeting.key} ${second ?? ''} ${author.id ?? ''} ${textHash(turnStart(text))} ${nth}`;
  // The last turn of a transcript that is still being written grows: the longer one is the newer.
  return saidItem(said, { key, version: String(text.length).padStart(6, '0'), otherwise: 'newer' }, door);
}
