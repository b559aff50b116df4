import type { MailHead, Sifted } from '../../source/connector.ts';
import type { StreamEvent } from '../../steward/ports.ts';
import { admitted, mayBeAdmitted } from '../../stream/admission.ts';
import { mayCarryCalendar } from '../../stream/invitations.ts';
import { isHeadersOnly, upToText } from '../../stream/mail-fetched.ts';
import type { MailDoor } from '../../stream/parse-mail.ts';
import { readByRules } from '../../stream/rules-extractor.ts';
import { hasCandidates } from '../../stream/targets.ts';
import type { Workspace } from '../context.ts';
import { readMail } from '../ingest/mail-reader.ts';
import { targetsOf } from '../ingest/target-sync.ts';
import { ownZone } from '../item-file.ts';

/** The time, and the notes that a mail may be about. */
type Sieve = Pick<Workspace, 'context' | 'vault' | 'ingest'>;

/** Who vouches for its sender does not matter yet. */
const DOOR: MailDoor = { sourceType: 'mail', trustedServers: [] };

/**
 * Says whether a mail may be about something in the vault, by the search that also chooses what a model is asked about, and
 * by the rules. `pass` is what would not be looked into either, and what gives no signal. Where its text is not all there,
 * a mail is fetched: none is passed over unread that is worth reading.
 */
export async function sift(space: Sieve, { bytes, isWhole }: MailHead): Promise<Sifted> {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
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

async function eventIn(bytes: Buffer): Promise<StreamEvent | null> {
  const read = await readMail('', bytes, DOOR);
  return read.ok ? read.event : null;
}

function byHeaders(space: Sieve, event: StreamEvent | null): Sifted {
  if (event === null) return 'more';
  if (isLookedInto(space, event)) return mayBeAbout(space, event) ? 'fetch' : 'more';
  // Of what is sent to many, its text must tell whether it is about an order of the reader's own, say.
  return mayBeAdmitted(event, new Date(space.context.now())) && mayBeAbout(space, event) ? 'more' : 'pass';
}

// What cannot be read is fetched, so that it is said like of any other.
function byText(space: Sieve, event: StreamEvent | null): Sifted {
  if (event === null) return 'fetch';
  return isLookedInto(space, event) && (mayBeAbout(space, event) || saysSomething(space, event)) ? 'fetch' : 'pass';
}

function isLookedInto({ context }: Sieve, event: StreamEvent): boolean {
  return admitted(event, new Date(context.now())).ok;
}

function mayBeAbout(space: Sieve, event: StreamEvent): boolean {
  return hasCandidates(targetsOf(space).index, event);
}

/** Whether the rules find a note where the search does not: they look beside what is said, further below in the text. */
function saysSomething(space: Sieve, event: StreamEvent): boolean {
  return readByRules(event, targetsOf(space)).meanings.length > 0;
}
