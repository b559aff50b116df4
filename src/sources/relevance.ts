import type { Workspace } from '../daemon/context.ts';
import { readByRules } from '../reading/read-event.ts';
import { hasCandidates } from '../reading/targets.ts';
import type { StreamEvent } from '../steward/types.ts';
import { admitted, mayBeAdmitted } from '../streams/extract.ts';
import { isHeadersOnly, upToText } from '../streams/fetched-mail.ts';
import { ownZone, readMail } from '../streams/items.ts';
import type { MailContext } from '../streams/mail.ts';
import { mayCarryCalendar } from '../streams/stream.ts';
import { syncTargets } from '../streams/target-sync.ts';
import { SENT } from '../vault/source-names.ts';
import type { MailHead, Relevance } from './source.ts';

/** The time, and the notes that a mail may be about. */
type Sieve = Pick<Workspace, 'context' | 'vault' | 'ingest'> & Partial<Pick<Workspace, 'models'>>;

/** Whether its sender is authenticated does not matter yet. */
const DOOR: MailContext = { sourceType: 'mail', trustedServers: [] };
const SENT_DOOR: MailContext = { sourceType: SENT, trustedServers: [], sentFolder: '' };

/**
 * Says whether a mail may be about something in the vault, by the search that precedes a model too, and by the rules.
 * `pass`: the mail would not be looked into, or would give no signal. A mail whose text isn't all there is fetched, so
 * that no mail worth reading is skipped unread. `own`: the addresses of the mailbox's user.
 */
export async function checkRelevance(
  space: Sieve,
  { bytes, isWhole, isSent }: MailHead,
  own: readonly string[] = [],
): Promise<Relevance> {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isSent) return isHeadersOnly(head) && !isWhole ? bySentHeaders(space, head, own) : bySentText(space, head, own);
  if (isWhole) return (await carriesCandidate(space, head)) ? 'fetch' : byText(space, await eventIn(head));
  if (isHeadersOnly(head)) return byHeaders(space, await eventIn(head));
  const beginning = upToText(head);
  return beginning === null ? 'fetch' : byText(space, await eventIn(beginning));
}

/** Whether a mail carries an appointment that may be about something, whatever its text says. */
async function carriesCandidate(space: Sieve, bytes: Buffer): Promise<boolean> {
  if (!mayCarryCalendar(bytes)) return false;
  const calendar = { zone: ownZone(), now: space.context.now() };
  const read = await readMail('', bytes, { ...DOOR, calendar });
  const within = (read.ok ? read.within : undefined) ?? [];
  return within.some(({ event }) => isLookedInto(space, event) && mayBeAbout(space, event));
}

async function eventIn(bytes: Buffer, door = DOOR): Promise<StreamEvent | null> {
  const read = await readMail('', bytes, door);
  return read.ok ? read.event : null;
}

// What the user sent is private: it is only taken if it says something of an open note.
async function bySentHeaders(space: Sieve, head: Buffer, own: readonly string[]): Promise<Relevance> {
  const event = await eventIn(head, SENT_DOOR);
  return event !== null && isOwnWord(space, event, own) ? 'more' : 'pass';
}

async function bySentText(space: Sieve, beginning: Buffer, own: readonly string[]): Promise<Relevance> {
  const event = await eventIn(beginning, SENT_DOOR);
  if (event === null || !isOwnWord(space, event, own)) return 'pass';
  const isOffered = space.models?.extractor.asksModel === true && mayBeAbout(space, event);
  return isOffered || saysSomething(space, event) ? 'fetch' : 'pass';
}

function isOwnWord(space: Sieve, event: StreamEvent, own: readonly string[]): boolean {
  return event.from !== null && own.includes(event.from) && isLookedInto(space, event);
}

function byHeaders(space: Sieve, event: StreamEvent | null): Relevance {
  if (event === null) return 'more';
  if (isLookedInto(space, event)) return mayBeAbout(space, event) ? 'fetch' : 'more';
  // Of what is sent to many, its text must tell whether it is about an order of the reader's own, say.
  return mayBeAdmitted(event, new Date(space.context.now())) && mayBeAbout(space, event) ? 'more' : 'pass';
}

// A mail that cannot be read is fetched, so that the reason is reported as for any other file.
function byText(space: Sieve, event: StreamEvent | null): Relevance {
  if (event === null) return 'fetch';
  if (!isLookedInto(space, event)) return 'pass';
  const isUnread = event.unread?.isWhole === true;
  return isUnread || mayBeAbout(space, event) || saysSomething(space, event) ? 'fetch' : 'pass';
}

function isLookedInto({ context }: Sieve, event: StreamEvent): boolean {
  return admitted(event, new Date(context.now())).ok;
}

function mayBeAbout(space: Sieve, event: StreamEvent): boolean {
  return hasCandidates(syncTargets(space).index, event);
}

/** Whether the rules find a note that the search does not: they also look further down in the text. */
function saysSomething(space: Sieve, event: StreamEvent): boolean {
  return readByRules(event, syncTargets(space)).meanings.length > 0;
}
