import type { WallTime } from '../vault/time.ts';
import { chatItem, Occurrences, plainLines, textHash, unreadBlocks, wholeText, zonedWallTime } from './chat.ts';
import {
  type Author,
  CHAT_IN_ZIP,
  chatTitle,
  firstLine,
  NOBODY_NAMED,
  namedAuthor,
  type Stamp,
  splitLines,
  stampText,
} from './chat-lines.ts';
import { decode } from './mail-parts.ts';
import {
  type ByteSource,
  FileRefusal,
  type Item,
  type ItemContent,
  type ItemReader,
  nothing,
  type ReadContext,
  refused,
} from './stream.ts';
import { ZipFile } from './zip.ts';

type DateOrder = 'day first' | 'month first';

const DAY_MS = 86_400_000;

/**
 * Finds out whether a file writes the day before the month. One phone writes one way, so that a single `20/01` decides
 * it for all; else the messages must be in the order of time, and no message in the future.
 */
class DateOrders {
  readonly #tallies: Readonly<Record<DateOrder, Tally>> = { 'day first': new Tally(), 'month first': new Tally() };
  readonly #now: number;
  #last: Stamp | null = null;

  /** `now`: epoch ms. */
  constructor(now: number) {
    this.#now = now;
  }

  /** Takes the stamp of the next message. */
  add(stamp: Stamp): void {
    const before = this.#last;
    this.#last = stamp;
    if (stamp.yearFirst || (before !== null && isSameDay(before, stamp))) return;
    for (const order of ['day first', 'month first'] as const) this.#tallies[order].add(dayOf(stamp, order), this.#now);
  }

  /** Returns the order. If it is undecided: the order that is usual in countries with the same separators. */
  get order(): DateOrder {
    const { 'day first': dayFirst, 'month first': monthFirst } = this.#tallies;
    const fewer = dayFirst.wrong - monthFirst.wrong || dayFirst.odd - monthFirst.odd;
    if (fewer !== 0) return fewer < 0 ? 'day first' : 'month first';
    return this.#last?.separator === '/' && this.#last.isTwelveHours ? 'month first' : 'day first';
  }
}

/** How badly an order fits. */
class Tally {
  /** Dates that do not exist. */
  wrong = 0;
  /** Dates before the previous one, or in the future. */
  odd = 0;
  #latest = Number.NEGATIVE_INFINITY;

