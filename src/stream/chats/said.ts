import { NOT_VOUCHED, type StreamEvent } from '../../steward/ports/stream-event.ts';
import { sha256 } from '../../vault/hash.ts';
import { utc } from '../../vault/time.ts';
import { type Identity, type ItemContent, type ItemDoor, nothing } from '../items/item.ts';
import { oneLine, plainText } from '../mail/plain-text.ts';
import type { Author } from './author.ts';
import { clockIn } from './local-time.ts';
import { saidWords } from './own-text.ts';

/** Something that somebody said in a chat or a meeting, as its file has it. */
interface Said {
  readonly author: Author;
  /** Epoch milliseconds; null where the file does not say. */
  readonly at: number | null;
  /** The room, channel or meeting; null between two people. */
  readonly room: string | null;
  readonly isPersonal: boolean;
  readonly text: string;
  /** What it carries along that others wrote. */
  readonly carried: readonly string[];
  /** Why it counts as sent by a machine; null where a person said it. */
  readonly machine: string | null;
}

const MAX_SUBJECT = 80;
const MAX_ROOM = 60;
/** The latest time that a date can hold, in ms. */
const LATEST = 8_640_000_000_000_000;

/** Returns what was said as an event with its identity, or nothing where no words are in it. */
export function saidItem(said: Said, identity: Identity, door: ItemDoor): ItemContent {
  const { text, quoted } = saidWords(said.text, said.carried);
  if (text.trim() === '' && quoted.trim() === '') return nothing('no words');
  return { what: 'event', event: { ...saidEvent(said, door), subject: subjectOf(said, text), text, quoted }, identity };
}

/** Returns a short hash of a text, for the identity of what has no id: marks and blanks that nobody sees do not count. */
export function textHash(text: string): string {
  const plain = plainText(text).replace(/\s+/g, ' ').trim();
  return sha256(plain).slice(0, 16);
}

function saidEvent({ author, at, room, isPersonal, machine }: Said, door: ItemDoor): Omit<StreamEvent, 'subject'> {
  return {
    ...{ path: door.file, sourceType: door.sourceType, ...timeOf(at, door.zone) },
    ...{ from: author.id, fromName: author.name, to: [], text: '', quoted: '' },
    ...{ bulk: machine !== null, bulkReason: machine, ownNote: false },
    ...{ authentication: NOT_VOUCHED, warnings: [], shown: null, doubts: [] },
    spoken: { room: room === null ? null : oneLine(room, MAX_ROOM), isPersonal },
  };
}

/** Whoever writes "tomorrow" at half past midnight means the day that the clock beside them shows. */
function timeOf(at: number | null, zone: string): Pick<StreamEvent, 'originAt' | 'writtenAt'> {
  if (at === null || Math.abs(at) > LATEST) return { originAt: null };
  const writtenAt = clockIn(zone, at);
  return { originAt: utc(at), ...(writtenAt === null ? {} : { writtenAt }) };
}

function subjectOf({ room, author }: Said, text: string): string {
  const where = oneLine(room ?? author.name ?? '', MAX_ROOM);
  return oneLine(where === '' ? text : `${where}: ${text}`, MAX_SUBJECT);
}
