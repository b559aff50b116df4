import { z } from 'zod';
import { readForeignJson } from '../vault/json.ts';
import { type BlockNames, chatItem, readBlocks, unreadBlocks } from './chat.ts';
import { identifiedAuthor, NOBODY_NAMED, namedAuthor } from './chat-lines.ts';
import {
  FileRefusal,
  type Item,
  type ItemContent,
  type ItemReader,
  nothing,
  type ReadContext,
  refused,
  wholeFile,
} from './stream.ts';
import { type ZipEntry, ZipFile } from './zip.ts';

/** `<@U012>`, `<#C012|general>`, `<!here>`, `<https://house.example|the house>`. */
const MARKED = /<([@#!]?)([^<>|]{1,2000})(?:\|([^<>]{0,2000}))?>/g;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
]);

/** Returns the text of a message as Slack shows it: with names in place of ids, and no marks. */
function slackText(written: string, { users }: Pick<Workspace, 'users'>): string {
  const named = written.replace(MARKED, (_, mark: string, what: string, label: string | undefined) => {
    if (mark === '@') return `@${label ?? users.get(what)?.name ?? what}`;
    if (mark === '#') return `#${label ?? what}`;
    if (mark === '!') return label ?? `@${what.split('^')[0] ?? ''}`;
    return label === undefined || label === what ? what : `${label} (${what})`;
  });
  return named.replace(/&(?:lt|gt|amp);/g, (entity) => ENTITIES.get(entity) ?? entity);
}

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
  blocks: z.unknown().optional(),
  files: z
    .array(z.looseObject({ mimetype: short.nullish() }))
    .max(200)
    .nullish(),
  attachments: z
    .array(z.looseObject({ text: words, pretext: words }))
    .max(200)
    .nullish(),
});
type Attachment = NonNullable<z.infer<typeof message>['attachments']>[number];
type Message = z.infer<typeof message>;

/** Messages of people. A line about somebody who joined, left or renamed something is Slack's own. */
const SAID = new Set([
  '',
  'me_message',
  'bot_message',
  'thread_broadcast',
  'reply_broadcast',
  'file_share',
  'file_comment',
]);

function slackContent(json: unknown, room: SlackRoom, workspace: Workspace, context: ReadContext): ItemContent {
  const read = message.safeParse(json).data;
  if (read === undefined) return refused("It isn't a Slack message.");
  if (!SAID.has(read.subtype ?? '')) return nothing('a line of Slack itself');
  const { text, carried, unread } = wordsOfMessage(read, workspace);
  const said = {
    author: authorOf(read, workspace),
    at: Math.floor(Number(read.ts) * 1000),
    room: room.name === null || room.isPersonal ? null : `#${room.name}`,
    isPersonal: room.isPersonal,
    ...{ text, carried, unread },
    machine: isMachine(read, workspace) ? 'posted by a program' : null,
  };
  const key = `slack ${workspace.team} ${room.id} ${read.ts}`;
  const identity = { key, version: read.edited?.ts ?? '', otherwise: 'newer' } as const;
  return chatItem(said, identity, { ...context, sourceType: sourceIn(context.sourceType, room) });
}

/** A folder that names another source has its way. */
function sourceIn(sourceType: string, { isPersonal }: SlackRoom): string {
  if (sourceType !== 'slack' && sourceType !== 'slack_channel') return sourceType;
  return isPersonal ? 'slack' : 'slack_channel';
}

/** People can't choose the id; anyone can take any name. */
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

interface SlackWords {
  readonly text: string;
  readonly carried: readonly string[];
  readonly unread: string | undefined;
}

/** Slack shows the blocks of a message, and its text only in a notification. */
function wordsOfMessage(read: Message, workspace: Workspace): SlackWords {
  const names = blockNames(workspace);
  const blocks = readBlocks(read.blocks, names);
  const text = blocks.text === '' ? slackText(read.text ?? '', workspace) : blocks.text;
  const attached = (read.attachments ?? []).map((one) => ({ isShared: isShared(one), ...readBlocks(one, names) }));
  const own = attached.filter(({ isShared }) => !isShared).map((one) => one.text);
  const shared = attached.filter(({ isShared }) => isShared).map((one) => one.text);
  const carried = [
    slackText(read.root?.text ?? '', workspace),
    ...blocks.carried,
    ...shared,
    ...attached.flatMap((one) => one.carried),
  ];
  const words = { text: notBlank([text, ...own]).join('\n'), carried: notBlank(carried) };
  const kinds = [...blocks.unread, ...attached.flatMap((one) => one.unread)];
  return { ...words, unread: kinds.length > 0 ? unreadBlocks(kinds) : whyWordless(words, read) };
}

function whyWordless({ text, carried }: Pick<SlackWords, 'text' | 'carried'>, { files }: Message): string | undefined {
  if (text !== '' || carried.length > 0 || files === null || files === undefined || files.length === 0)
    return undefined;
  return files.some(({ mimetype }) => mimetype?.startsWith('image/') === true) ? 'only a picture' : 'only a file';
}

function notBlank(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => text.trim() !== '');
}

