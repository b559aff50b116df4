import { z } from 'zod';
import type { ZipEntry, ZipFile } from '../chats/zip-file.ts';
import { FileRefusal } from '../items/item.ts';

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
export interface SlackRoom {
  readonly id: string;
  /** Null between two people. */
  readonly name: string | null;
  readonly isPersonal: boolean;
}

/** What an export says of its workspace. All of it is as forgeable as the messages. */
export interface Workspace {
  /** The id of the team that most users are of; empty where none says. */
  readonly team: string;
  readonly users: ReadonlyMap<string, SlackUser>;
  /** By the folder of its messages. */
  readonly rooms: ReadonlyMap<string, SlackRoom>;
}

/** Returns what the lists of an export say. `root`: the folder of the zip in which they lie. */
export function workspaceIn(zip: ZipFile, root: string): Workspace {
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
