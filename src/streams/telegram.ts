import { z } from 'zod';
import {
  type BlockNames,
  chatItem,
  type JsonValues,
  messageItems,
  parsedJson,
  readBlocks,
  textHash,
  unreadBlocks,
  zonedIsoTime,
} from './chat.ts';
import { type Author, identifiedAuthor, NOBODY_NAMED, namedAuthor } from './chat-lines.ts';
import { type ItemContent, type ItemReader, nothing, type ReadContext, refused } from './stream.ts';

const MOST_PIECES = 2000;
const number = z.union([z.number(), z.string().max(40)]).transform(String);
const piece = z.union([z.string(), z.object({ type: z.string().default(''), text: z.string().default('') })]);

const text = z.union([z.string(), z.array(piece).max(MOST_PIECES)]);

/** One entry in the list of messages of a Telegram export. */
const telegramMessage = z.looseObject({
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
  text: text.default(''),
  text_entities: text.nullish(),
  rich_message: z.unknown().optional(),
  poll: z.unknown().optional(),
  todo_list: z.unknown().optional(),
});
type TelegramMessage = z.infer<typeof telegramMessage>;

/** Text that is shown as somebody else's words, or as code or struck out. */
const CARRIED = new Set(['blockquote', 'pre', 'code', 'strikethrough']);

interface TelegramWords {
  readonly text: string;
  readonly carried: readonly string[];
  readonly unread?: string | undefined;
}

/** A question or list of the author: the answers and entries to choose from aren't anybody's own words. */
const BLOCKS: BlockNames = {
  isCarried: (type) => CARRIED.has(type) || /^(?:quote|preformatted|answer)$/.test(type),
  silent: new Set(['divider', 'separator', 'spacer', 'line_break']),
  inline: new Set(['paragraph', 'heading', 'plain', 'bold', 'italic', 'underline', 'link', 'text_link', 'mention']),
  words: () => null,
};

/** Returns the words of a message, and apart from them what is quoted, code, or struck out. */
function wordsOfMessage(message: TelegramMessage): TelegramWords {
  const { text, text_entities: entities } = message;
  const written = wordsOfPieces(text.length > 0 ? text : (entities ?? ''));
  const blocks = [message.rich_message, asked(message.poll), asked(message.todo_list)].map((one) =>
    readBlocks(one, BLOCKS),
  );
  const own = [written.text, ...blocks.map((one) => one.text)].filter((one) => one.trim() !== '').join('\n');
  const carried = [...written.carried, ...blocks.flatMap((one) => one.carried)];
  const kinds = blocks.flatMap((one) => one.unread);
  if (kinds.length > 0) return { text: own, carried, unread: unreadBlocks(kinds) };
  return { text: own, carried, unread: own.trim() === '' && carried.length === 0 ? whyWordless(message) : undefined };
}

function wordsOfPieces(text: string | readonly z.infer<typeof piece>[]): TelegramWords {
  const pieces = typeof text === 'string' ? [text] : text;
  const isCarried = (one: (typeof pieces)[number]) => typeof one !== 'string' && CARRIED.has(one.type);
  const textOf = (one: (typeof pieces)[number]) => (typeof one === 'string' ? one : one.text);
  return {
    text: pieces.map((one) => (isCarried(one) ? ' ' : textOf(one))).join(''),
    carried: pieces.filter(isCarried).map(textOf),
  };
}

const list = z.looseObject({ answers: z.array(z.looseObject({})).max(MOST_PIECES) });

/** A poll or a checklist whose answers are marked as such. */
function asked(json: unknown): unknown {
  const read = list.safeParse(json).data;
  return read === undefined ? json : { ...read, answers: read.answers.map((one) => ({ ...one, type: 'answer' })) };
}

/** Fields in which Telegram puts words outside of the text. */
const WORDY = ['game_title', 'place_name', 'contact_vcard'];

/** Why a message without words isn't read; undefined if it has nothing at all. */
function whyWordless(message: TelegramMessage): string | undefined {
  if (message.photo !== undefined) return 'only a picture';
  if (message.file !== undefined) return 'only a file';
  const isKnown = message.type === undefined || message.type === 'message';
  const forms = Object.entries(message).filter(
    ([, value]) => typeof value === 'object' && !Array.isArray(value) && value !== null,
  );
  const told = WORDY.filter((name) => typeof message[name] === 'string' && message[name] !== '');
  const names = [...(isKnown ? [] : [message.type ?? '']), ...forms.map(([name]) => name), ...told];
  return names.length === 0 ? undefined : unreadBlocks(names);
}

/** The chat that a message is in, as the export names it. */
interface Chat {
  readonly id: string;
  readonly name: string | null;
  readonly type: string;
  /** The id of the vault's owner; null if the export does not tell it. */
  readonly owner: string | null;
}

export const readTelegram: ItemReader = (source, from, context) =>
  messageItems(
    source,
    from,
    (path) => path.at(-1) === 'messages',
    (text, around) => contentOf(parsedJson(telegramMessage, text), chatOf(around), context),
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

function contentOf(message: TelegramMessage | null, chat: Chat, context: ReadContext): ItemContent {
  if (message === null) return refused("It isn't a Telegram message.");
  if (message.type === 'service') return nothing('a line of Telegram itself');
  const { text, carried, unread } = wordsOfMessage(message);
  const isForwarded = (message.forwarded_from ?? message.forwarded_from_id ?? null) !== null;
  const at = momentOf(message.date_unixtime, message.date, context.zone);
  const isPersonal = chat.type === '' || /^(?:personal_chat|saved_messages)$/.test(chat.type);
  const said = { author: authorOf(message, chat), at, room: isPersonal ? null : chat.name, isPersonal };
  const words = isForwarded ? { text: '', carried: [text, ...carried] } : { text, carried };
  return chatItem(
    { ...said, ...words, unread, machine: machineOf(message, chat) },
    identityOf(message, chat, text),
    context,
  );
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
  return date === undefined ? null : zonedIsoTime(zone, date);
}
