import { z } from 'zod';
import { type Author, identifiedAuthor, NOBODY_NAMED, namedAuthor } from '../chats/author.ts';
import { isoTimeIn } from '../chats/local-time.ts';

/** One message of Signal, whichever program exported it. */
export interface SignalMessage {
  readonly author: Author;
  /** Epoch milliseconds. */
  readonly at: number | null;
  readonly room: string | null;
  readonly text: string;
  readonly carried: readonly string[];
  /** When it was edited; empty where it was not. */
  readonly edited: string;
  /** What names it among all of its author's messages, where Signal's own time does; null where only its words can. */
  readonly sent: string | null;
}

const short = z.string().max(400);
const moment = z.number().nullish();
const words = z.string().nullish();

/** A line of sigexport: times are local, authors are the names of contacts, `Me` is the owner. */
const exported = z.object({
  date: short,
  sender: short,
  body: z.string(),
  quote: words,
  deleted: z.boolean().nullish(),
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
});
const data = z.object({
  message: words,
  timestamp: moment,
  quote: z.object({ text: words }).nullish(),
  groupInfo: z.object({ groupName: words }).nullish(),
});
/** A line of signal-cli. What the owner sent from another device is a `syncMessage`. */
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

/** Returns a message as JSON has it; null where it has no words, `unknown` where it is none. */
export function signalMessage(json: unknown, zone: string): SignalMessage | null | 'unknown' {
  const read = line.safeParse(json).data;
  if (read === undefined) return 'unknown';
  if ('envelope' in read) return ofReceived(read);
  return 'sender' in read ? ofExported(read, zone) : ofKept(read);
}

function ofExported(
  { date, sender, body, quote, deleted }: z.infer<typeof exported>,
  zone: string,
): SignalMessage | null {
  if (deleted === true) return null;
  const author = sender === 'Me' ? NOBODY_NAMED : namedAuthor(sender);
  return {
    author,
    at: isoTimeIn(zone, date),
    room: null,
    text: body,
    carried: carriedBy(quote),
    edited: '',
    sent: null,
  };
}

function ofKept(read: z.infer<typeof kept>): SignalMessage | null {
  const isOwn = read.type === 'outgoing';
  if (!isOwn && read.type !== 'incoming') return null;
  const id = read.source ?? read.sourceServiceId ?? read.sourceUuid ?? null;
  const at = read.sent_at ?? read.timestamp ?? null;
  return {
    ...{ author: isOwn ? NOBODY_NAMED : authorBy(id, null), at, room: null, text: read.body ?? '' },
    ...{ carried: carriedBy(read.quote?.text), edited: String(read.editMessageTimestamp ?? '') },
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
    ...{ author: own === null ? authorBy(id, envelope.sourceName ?? null) : NOBODY_NAMED, at },
    ...{ room: said.groupInfo?.groupName ?? null, text: said.message ?? '', carried: carriedBy(said.quote?.text) },
    ...{
      edited: first === at ? '' : String(at ?? ''),
      sent: first === null ? null : `${own === null ? (id ?? '') : 'own'} ${first}`,
    },
  };
}

function authorBy(id: string | null, name: string | null): Author {
  if (id === null) return name === null ? NOBODY_NAMED : namedAuthor(name);
  return /^\+\d{6,16}$/.test(id) ? { id, name: namedAuthor(name ?? id).name } : identifiedAuthor(id, 'signal', name);
}

function carriedBy(quote: string | null | undefined): readonly string[] {
  return quote === null || quote === undefined ? [] : [quote];
}