  add({ year, month, day }: Pick<WallTime, 'year' | 'month' | 'day'>, now: number): void {
    const at = zonedWallTime('UTC', { year, month, day, hour: 0, minute: 0, second: 0 });
    if (at === null) this.wrong += 1;
    else if (at < this.#latest || at > now + DAY_MS) this.odd += 1;
    this.#latest = Math.max(this.#latest, Math.min(at ?? this.#latest, now));
  }
}

/** Returns when a message was sent (epoch ms), by the clock of a time zone; null if its date does not exist. */
function momentOf(stamp: Stamp, order: DateOrder, zone: string): number | null {
  const { hour, minute, second } = stamp;
  return zonedWallTime(zone, { ...dayOf(stamp, order), hour, minute, second });
}

function dayOf({ date: [first, middle, last], yearFirst }: Stamp, order: DateOrder) {
  if (yearFirst) return { year: first, month: middle, day: last };
  const year = last < 100 ? 2000 + last : last;
  return order === 'day first' ? { year, month: middle, day: first } : { year, month: first, day: middle };
}

function isSameDay(one: Stamp, other: Stamp): boolean {
  return one.date.every((number, nth) => number === other.date[nth]);
}

interface WhatsAppMessage {
  /** The number of its first line, from 0 on, and that of the line behind it. */
  readonly line: number;
  readonly end: number;
  readonly stamp: Stamp;
  /** Null for a line of the program itself: who joined, what the group is called. */
  readonly author: string | null;
  readonly text: string;
}

/** As much of a message is kept. */
const MAX_KEPT = 40_000;
const AUTHOR = /^([^:\n]{1,120}):(?: |$|(?=[^\s\d/]))/;
/** `Anna changed the subject to "Trip: 12 May"` is no author. */
const NO_AUTHOR = /["“”«»„]|https?$/;

/** Yields the messages of an export in order. Text before the first message is left out. */
function* messagesIn(text: string): Generator<WhatsAppMessage> {
  let open: Gathered | null = null;
  let last = 0;
  for (const { nth, text: line } of splitLines(text)) {
    const first = firstLine(line);
    if (first !== null) {
      if (open !== null) yield open.upTo(nth);
      open = new Gathered(nth, first.stamp, first.rest);
    } else open?.add(line);
    last = nth + 1;
  }
  if (open !== null) yield open.upTo(last);
}

/** A message whose lines are still being read. */
class Gathered {
  readonly #line: number;
  readonly #stamp: Stamp;
  readonly #lines: string[];
  #kept: number;

  constructor(line: number, stamp: Stamp, first: string) {
    this.#line = line;
    this.#stamp = stamp;
    this.#lines = [first];
    this.#kept = first.length;
  }

  add(line: string): void {
    if (this.#kept < MAX_KEPT) this.#lines.push(line);
    this.#kept += line.length + 1;
  }

  upTo(end: number): WhatsAppMessage {
    const written = this.#lines.join('\n').slice(0, MAX_KEPT);
    const found = AUTHOR.exec(written);
    const name = found?.[1] ?? null;
    const author = name === null || NO_AUTHOR.test(name) ? null : name;
    const text = author === null ? written : written.slice(found?.[0].length ?? 0);
    return { line: this.#line, end, stamp: this.#stamp, author, text };
  }
}

/** How the program itself begins what it writes in a person's place: `‎image omitted`, `‎You deleted this message.` */
const BY_PROGRAM = /^[\u200E\u200F]/;
/** `<Media omitted>`, in whatever language. */
const PLACEHOLDER = /^<[^<>\n]{3,60}>$/;
/** `‎<This message was edited>`, `‎<attached: 00000012-PHOTO.jpg>`, at the end of a message. */
const MARK_BEHIND = /[\u200E\u200F]?<[^<>\n]{3,200}>$/;
/** `IMG-20350120-WA0001.jpg (file attached)`, with the caption in the lines behind it. */
const ATTACHED = /^[^\s()]{1,120}\.[a-z0-9]{2,5} \([^()\n]{3,40}\)(?:\n|$)/i;
const ONLY_A_FILE = 'only a picture or another file';
/** `POLL:`, the question, and `OPTION: Yes (2 votes)` for each answer, in whatever language. */
const POLL =
  /^[\u200E\u200F]?\p{Lu}[\p{Lu} ]{2,20}:\n[^\n]+(?:\n[\u200E\u200F]?\p{Lu}{3,12}: [^\n]* \([\u200E\u200F]?\d+ [^()\n]+\))+$/u;
const DELETED =
  /^(?:this message was deleted|you deleted this message|diese nachricht wurde gelöscht|du hast diese nachricht gelöscht|ce message a été supprimé|vous avez supprimé ce message|(?:se eliminó este mensaje|eliminaste este mensaje)|dit bericht (?:is|werd) verwijderd|questo messaggio è stato eliminato|(?:esta )?mensagem apagada|null|missed (?:voice|video) call)\.?$/i;

function personsWords(text: string): string {
  if (BY_PROGRAM.test(text)) return '';
  const trimmed = text.trimEnd();
  if (PLACEHOLDER.test(trimmed)) return '';
  const words = trimmed.replace(MARK_BEHIND, '').replace(ATTACHED, '').trim();
  return DELETED.test(words) ? '' : words;
}

function isFile(text: string): boolean {
  const trimmed = text.trimEnd();
  return (
    PLACEHOLDER.test(trimmed) ||
    ATTACHED.test(trimmed) ||
    /<[^<>\n]{1,60}: [^<>\n]{1,200}\.[a-z\d]{2,5}>$/i.test(trimmed)
  );
}

/** WhatsApp exports at most 40 000 messages. */
const MOST_BYTES = 64 * 1024 * 1024;
/** `+49 170 1234567`: a person without a name on the phone. */
const PHONE = /^\+[\d ().-]{6,24}$/;

interface Chat {
  readonly order: DateOrder;
  readonly room: string | null;
  readonly isPersonal: boolean;
}

/** Reads an export of a WhatsApp chat, as text or in its zip. */
export const readWhatsApp: ItemReader = function* (source, from, context) {
  const text = textIn(source);
  const chat = chatOf(text, context);
  const seen = new Occurrences();
  for (const message of messagesIn(text)) {
    const stamp = stampText(message.stamp);
    const said = `${message.author ?? ''}\0${textHash(message.text)}`;
    const nth = seen.next(stamp, said);
    if (message.line >= from) yield itemOf(message, `${stamp}\0${said}\0${nth}`, chat, context);
  }
};

function textIn(source: ByteSource): string {
  if (!isZip(source)) return wholeText(source, MOST_BYTES);
  const zip = new ZipFile(source);
  const entry = zip.entries.find(({ name }) => CHAT_IN_ZIP.test(name));
  if (entry === undefined) throw new FileRefusal('The zip has no chat.', 'Export the chat again.');
  return plainLines(decode(zip.read(entry, MOST_BYTES)));
}

function isZip(source: ByteSource): boolean {
  const [first, second] = source.read(0, 2);
  return first === 0x50 && second === 0x4b;
}

function chatOf(text: string, { file, now }: ReadContext): Chat {
  const orders = new DateOrders(now);
  const authors = new Set<string>();
  for (const { stamp, author, text: written } of messagesIn(text)) {
    orders.add(stamp);
    // An iPhone lets the group itself say what WhatsApp says.
    if (author !== null && authors.size < 3 && personsWords(written) !== '') authors.add(author);
  }
  const title = chatTitle(file);
  // The chat with one other person is called by their name.
  const room = title !== null && authors.has(title) ? null : title;
  return { order: orders.order, room, isPersonal: authors.size < 3 };
}

function itemOf(message: WhatsAppMessage, key: string, chat: Chat, context: ReadContext): Item {
  return {
    at: message.line,
    next: message.end,
    place: `line ${message.line + 1}`,
    read: () => contentOf(message, key, chat, context),
  };
}

function contentOf(
  { stamp, author, text }: WhatsAppMessage,
  key: string,
  chat: Chat,
  context: ReadContext,
): ItemContent {
  if (author === null) return nothing('a line of WhatsApp itself');
  const isPoll = POLL.test(text.trimEnd());
  const words = isPoll ? '' : personsWords(text);
  const unread = isPoll ? unreadBlocks(['poll']) : words === '' && isFile(text) ? ONLY_A_FILE : undefined;
  if (words === '' && unread === undefined) return nothing('no words');
  const at = momentOf(stamp, chat.order, context.zone);
  if (at === null) return refused('Its date does not exist.');
  const identity = { key: `whatsapp ${key}`, version: '', otherwise: 'other' } as const;
  const { room, isPersonal } = chat;
  return chatItem(
    { author: authorOf(author), at, room, isPersonal, text: words, carried: [], machine: null, unread },
    identity,
    context,
  );
}

function authorOf(written: string): Author {
  const name = written.trim();
  if (PHONE.test(name)) return { id: `+${name.replace(/\D/g, '')}`, name };
  return name === '' ? NOBODY_NAMED : namedAuthor(name);
}
