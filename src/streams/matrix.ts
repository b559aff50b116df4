import { z } from 'zod';
import { chatItem, type JsonValues, messageItems, parsedJson, textHash, unreadBlocks } from './chat.ts';
import { type Author, identifiedAuthor, NOBODY_NAMED } from './chat-lines.ts';
import { type ItemContent, type ItemReader, nothing, type ReadContext, refused } from './stream.ts';

const id = z.string().max(400);
const message = z.object({
  type: z.string().optional(),
  event_id: id.optional(),
  room_id: id.optional(),
  sender: id.optional(),
  origin_server_ts: z.number().optional(),
  /** Only an event that sets the state of the room has one: it is no message. */
  state_key: z.string().optional(),
  content: z
    .object({
      msgtype: z.string().optional(),
      body: z.string().optional(),
      formatted_body: z.string().optional(),
      filename: z.string().optional(),
      'm.new_content': z.object({ body: z.string().optional() }).optional(),
      'm.relates_to': z.object({ rel_type: z.string().optional(), event_id: id.optional() }).nullish(),
    })
    .default({}),
});
type Message = z.infer<typeof message>;

const LISTS = new Set(['messages', 'chunk', 'events']);
const FILES = new Set(['m.image', 'm.file', 'm.audio', 'm.video']);
const SAID = new Set(['m.text', 'm.notice', 'm.emote']);
/** Events in a room without words: changes of the room, reactions, calls, receipts, votes in a poll. */
const WORDLESS =
  /^m\.(?:room\.(?!message$|encrypted$)|call\.|key\.|rtc\.|(?:reaction|receipt|typing)$)|^(?:org\.matrix\.msc3381|m)\.poll\.(?:response|end)$/;

export const readMatrix: ItemReader = (source, from, context) =>
  messageItems(
    source,
    from,
    (path) => LISTS.has(path.at(-1) ?? ''),
    (text, around) => contentOf(parsedJson(message, text), roomOf(around), context),
  );

function roomOf([own]: readonly JsonValues[]): string | null {
  const name = own?.get('room_name') ?? own?.get('name');
  return typeof name === 'string' && name.trim() !== '' ? name : null;
}

function contentOf(read: Message | null, room: string | null, context: ReadContext): ItemContent {
  if (read === null) return refused("It isn't a Matrix event.");
  const { content, sender, origin_server_ts: at = null } = read;
  const { type = '', state_key: state } = read;
  if (type === '' || state !== undefined || WORDLESS.test(type)) return nothing('no words');
  const unread = type === 'm.room.message' ? whyWordless(content) : whyUnread(type);
  const edited = content['m.relates_to']?.rel_type === 'm.replace' ? content['m.new_content'] : undefined;
  const text = unread === undefined ? ((edited ?? content).body ?? '') : '';
  const machine = content.msgtype === 'm.notice' ? 'sent by a program' : null;
  const said = { author: authorOf(sender), at, room, isPersonal: false, text, carried: [], machine, unread };
  return chatItem(said, identityOf(read, edited !== undefined, text), context);
}

function whyUnread(type: string): string {
  if (type === 'm.room.encrypted') return 'encrypted';
  if (type === 'm.sticker') return 'only a picture';
  return unreadBlocks([type.replace(/^(?:m|org\.matrix\.msc\d+)\./, '').replaceAll('.', '-')]);
}

/** Why a message without words isn't read; undefined if it has words, or was taken back. The body of a file is its name, or a caption. */
function whyWordless(content: Message['content']): string | undefined {
  const { msgtype, body, formatted_body: formatted, filename } = content;
  if (msgtype === undefined || SAID.has(msgtype))
    return (body ?? '') === '' && (formatted ?? '') !== '' ? unreadBlocks(['formatted_body']) : undefined;
  if (!FILES.has(msgtype)) return unreadBlocks([msgtype.replace(/^m\./, '')]);
  if (filename !== undefined && filename !== body) return undefined;
  return msgtype === 'm.image' ? 'only a picture' : 'only a file';
}

function identityOf({ event_id: own, sender, origin_server_ts: at, content }: Message, isEdit: boolean, text: string) {
  const name = (isEdit ? content['m.relates_to']?.event_id : own) ?? `${sender ?? ''} ${at ?? ''} ${textHash(text)}`;
  // Only whoever wrote a message may edit it: another's edit is no version of it.
  return {
    key: `matrix ${name} ${sender ?? ''}`,
    version: isEdit ? String(at ?? '') : '',
    otherwise: 'newer',
  } as const;
}

/**
 * `@anna:matrix.example`: the server authenticates the name. The two parts are written apart so that no name reads as
 * an address.
 */
function authorOf(sender: string | undefined): Author {
  const [, name, server] = /^@([^:]+):(.+)$/.exec(sender ?? '') ?? [];
  return name === undefined || server === undefined ? NOBODY_NAMED : identifiedAuthor(name, server, sender ?? null);
}
