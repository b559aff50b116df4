import { type ByteSource, type Item, type ItemContent, refused } from '../items/item.ts';
import { type JsonValues, jsonMembers, memberText } from '../json/json-members.ts';

/** The text of a message, and what stands before its list in the objects around it, the nearest first. */
type MessageRead = (text: string, around: readonly JsonValues[]) => ItemContent;

const MOST_MESSAGE = 1024 * 1024;

/** Yields the messages of a JSON file, those of every list that is asked for, without reading it into memory. */
export function* messageItems(
  source: ByteSource,
  from: number,
  isList: (path: readonly string[]) => boolean,
  read: MessageRead,
): Generator<Item> {
  let nth = 0;
  for (const member of jsonMembers(source, isList)) {
    nth += 1;
    const { at, end, around } = member;
    if (at < from) continue;
    yield {
      ...{ at, next: end, place: `message ${nth}` },
      read: () => (end - at > MOST_MESSAGE ? TOO_LONG : read(memberText(source, member), around)),
    };
  }
}

const TOO_LONG = refused('It is longer than any message.');
