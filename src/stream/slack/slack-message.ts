import { z } from 'zod';
import { identifiedAuthor, NOBODY_NAMED, namedAuthor } from '../chats/author.ts';
import { saidItem } from '../chats/said.ts';
import { type ItemContent, type ItemDoor, nothing, refused } from '../items/item.ts';
import { slackText } from './slack-text.ts';
import type { SlackRoom, Workspace } from './workspace.ts';

const short = z.string().max(400);
const words = z.string().nullish();
const message = z.object({
  type: short.nullish(),
  subtype: short.nullish(),
  ts: z.string().regex(/^\d{1,12}\.\d{1,8}$/),
  user: short.nullish(),
  username: words,
  bot_id: short.nullish(),
  text: words,
  edited: z.object({ ts: short.nullish() }).nullish(),
  user_profile: z.object({ display_name: words, real_name: words }).nullish(),
  root: z.object({ text: words }).nullish(),
  attachments: z
    .array(z.object({ text: words, pretext: words }))
    .max(200)
    .nullish(),
});
type Message = z.infer<typeof message>;

/** What people say. Who joined, left or renamed something is a line of Slack itself. */
const SAID = new Set([
  '',
  'me_message',
  'bot_message',
  'thread_broadcast',
  'reply_broadcast',
  'file_share',
  'file_comment',
]);

/** Returns what a message of an export holds. */
export function slackContent(json: unknown, room: SlackRoom, workspace: Workspace, door: ItemDoor): ItemContent {
  const read = message.safeParse(json).data;
  if (read === undefined) return refused('It is no message of Slack.');
  if (!SAID.has(read.subtype ?? '')) return nothing('a line of Slack itself');
  const said = {
    ...{ author: authorOf(read, workspace), at: Math.floor(Number(read.ts) * 1000) },
    ...{ room: room.name === null || room.isPersonal ? null : `#${room.name}`, isPersonal: room.isPersonal },
    ...{ text: slackText(read.text ?? '', workspace), carried: carriedBy(read, workspace) },
    machine: isMachine(read, workspace) ? 'posted by a program' : null,
  };
  const key = `slack ${workspace.team} ${room.id} ${read.ts}`;
  const identity = { key, version: read.edited?.ts ?? '', otherwise: 'newer' } as const;
  return saidItem(said, identity, { ...door, sourceType: sourceIn(door.sourceType, room) });
}

/** A folder that names another source has its way. */
function sourceIn(sourceType: string, { isPersonal }: SlackRoom): string {
  if (sourceType !== 'slack' && sourceType !== 'slack_channel') return sourceType;
  return isPersonal ? 'slack' : 'slack_channel';
}

/** The id is what nobody chooses; a name is taken by whoever likes it. */
function authorOf({ user, username, user_profile: profile }: Message, { users }: Workspace) {
  const name = users.get(user ?? '')?.name ?? (profile?.display_name || profile?.real_name || username || null);
  if (user !== null && user !== undefined) return identifiedAuthor(user, 'slack', name ?? user);
  return name === null ? NOBODY_NAMED : namedAuthor(name);
}

function isMachine({ subtype, bot_id: bot, user }: Message, { users }: Workspace): boolean {
  return (
    subtype === 'bot_message' || (bot ?? '') !== '' || users.get(user ?? '')?.isBot === true || user === 'USLACKBOT'
  );
}

/** What was passed on, unfolded from a link, or is answered. */
function carriedBy({ attachments, root }: Message, workspace: Workspace): readonly string[] {
  const texts = [root?.text ?? '', ...(attachments ?? []).flatMap(({ pretext, text }) => [pretext ?? '', text ?? ''])];
  return texts.filter((text) => text !== '').map((text) => slackText(text, workspace));
}
