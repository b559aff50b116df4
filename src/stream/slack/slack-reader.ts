import { type ZipEntry, ZipFile } from '../chats/zip-file.ts';
import { FileRefusal, type Item, type ItemDoor, type ItemReader, refused } from '../items/item.ts';
import { slackContent } from './slack-message.ts';
import { type SlackRoom, type Workspace, workspaceIn } from './workspace.ts';

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