/** Whether an attachment is somebody else's: a message that was passed on, or a page behind a link. */
function isShared(attachment: Attachment): boolean {
  return ['from_url', 'original_url', 'is_share', 'is_msg_unfurl', 'author_id', 'channel_id', 'ts'].some((field) =>
    Object.hasOwn(attachment, field),
  );
}

function blockNames(workspace: Workspace): BlockNames {
  return {
    isCarried: (type, block) => /^rich_text_(?:quote|preformatted)$/.test(type) || struck.safeParse(block).success,
    silent: new Set(['divider', 'actions', 'button', 'color', 'image']),
    inline: new Set(['rich_text_section', 'rich_text_quote', 'rich_text_preformatted', 'text', 'link']),
    words: (block) => wordsOfBlock(block, workspace),
  };
}

const struck = z.object({ style: z.object({ strike: z.literal(true) }) });

/** The parts of a line that Slack shows in other words than they have. */
const shownPart = z.union([
  z.object({ type: z.literal('mrkdwn'), text: z.string() }).transform(({ text }) => text),
  z.object({ type: z.literal('markdown'), text: z.string() }).transform(({ text }) => text),
  z.object({ type: z.literal('link'), url: z.string(), text: z.undefined().optional() }).transform(({ url }) => url),
  z.object({ type: z.literal('user'), user_id: short }).transform(({ user_id: user }) => `<@${user}>`),
  z.object({ type: z.literal('channel'), channel_id: short }).transform(({ channel_id: room }) => `<#${room}>`),
  z.object({ type: z.literal('usergroup'), usergroup_id: short }).transform(({ usergroup_id: group }) => `@${group}`),
  z.object({ type: z.literal('broadcast'), range: short }).transform(({ range }) => `@${range}`),
  z.object({ type: z.literal('emoji'), name: short }).transform(({ name }) => `:${name}:`),
  z.object({ type: z.literal('date'), fallback: z.string() }).transform(({ fallback }) => fallback),
  // An attachment's own texts, and the lines of its table.
  z.object({ title: words, value: z.string() }).transform(({ title, value }) => `${title ?? ''}: ${value}`),
]);

function wordsOfBlock(block: unknown, workspace: Workspace): string | null {
  const shown = shownPart.safeParse(block).data;
  return shown === undefined ? null : slackText(shown, workspace);
}

const MOST_LIST = 32 * 1024 * 1024;

const id = z.string().max(100);
const name = z.string().max(400).nullish();
const user = z.object({
  id,
  team_id: id.nullish(),
  name,
  real_name: name,
  is_bot: z.boolean().nullish(),
  profile: z.object({ display_name: name, real_name: name }).nullish(),
});
const room = z.object({ id, name });

interface SlackUser {
  readonly name: string;
  readonly isBot: boolean;
}

/** A channel, a private group, or a conversation between few. */
interface SlackRoom {
  readonly id: string;
  /** Null between two people. */
  readonly name: string | null;
  readonly isPersonal: boolean;
}

/** The export's lists about its workspace. All of it is as forgeable as the messages. */
interface Workspace {
  /** The id of the team that most users are of; empty if they don't say. */
  readonly team: string;
  readonly users: ReadonlyMap<string, SlackUser>;
  /** By the folder of its messages. */
  readonly rooms: ReadonlyMap<string, SlackRoom>;
}

/** Returns the lists of an export. `root`: the folder of the zip that contains them. */
function workspaceIn(zip: ZipFile, root: string): Workspace {
  const users = listIn(zip, `${root}users.json`, user);
  return {
    team: mostCommon(users.map(({ team_id: team }) => team ?? '').filter((team) => team !== '')),
    users: new Map(users.map((one) => [one.id, { name: nameOf(one), isBot: one.is_bot === true }])),
    rooms: new Map([
      ...listIn(zip, `${root}channels.json`, room).map((one) => roomOf(one, false)),
      ...listIn(zip, `${root}groups.json`, room).map((one) => roomOf(one, false)),
      ...listIn(zip, `${root}mpims.json`, room).map((one) => roomOf(one, true)),
      ...listIn(zip, `${root}dms.json`, room).map(
        (one) => [one.id, { id: one.id, name: null, isPersonal: true }] as const,
      ),
    ]),
  };
}

/** Returns the members of a list in the export; null if the list is missing. */
function listIn<Member>(zip: ZipFile, file: string, member: z.ZodType<Member>): readonly Member[] {
  const entry = zip.entries.find((one: ZipEntry) => one.name === file);
  if (entry === undefined) return [];
  const read = z.array(z.unknown()).safeParse(jsonOf(zip, entry));
  if (!read.success) throw new FileRefusal(`${file} in the zip isn't a list.`, 'Export the workspace again.');
  return read.data.flatMap((one) => member.safeParse(one).data ?? []);
}

function jsonOf(zip: ZipFile, entry: ZipEntry): unknown {
  try {
    return readForeignJson(zip.read(entry, MOST_LIST));
  } catch (error) {
    throw new FileRefusal(`${entry.name} in the zip cannot be read: ${String(error)}`, 'Export the workspace again.');
  }
}

