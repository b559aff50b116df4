import { z } from 'zod';
import { type Author, identifiedAuthor, NOBODY_NAMED, namedAuthor } from './chats/author.ts';
import { isoTimeIn, messageItems, saidItem, textHash } from './chats.ts';
import { type ItemContent, type ItemDoor, type ItemReader, nothing, refused } from './items.ts';
import { type JsonValues, parsedJson } from './json.ts';

const MOST_PIECES = 2000;
const number = z.union([z.number(), z.string().max(40)]).transform(String);
const piece = z.union([z.string(), z.object({ type: z.string().default(''), text: z.string().default('') })]);

/** One entry in the list of messages of a Telegram export. */
const telegramMessage = z.object({
  id: number.optional(),
  type: z.string().optional(),
  date: z.string().max(60).optional(),
  date_unixtime: number.optional(),
  edited: z.string().max(60).optional(),
  edited_unixtime: number.optional(),
  from: z.string().nullish(),
  from_id: number.nullish(),
  forwarded_from: z.string().nullish(),
  forwarded_from_id: number.nullish(),
  via_bot: z.string().nullish(),
  text: z.union([z.string(), z.array(piece).max(MOST_PIECES)]).default(''),
});
type TelegramMessage = z.infer<typeof telegramMessage>;

/** What is shown as somebody else's words, or as none. */
const CARRIED = new Set(['blockquote', 'pre', 'code', 'strikethrough']);

/** Returns the words of a message, and apart from them what is quoted, code, or struck out. */
function wordsOfMessage({ text }: TelegramMessage): { text: string; carried: readonly string[] } {
  const pieces = typeof text === 'string' ? [text] : text;
  const isCarried = (one: (typeof pieces)[number]) => typeof one !== 'string' && CARRIED.has(one.type);
  const textOf = (one: (typeof pieces)[number]) => (typeof one === 'string' ? one : one.text);
  return {
    text: pieces.map((one) => (isCarried(one) ? ' ' : textOf(one))).join(''),
    carried: pieces.filter(isCarried).map(textOf),
  };
}

/** The chat that a message is in, as the export names it. */
interface Chat {
  readonly id: string;
  readonly name: string | null;
  readonly type: string;
  /** The id of the vault's owner; null where the export does not tell it. */
  readonly owner: string | null;
}

/** Reads an export of Telegram Desktop. */
export const readTelegram: ItemReader = (source, from, door) =>
  messageItems(
    source,
    from,
    (path) => path.at(-1) === 'messages',
    (text, around) => contentOf(parsedJson(telegramMessage, text), chatOf(around), door),
  );

function chatOf(around: readonly JsonValues[]): Chat {
  const [own, ...outer] = around;
  const user = outer.map((values) => values.get('personal_information/user_id')).find((id) => id !== undefined);
  return {
    id: shortText(own?.get('id')),
    name: shortText(own?.get('name')) || null,
    type: shortText(own?.get('type')),
    owner: user === undefined ? null : `user${shortText(user)}`,
  };
}

function shortText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 200) : '';
}

function contentOf(message: TelegramMessage | null, chat: Chat, door: ItemDoor): ItemContent {
  if (message === null) return refused('It is no message of Telegram.');
  if (message.type !== undefined && message.type !== 'message') return nothing('a line of Telegram itself');
  const { text, carried } = wordsOfMessage(message);
  const isForwarded = (message.forwarded_from ?? message.forwarded_from_id ?? null) !== null;
  const at = momentOf(message.date_unixtime, message.date, door.zone);
  const isPersonal = chat.type === '' || /^(?:personal_chat|saved_messages)$/.test(chat.type);
  const said = { author: authorOf(message, chat), at, room: isPersonal ? null : chat.name, isPersonal };
  const words = isForwarded ? { text: '', carried: [text, ...carried] } : { text, carried };
  return saidItem({ ...said, ...words, machine: machineOf(message, chat) }, identityOf(message, chat, text), door);
}

function identityOf(message: TelegramMessage, chat: Chat, text: string) {
  const { id, from_id: author, date_unixtime: unix, date } = message;
  const name = id ?? `${author ?? message.from ?? ''} ${unix ?? date ?? ''} ${textHash(text)}`;
  const version = message.edited_unixtime ?? message.edited ?? '';
  return { key: `telegram ${chat.id} ${name}`, version: version === '0' ? '' : version, otherwise: 'newer' } as const;
}

/** In a chat of two, whoever is not the other one is the vault's owner. */
function authorOf({ from, from_id: id }: TelegramMessage, chat: Chat): Author {
  const isOwner = id !== undefined && id !== null && id === chat.owner;
  const isOther = chat.type === 'personal_chat' && chat.id !== '' && id?.startsWith('user') === true;
  if (isOwner || chat.type === 'saved_messages' || (isOther && id !== `user${chat.id}`)) return NOBODY_NAMED;
  if (id !== undefined && id !== null) return identifiedAuthor(id, 'telegram', from ?? null);
  return from === undefined || from === null ? NOBODY_NAMED : namedAuthor(from);
}

function machineOf({ from_id: id, via_bot: bot }: TelegramMessage, { type }: Chat): string | null {
  if (type === 'bot_chat' || (bot ?? '') !== '') return 'sent by a program';
  return /channel/.test(type) || id?.startsWith('channel') === true ? 'posted in a channel' : null;
}

function momentOf(unix: string | undefined, date: string | undefined, zone: string): number | null {
  const seconds = Number(unix ?? Number.NaN);
  if (Number.isFinite(seconds) && seconds > 0) return seconds * 1000;
  return date === undefined ? null : isoTimeIn(zone, date);
}
