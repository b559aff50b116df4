import { z } from 'zod';
import { type Author, identifiedAuthor, NOBODY_NAMED } from './chats/author.ts';
import { messageItems, saidItem, textHash } from './chats.ts';
import { type ItemContent, type ItemDoor, type ItemReader, nothing, refused } from './items.ts';
import { type JsonValues, parsedJson } from './json.ts';

const id = z.string().max(400);
const message = z.object({
  type: z.string().optional(),
  event_id: id.optional(),
  room_id: id.optional(),
  sender: id.optional(),
  origin_server_ts: z.number().optional(),
  content: z
    .object({
      msgtype: z.string().optional(),
      body: z.string().optional(),
      'm.new_content': z.object({ body: z.string().optional() }).optional(),
      'm.relates_to': z.object({ rel_type: z.string().optional(), event_id: id.optional() }).nullish(),
    })
    .default({}),
});
type Message = z.infer<typeof message>;

const LISTS = new Set(['messages', 'chunk', 'events']);
const SAID = new Set(['m.text', 'm.notice', 'm.emote']);

/** Reads an export of a Matrix room. */
export const readMatrix: ItemReader = (source, from, door) =>
  messageItems(
    source,
    from,
    (path) => LISTS.has(path.at(-1) ?? ''),
    (text, around) => contentOf(parsedJson(message, text), roomOf(around), door),
  );

function roomOf([own]: readonly JsonValues[]): string | null {
  const name = own?.get('room_name') ?? own?.get('name');
  return typeof name === 'string' && name.trim() !== '' ? name : null;
}

function contentOf(read: Message | null, room: string | null, door: ItemDoor): ItemContent {
  if (read === null) return refused('It is no event of Matrix.');
  if (read.type === 'm.room.encrypted') return nothing('encrypted');
  if (read.type !== 'm.room.message' || !SAID.has(read.content.msgtype ?? '')) return nothing('no words');
  const { content, sender, origin_server_ts: at = null } = read;
  const edited = content['m.relates_to']?.rel_type === 'm.replace' ? content['m.new_content'] : undefined;
  const text = (edited ?? content).body ?? '';
  const machine = content.msgtype === 'm.notice' ? 'sent by a program' : null;
  const said = { author: authorOf(sender), at, room, isPersonal: false, text, carried: [], machine };
  return saidItem(said, identityOf(read, edited !== undefined, text), door);
}

/** An edit has an id of its own, and names the message that it is now. */
function identityOf({ event_id: own, sender, origin_server_ts: at, content }: Message, isEdit: boolean, text: string) {
  const name = (isEdit ? content['m.relates_to']?.event_id : own) ?? `${sender ?? ''} ${at ?? ''} ${textHash(text)}`;
  // Only whoever wrote a message may edit it: another's edit is no version of it.
  return {
    key: `matrix ${name} ${sender ?? ''}`,
    version: isEdit ? String(at ?? '') : '',
    otherwise: 'newer',
  } as const;
}

/** `@anna:matrix.example`: the server vouches for the name, and both are kept apart so that no name reads as an address. */
function authorOf(sender: string | undefined): Author {
  const [, name, server] = /^@([^:]+):(.+)$/.exec(sender ?? '') ?? [];
  return name === undefined || server === undefined ? NOBODY_NAMED : identifiedAuthor(name, server, sender ?? null);
}