function nameOf({ id: own, name: login, real_name: real, profile }: z.infer<typeof user>): string {
  const names = [profile?.display_name, profile?.real_name, real, login];
  return names.find((one) => (one ?? '').trim() !== '') ?? own;
}

function roomOf({ id: own, name: called }: z.infer<typeof room>, isPersonal: boolean): readonly [string, SlackRoom] {
  const folder = called ?? own;
  return [folder, { id: own, name: folder, isPersonal }];
}

function mostCommon(all: readonly string[]): string {
  const counted = [...Map.groupBy(all, (one) => one)].toSorted((one, other) => other[1].length - one[1].length);
  return counted[0]?.[0] ?? '';
}

interface Day {
  readonly entry: ZipEntry;
  readonly folder: string;
  readonly date: string;
}

const MOST_BYTES = 1024 * 1024 * 1024;
const MOST_DAY = 32 * 1024 * 1024;
/** An item is named by the number of its file in the zip, and its own in that file. */
const MOST_A_DAY = 1_000_000;
const DAY = /^((?:[^/]+\/)?)([^/]+)\/(\d{4}-\d\d-\d\d)\.json$/;

/** Reads the export of a Slack workspace, channel by channel and day by day: one day is in memory at a time. */
export const readSlack: ItemReader = function* (source, from, context) {
  if (source.size > MOST_BYTES) throw new FileRefusal('The zip has more than 1 GiB.', 'Export a shorter time.');
  const zip = new ZipFile(source);
  const root = rootOf(zip.entries);
  const workspace = workspaceIn(zip, root);
  for (const day of daysIn(zip.entries, root)) {
    if ((day.entry.nth + 1) * MOST_A_DAY > from) yield* itemsOf(zip, day, from, workspace, context);
  }
};

const UNKNOWN_WORKSPACE: Workspace = { team: '', users: new Map(), rooms: new Map() };
/** Folders that contain several channels. */
const NO_CHANNEL = /^(?:slack|slack_channel|stream)$/i;

/** Reads one file of an export: the messages of a channel on one day. The folder around it names the channel. */
export const readSlackDay: ItemReader = function* (source, from, context) {
  const messages = readForeignJson(wholeFile(source, MOST_DAY));
  if (!Array.isArray(messages)) throw new FileRefusal("It isn't a list of messages.", 'Export the workspace again.');
  const folder = context.file.split('/').at(-2) ?? '';
  const room = NO_CHANNEL.test(folder) ? { id: '', name: null, isPersonal: false } : unlisted(folder);
  for (let at = from; at < messages.length; at += 1) {
    const read = () => slackContent(messages[at], room, UNKNOWN_WORKSPACE, context);
    yield { at, next: at + 1, place: `message ${at + 1}`, read };
  }
};

/** The folder of the export within the zip, if it was packed again; else empty. */
function rootOf(entries: readonly ZipEntry[]): string {
  const list = entries.find(({ name }) => /^(?:[^/]+\/)?(?:users|channels)\.json$/.test(name));
  return list === undefined ? '' : list.name.slice(0, list.name.lastIndexOf('/') + 1);
}

function daysIn(entries: readonly ZipEntry[], root: string): Day[] {
  return entries.flatMap((entry) => {
    const [, above, folder, date] = DAY.exec(entry.name) ?? [];
    return above === root && folder !== undefined && date !== undefined ? [{ entry, folder, date }] : [];
  });
}

function* itemsOf(zip: ZipFile, day: Day, from: number, workspace: Workspace, context: ReadContext): Generator<Item> {
  const first = day.entry.nth * MOST_A_DAY;
  const room = workspace.rooms.get(day.folder) ?? unlisted(day.folder);
  const messages = messagesOf(zip, day);
  if ('reason' in messages) {
    const { reason } = messages;
    const item = { at: first, next: first + MOST_A_DAY, place: `${day.folder} ${day.date}` };
    if (first >= from) yield { ...item, read: () => refused(reason) };
    return;
  }
  for (const [nth, message] of messages.entries()) {
    const at = first + nth;
    if (at < from) continue;
    const place = `${day.folder} ${day.date}, message ${nth + 1}`;
    yield { at, next: at + 1, place, read: () => slackContent(message, room, workspace, context) };
  }
}

/** A folder that no list names: exports of direct messages are called by their id. */
function unlisted(folder: string): SlackRoom {
  const isDirect = /^D[A-Z0-9]{6,14}$/.test(folder);
  return { id: folder, name: isDirect ? null : folder, isPersonal: isDirect };
}

function messagesOf(zip: ZipFile, { entry }: Day): readonly unknown[] | { readonly reason: string } {
  try {
    const read = readForeignJson(zip.read(entry, MOST_DAY));
    if (!Array.isArray(read)) return { reason: "It isn't a list of messages." };
    return read.length > MOST_A_DAY ? { reason: 'It has more messages than one day can have.' } : read;
  } catch (error) {
    return { reason: error instanceof Error ? error.message : 'It cannot be read.' };
  }
}
