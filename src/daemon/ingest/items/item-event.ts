import { isMail, type StreamEvent } from '../../../steward/ports/stream-event.ts';
import type { Identity } from '../../../stream/items/item.ts';
import type { Standing } from '../../../stream/items/standing.ts';
import { lookAlikeWarning } from '../../../stream/mail/sender-warnings.ts';
import { sourceFrom } from '../../../stream/mail/source-type.ts';
import type { TargetIndex } from '../../../stream/targets/target-index.ts';
import { sha256 } from '../../../vault/hash.ts';
import { itemPath } from '../../../vault/notes/stream-path.ts';
import type { EventStream } from '../opened.ts';

const ID_DIGITS = 12;
/** A calendar may write a new version of an entry with each export. */
const MOST_VERSIONS = 50;

/** Returns what tells an event from the others of its file, the same however often it is read. */
export function idOf(identity: Identity): string {
  return hashOf(identity).slice(0, ID_DIGITS);
}

/** Returns the hash of an event's name: all its versions have it. */
export function nameHash({ key }: Identity): string {
  return sha256(key);
}

/** Returns an event of a file that holds many, under its own path. */
export function itemEvent(file: string, event: StreamEvent, identity: Identity, at: number): EventStream {
  return {
    kind: 'event',
    event: { ...event, path: itemPath(file, idOf(identity)) },
    form: { size: 0, mtimeMs: 0, sha256: hashOf(identity), at },
    identity,
  };
}

/** Returns an event with what the program knows of it: who its sender is to the vault, and what was read under its name. */
export function knownEvent(index: TargetIndex, stream: EventStream, standing: Standing): EventStream {
  const event = withStanding(hasAddress(stream.event) ? asKnown(index, stream.event) : stream.event, standing);
  return { ...stream, event };
}

// What the program heard itself names its task, and its sender is nobody's look-alike; and only mails have addresses.
function hasAddress(event: StreamEvent): boolean {
  return event.about === undefined && isMail(event);
}

/** The event with what the vault knows of its sender: whether it is named, or only looks like one that is. */
function asKnown(index: TargetIndex, event: StreamEvent): StreamEvent {
  const isKnown = event.from !== null && index.knowsSender(event.from);
  const twin = event.from === null ? null : index.lookAlike(event.from);
  const warnings = twin === null ? event.warnings : [...event.warnings, lookAlikeWarning(twin)];
  return { ...event, sourceType: sourceFrom(event.sourceType, isKnown), warnings };
}

function withStanding(event: StreamEvent, standing: Standing): StreamEvent {
  if (standing.kind === 'newer')
    return { ...event, replaces: standing.than.slice(-MOST_VERSIONS).map(({ version }) => version) };
  if (standing.kind !== 'namesake') return event;
  const warning = `Another mail with the same Message-ID and other content was read before (${standing.of.path}): one of the two may be forged.`;
  const doubts = event.authentication.result === 'pass' ? [] : [NAMESAKE];
  return { ...event, warnings: [...event.warnings, warning], doubts: [...event.doubts, ...doubts] };
}

const NAMESAKE = 'Its Message-ID is that of another mail, and nobody vouches for who sent it.';

function hashOf({ key, version }: Identity): string {
  return sha256(`${key}\0${version}`);
}
