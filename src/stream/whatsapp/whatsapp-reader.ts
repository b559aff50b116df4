import { decode } from '../charset/decode.ts';
import { type Author, NOBODY_NAMED, namedAuthor } from '../chats/author.ts';
import { Occurrences } from '../chats/occurrences.ts';
import { saidItem, textHash } from '../chats/said.ts';
import { plainLines, wholeText } from '../chats/whole-text.ts';
import { ZipFile } from '../chats/zip-file.ts';
import {
  type ByteSource,
  FileRefusal,
  type Item,
  type ItemContent,
  type ItemDoor,
  type ItemReader,
  nothing,
  refused,
} from '../items/item.ts';
import { CHAT_IN_ZIP, chatTitle } from './chat-file.ts';
import { type DateOrder, DateOrders, momentOf } from './date-order.ts';
import { messagesIn, type WhatsAppMessage } from './message.ts';
import { stampText } from './stamp.ts';
import { personsWords } from './system-words.ts';

/** WhatsApp exports at most 40 000 messages. */
const MOST_BYTES = 64 * 1024 * 1024;
/** `+49 170 1234567`: somebody whom the phone has no name for. */
const PHONE = /^\+[\d ().-]{6,24}$/;

/** What the whole file says of each of its messages. */
interface Chat {
  readonly order: DateOrder;
  readonly room: string | null;
  readonly isPersonal: boolean;
}

/** Reads an export of a WhatsApp chat, as text or in its zip. */
export const readWhatsApp: ItemReader = function* (source, from, door) {
  const text = textIn(source);
  const chat = chatOf(text, door);
  const seen = new Occurrences();
  for (const message of messagesIn(text)) {
    const stamp = stampText(message.stamp);
    const said = `${message.author ?? ''}\0${textHash(message.text)}`;
    const nth = seen.next(stamp, said);
    if (message.line >= from) yield itemOf(message, `${stamp}\0${said}\0${nth}`, chat, door);
  }
};

function textIn(source: ByteSource): string {
  if (!isZip(source)) return wholeText(source, MOST_BYTES);
  const zip = new ZipFile(source);
  const entry = zip.entries.find(({ name }) => CHAT_IN_ZIP.test(name));
  if (entry === undefined) throw new FileRefusal('The zip holds no chat.', 'Export the chat again.');
  return plainLines(decode(zip.read(entry, MOST_BYTES)));
}

function isZip(source: ByteSource): boolean {
  const [first, second] = source.read(0, 2);
  return first === 0x50 && second === 0x4b;
}

function chatOf(text: string, { file, now }: ItemDoor): Chat {
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

function itemOf(message: WhatsAppMessage, key: string, chat: Chat, door: ItemDoor): Item {
  return {
    ...{ at: message.line, next: message.end, place: `line ${message.line + 1}` },
    read: () => contentOf(message, key, chat, door),
  };
}

function contentOf({ stamp, author, text }: WhatsAppMessage, key: string, chat: Chat, door: ItemDoor): ItemContent {
  if (author === null) return nothing('a line of WhatsApp itself');
  const words = personsWords(text);
  if (words === '') return nothing('no words');
  const at = momentOf(stamp, chat.order, door.zone);
  if (at === null) return refused('Its date does not exist.');
  const identity = { key: `whatsapp ${key}`, version: '', otherwise: 'other' } as const;
  const { room, isPersonal } = chat;
  return saidItem(
    { author: authorOf(author), at, room, isPersonal, text: words, carried: [], machine: null },
    identity,
    door,
  );
}

function authorOf(written: string): Author {
  const name = written.trim();
  if (PHONE.test(name)) return { id: `+${name.replace(/\D/g, '')}`, name };
  return name === '' ? NOBODY_NAMED : namedAuthor(name);
}
