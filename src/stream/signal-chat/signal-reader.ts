import { folderTitle } from '../chats/file-title.ts';
import { messageItems } from '../chats/message-list.ts';
import { saidItem, textHash } from '../chats/said.ts';
import { type Identity, type ItemContent, type ItemDoor, type ItemReader, nothing, refused } from '../items/item.ts';
import { jsonLines } from '../json/json-lines.ts';
import { type SignalMessage, signalMessage } from './signal-message.ts';

/** Reads an export of Signal: a list of messages, or one message a line. */
export const readSignal: ItemReader = (source, from, door) => {
  const read = (text: string) => contentOf(text, door);
  const isList = /^\s*\[/.test(Buffer.from(source.read(0, 100)).toString('latin1'));
  return isList ? messageItems(source, from, (path) => path.length === 0, read) : jsonLines(source, from, read);
};

function contentOf(text: string, door: ItemDoor): ItemContent {
  const message = signalMessage(jsonIn(text), door.zone);
  if (message === 'unknown') return refused('It is no message of Signal.');
  if (message === null) return nothing('no words');
  const room = message.room ?? roomOf(door.file, message);
  const said = { ...message, room, isPersonal: room === null, machine: null };
  return saidItem(said, identityOf(message), door);
}

/** sigexport puts each chat into a folder of its name: that of the other one, or of the group. */
function roomOf(file: string, { author, sent }: SignalMessage): string | null {
  const folder = sent === null && /\/[^/]+\/data\.json$/.test(file) ? folderTitle(file) : '';
  return folder === '' || folder === author.name || author.id === null ? null : folder;
}

function identityOf({ author, at, text, edited, sent }: SignalMessage): Identity {
  const name = sent ?? `${author.id ?? 'own'} ${at ?? ''} ${textHash(text)}`;
  return { key: `signal ${name}`, version: edited, otherwise: 'newer' };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
