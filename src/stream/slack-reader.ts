import { z } from 'zod';
import { identifiedAuthor, NOBODY_NAMED, namedAuthor } from './chats/author.ts';
import { saidItem, type ZipEntry, ZipFile } from './chats.ts';
import { FileRefusal, type Item, type ItemContent, type ItemDoor, type ItemReader, nothing, refused } from './items.ts';

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
function slackContent(json: unknown, room: SlackRoom, workspace: Workspace, door: ItemDoor): ItemContent {
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

/** Somebody of the workspace. */
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

/** What an export says of its workspace. All of it is as forgeable as the messages. */
interface Workspace {
  /** The id of the team that most users are of; empty where none says. */
  readonly team: string;
  readonly users: ReadonlyMap<string, SlackUser>;
  /** By the folder of its messages. */
  readonly rooms: ReadonlyMap<string, SlackRoom>;
}

/** Returns what the lists of an export say. `root`: the folder of the zip in which they lie. */
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

/** Returns the text of a list in the export; null where it has none. */
function listIn<Member>(zip: ZipFile, file: string, member: z.ZodType<Member>): readonly Member[] {
  const entry = zip.entries.find((one: ZipEntry) => one.name === file);
  if (entry === undefined) return [];
  const read = z.array(z.unknown()).safeParse(jsonOf(zip, entry));
  if (!read.success) throw new FileRefusal(`${file} in the zip is no list.`, 'Export the workspace again.');
  return read.data.flatMap((one) => member.safeParse(one).data ?? []);
}

function jsonOf(zip: ZipFile, entry: ZipEntry): unknown {
  try {
    return JSON.parse(Buffer.from(zip.read(entry, MOST_LIST)).toString('utf8'));
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

/** The messages of a channel on one day. */
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
export const readSlack: ItemReader = function* (source, from, door) {
  if (source.size > MOST_BYTES) throw new FileRefusal('The zip has more than 1 GiB.', 'Export a shorter time.');
  const zip = new ZipFile(source);
  const root = rootOf(zip.entries);
  const workspace = workspaceIn(zip, root);
  for (const day of daysIn(zip.entries, root)) {
    if ((day.entry.nth + 1) * MOST_A_DAY > from) yield* itemsOf(zip, day, from, workspace, door);
  }
};

/** The folder in which the export lies, where the zip was made of it anew; else empty. */
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

function* itemsOf(zip: ZipFile, day: Day, from: number, workspace: Workspace, door: ItemDoor): Generator<Item> {
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
    yield { at, next: at + 1, place, read: () => slackContent(message, room, workspace, door) };
  }
}

/** A folder that no list names: exports of direct messages are called by their id. */
function unlisted(folder: string): SlackRoom {
  const isDirect = /^D[A-Z0-9]{6,14}$/.test(folder);
  return { id: folder, name: isDirect ? null : folder, isPersonal: isDirect };
}

function messagesOf(zip: ZipFile, { entry }: Day): readonly unknown[] | { readonly reason: string } {
  try {
    const read: unknown = JSON.parse(Buffer.from(zip.read(entry, MOST_DAY)).toString('utf8'));
    if (!Array.isArray(read)) return { reason: 'It is no list of messages.' };
    return read.length > MOST_A_DAY ? { reason: 'It holds more messages than a day has.' } : read;
  } catch (error) {
    return { reason: error instanceof Error ? error.message : 'It cannot be read.' };
  }
}
