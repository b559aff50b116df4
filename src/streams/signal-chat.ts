import { z } from 'zod';
import { readForeignJson } from '../vault/json.ts';
import { chatItem, jsonLines, messageItems, textHash, unreadBlocks, zonedIsoTime } from './chat.ts';
import { type Author, folderTitle, identifiedAuthor, NOBODY_NAMED, namedAuthor } from './chat-lines.ts';
import { type Identity, type ItemContent, type ItemReader, nothing, type ReadContext, refused } from './stream.ts';

interface SignalMessage {
  readonly author: Author;
  /** Epoch milliseconds. */
  readonly at: number | null;
  readonly room: string | null;
  readonly text: string;
  readonly carried: readonly string[];
  /** When it was edited; empty if it never was. */
  readonly edited: string;
  readonly files: number;
  /** Forms that aren't read, such as a sticker or a poll. */
  readonly forms: readonly string[];
  /** The id of the message among all of its author's, by Signal's own time; null if only its words can identify it. */
  readonly sent: string | null;
}

const short = z.string().max(400);
const moment = z.number().nullish();
const words = z.string().nullish();
const files = z.array(z.unknown()).nullish();
/** Fields that a message may have in place of words, by the names that the exports use. */
const forms = {
  sticker: z.unknown().optional(),
  contact: z.unknown().optional(),
  contacts: z.unknown().optional(),
  poll: z.unknown().optional(),
  pollCreate: z.unknown().optional(),
  payment: z.unknown().optional(),
  giftBadge: z.unknown().optional(),
};

/** A line of sigexport: times are local, authors are the names of contacts, `Me` is the owner. */
const exported = z.object({
  date: short,
  sender: short,
  body: z.string(),
  quote: words,
  deleted: z.boolean().nullish(),
  attachments: files,
  ...forms,
});
/** A member of sigtop's list: a message as Signal itself keeps it. */
const kept = z.object({
  type: short,
  body: words,
  source: short.nullish(),
  sourceServiceId: short.nullish(),
  sourceUuid: short.nullish(),
  sent_at: moment,
  timestamp: moment,
  editMessageTimestamp: moment,
  quote: z.object({ text: words }).nullish(),
  attachments: files,
  ...forms,
});
const data = z.object({
  message: words,
  timestamp: moment,
  quote: z.object({ text: words }).nullish(),
  groupInfo: z.object({ groupName: words }).nullish(),
  attachments: files,
  ...forms,
});
/** A line of signal-cli. Messages that the owner sent from another device are in a `syncMessage`. */
const received = z.object({
  envelope: z.object({
    source: short.nullish(),
    sourceNumber: short.nullish(),
    sourceUuid: short.nullish(),
    sourceName: short.nullish(),
    timestamp: moment,
    dataMessage: data.nullish(),
    editMessage: z.object({ targetSentTimestamp: moment, dataMessage: data.nullish() }).nullish(),
    syncMessage: z.object({ sentMessage: data.nullish() }).nullish(),
  }),
});
const line = z.union([received, kept, exported]);

/** Returns a message as JSON has it; null if it has no words, `unknown` if it isn't a message. */
function signalMessage(json: unknown, zone: string): SignalMessage | null | 'unknown' {
  const read = line.safeParse(json).data;
  if (read === undefined) return 'unknown';
  if ('envelope' in read) return ofReceived(read);
  return 'sender' in read ? ofExported(read, zone) : ofKept(read);
}

function ofExported(read: z.infer<typeof exported>, zone: string): SignalMessage | null {
  const { date, sender, body, quote, deleted, attachments } = read;
  if (deleted === true) return null;
  const author = sender === 'Me' ? NOBODY_NAMED : namedAuthor(sender);
  return {
    author,
    at: zonedIsoTime(zone, date),
    room: null,
    text: body,
    carried: carriedBy(quote),
    edited: '',
    files: attachments?.length ?? 0,
    forms: formsIn(read),
    sent: null,
  };
}

function ofKept(read: z.infer<typeof kept>): SignalMessage | null {
  const isOwn = read.type === 'outgoing';
  if (!isOwn && read.type !== 'incoming') return null;
  const id = read.source ?? read.sourceServiceId ?? read.sourceUuid ?? null;
  const at = read.sent_at ?? read.timestamp ?? null;
  return {
    author: isOwn ? NOBODY_NAMED : authorBy(id, null),
    at,
    room: null,
    text: read.body ?? '',
    carried: carriedBy(read.quote?.text),
    edited: String(read.editMessageTimestamp ?? ''),
    files: read.attachments?.length ?? 0,
    forms: formsIn(read),
    sent: at === null ? null : `${isOwn ? 'own' : (id ?? '')} ${at}`,
  };
}

function ofReceived({ envelope }: z.infer<typeof received>): SignalMessage | null {
  const own = envelope.syncMessage?.sentMessage ?? null;
  const said = own ?? envelope.dataMessage ?? envelope.editMessage?.dataMessage ?? null;
  if (said === null) return null;
  const id = envelope.sourceNumber ?? envelope.source ?? envelope.sourceUuid ?? null;
  const at = said.timestamp ?? envelope.timestamp ?? null;
  const first = envelope.editMessage?.targetSentTimestamp ?? at;
  return {
    author: own === null ? authorBy(id, envelope.sourceName ?? null) : NOBODY_NAMED,
    at,
    room: said.groupInfo?.groupName ?? null,
    text: said.message ?? '',
    carried: carriedBy(said.quote?.text),
    edited: first === at ? '' : String(at ?? ''),
    files: said.attachments?.length ?? 0,
    forms: formsIn(said),
    sent: first === null ? null : `${own === null ? (id ?? '') : 'own'} ${first}`,
  };
}

// An empty list or object is a form that the message doesn't have.
function formsIn(message: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(forms).filter((form) => {
    const held = message[form] ?? null;
    return typeof held === 'object' && held !== null && Object.keys(held).length > 0;
  });
}

function authorBy(id: string | null, name: string | null): Author {
  if (id === null) return name === null ? NOBODY_NAMED : namedAuthor(name);
  return /^\+\d{6,16}$/.test(id) ? { id, name: namedAuthor(name ?? id).name } : identifiedAuthor(id, 'signal', name);
}

function carriedBy(quote: string | null | undefined): readonly string[] {
  return quote === null || quote === undefined ? [] : [quote];
}

/** Reads an export of Signal: a list of messages, or one message a line. */
export const readSignal: ItemReader = (source, from, context) => {
  const read = (text: string) => contentOf(text, context);
  const isList = /^\s*\[/.test(Buffer.from(source.read(0, 100)).toString('latin1'));
  return isList ? messageItems(source, from, (path) => path.length === 0, read) : jsonLines(source, from, read);
};

function contentOf(text: string, context: ReadContext): ItemContent {
  const message = signalMessage(readForeignJson(text), context.zone);
  if (message === 'unknown') return refused("It isn't a Signal message.");
  if (message === null) return nothing('no words');
  const room = message.room ?? roomOf(context.file, message);
  const unread = message.text.trim() === '' ? whyWordless(message) : undefined;
  const said = { ...message, room, isPersonal: room === null, machine: null, unread };
  return chatItem(said, identityOf(message), context);
}

function whyWordless({ files, forms }: SignalMessage): string | undefined {
  if (files > 0) return 'only a picture or another file';
  return forms.length > 0 ? unreadBlocks(forms) : undefined;
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
