import { filesOf, kindOf } from '../../stream/endings.ts';
import type { ItemKind } from '../../stream/items/item.ts';
import { readFetched, wholeSaid } from '../../stream/mail/fetched/mark.ts';
import type { MailDoor } from '../../stream/mail/mail.ts';
import { isInMaildir, isMailFile, MAX_MAIL_BYTES, sourceTypeOf } from '../../stream/mail/source-type.ts';
import { readInside } from '../../vault/disk/read-inside.ts';
import { StewardError, systemCode } from '../../vault/errors.ts';
import { type FileStat, fileError } from '../../vault/files.ts';
import { sha256 } from '../../vault/hash.ts';
import { itemIn } from '../../vault/notes/stream-path.ts';
import { statInside } from '../../vault/watch/scan.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import { expectFleeting } from '../context/fleeting/fleeting-mails.ts';
import type { IndexAccess, Ingest, StreamReader, Workspace } from '../context/ports.ts';
import { NOBODY } from '../context/remembered/stream-read.ts';
import { itemEvent, knownEvent } from './items/item-event.ts';
import { kindsFor, ownZone, recognised } from './items/item-file.ts';
import { standingIn } from './items/known-standing.ts';
import { openItem } from './items/one-item.ts';
import type { EventlessStream, EventStream, FileForm, ItemStream, OpenedStream } from './opened.ts';
import { isUnderstandableNow, nameOf, readerOf, triedBy } from './readers.ts';
import { targetsOf } from './target-sync.ts';

/** What was read, and by whom. */
type Reading = Pick<Workspace, 'context' | 'ingest'>;

/**
 * Reads the bytes of a stream file and parses them. Returns its event, or the reason why it holds none, or that it holds
 * many; null where the file was read before in this form, or is gone. The path of an event in a file that holds many
 * gives that one. Throws what the disk refuses.
 */
export async function openStream(space: Workspace, file: string): Promise<OpenedStream | null> {
  const item = space.vault.streams.has(file) ? null : itemIn(file);
  if (item !== null) return openItem(space, item);
  const reader = readerOf(space.ingest.readers, file);
  return reader === null ? openMany(space, file) : openOne(space, file, reader);
}

function openMany(space: Workspace, file: string): ItemStream | EventlessStream | null {
  const kinds = kindsFor(file);
  if (kinds.length === 0) return unreadStream(space, file);
  try {
    const itemKind = recognised(space.vault.root, file, kinds);
    return itemKind === null ? strangeStream(space, file, kinds) : { kind: 'items', file, itemKind };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error instanceof StewardError ? error : fileError(error, file);
  }
}

function strangeStream(space: Workspace, file: string, kinds: readonly ItemKind[]): EventlessStream {
  const titles = kinds.map(({ title }) => title).join(', nor as ');
  const skipped = `it cannot be read as ${titles}; it stays there, and is read by a version that can`;
  const form = unopenedForm(space, space.vault.streams.get(file));
  return {
    kind: 'none',
    form,
    skipped,
    refused: null,
    tried: triedBy(space.ingest.readers, file, space.context.settings),
  };
}

async function openOne(space: Workspace, file: string, reader: StreamReader): Promise<OpenedStream | null> {
  try {
    const { bytes, stat } = readInside(space.vault.root, file, MAX_MAIL_BYTES);
    if (fetchedAs(space, file, bytes)?.keep === 'quote') expectFleeting(space.context, [file]);
    const form = { size: stat.size, mtimeMs: stat.mtimeMs, sha256: sha256(bytes), at: space.context.now() };
    if (wasRead(space, file, form)) return null;
    const twin = sameBytes(space.ingest, form);
    if (twin !== null) return twin;
    const opened = await parsedStream(space, reader, file, bytes, form);
    return opened.kind === 'event' ? (sameEvent(space.ingest, opened) ?? opened) : opened;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null; // gone while it waited its turn
    if (!(error instanceof StewardError)) throw fileError(error, file);
    const form = unopenedForm(space, space.vault.streams.get(file));
    return { kind: 'none', form, skipped: null, refused: error.trouble.message, tried: nameOf(reader) };
  }
}

// Its bytes are of no use: a film that somebody dropped is not read into memory.
function unreadStream(space: Workspace, file: string): EventlessStream | null {
  const stat = statInside(space.vault.root, file);
  if (stat === null) return null;
  const skipped = `${filesOf(kindOf(file))} are not read; it stays there, and is read by a version that can`;
  return { kind: 'none', form: unopenedForm(space, stat), skipped, refused: null, tried: NOBODY };
}

function unopenedForm({ context }: Workspace, stat: Pick<FileStat, 'size' | 'mtimeMs'> | undefined): FileForm {
  return { size: stat?.size ?? 0, mtimeMs: stat?.mtimeMs ?? 0, sha256: '', at: context.now() };
}

/**
 * Whether a file was read before with these bytes, by a reader that is no older than the one there is now. Then its size
 * and time are remembered as they are now.
 */
export function wasRead(
  { context: { state, settings }, ingest }: Reading,
  file: string,
  { size, mtimeMs, sha256 }: FileForm,
): boolean {
  const before = state.get('streams')[file];
  if (before?.sha256 !== sha256 || isUnderstandableNow(ingest.readers, file, before, settings)) return false;
  state.get('streams')[file] = { ...before, size, mtimeMs };
  state.touch('streams', file);
  return true;
}

/**
 * Returns why an event is not read once more: its bytes, or the event itself, were read under another name, or before
 * they left the vault. Null where they were not. Their signals exist, and what became of them stands.
 */
export function twinOf(ingest: Ingest, opened: EventStream): EventlessStream | null {
  return sameBytes(ingest, opened.form) ?? sameEvent(ingest, opened);
}

function sameBytes(ingest: Ingest, form: FileForm): EventlessStream | null {
  if (ingest.seen.isRetired(form.sha256)) return { kind: 'none', form, skipped: RETIRED, refused: null, tried: null };
  const twin = ingest.seen.of(form.sha256);
  return twin === null ? null : { kind: 'none', form, skipped: `it was read as ${twin}`, refused: null, tried: null };
}

// What gave nothing is read again where a person drops it once more: there may be a note for it by now.
function sameEvent(ingest: Ingest, { identity, event, form }: EventStream): EventlessStream | null {
  const standing = standingIn(ingest.known, identity);
  if (standing.kind !== 'known' || standing.as.path === event.path) return null;
  if (!standing.as.gave && !isInMaildir(event.path)) return null;
  const skipped = standing.isOutdated
    ? `a newer version of it was read as ${standing.as.path}`
    : `it was read as ${standing.as.path}`;
  return { kind: 'none', form, skipped, refused: null, tried: null };
}

const RETIRED = 'it was read before, and left the vault since (keep_stream_days)';

/** Whether an event of a file has still not been read, under its own name or another. */
export function isUnread(space: Workspace, file: string, opened: EventStream): boolean {
  return !wasRead(space, file, opened.form) && twinOf(space.ingest, opened) === null;
}

/** Whether the bytes on disk are no longer those that were opened. */
export function isChanged(vault: Vault, file: string, { sha256: opened }: FileForm): boolean {
  if (itemIn(file) !== null && !vault.streams.has(file)) return false; // it is the same by its identity
  try {
    return sha256(readInside(vault.root, file, MAX_MAIL_BYTES).bytes) !== opened;
  } catch {
    return true; // gone, or no longer a file that is read
  }
}

/** Parses the bytes of a stream file by its reader. Never throws. */
export async function parsedStream(
  space: Workspace,
  reader: StreamReader,
  file: string,
  bytes: Buffer,
  form: FileForm,
): Promise<EventStream | EventlessStream> {
  const { mail, door, isVouchable } = arrivalOf(space, file, bytes);
  const parsed = await reader.read(file, mail, door);
  if (!parsed.ok) return { kind: 'none', form, skipped: null, refused: parsed.trouble.message, tried: nameOf(reader) };
  const { identity } = parsed;
  const event = isVouchable ? { ...parsed.event, isVouchable } : parsed.event;
  const within = (parsed.within ?? []).map((one) => itemEvent(file, one.event, one.identity, form.at));
  const stream = { kind: 'event' as const, event, form, identity, ...(within.length === 0 ? {} : { within }) };
  return knownEvent(targetsOf(space).index, stream, standingIn(space.ingest.known, identity));
}

/** A file's bytes as they are read, and the door by which they came in. */
interface Arrival {
  readonly mail: Buffer;
  readonly door: MailDoor;
  /** Whether the mailbox that it was fetched from names a server that says who sent a mail. */
  readonly isVouchable: boolean;
}

function fetchedAs(
  { context }: Pick<Workspace, 'context'>,
  file: string,
  bytes: Buffer,
): ReturnType<typeof readFetched> {
  return isMailFile(file) ? readFetched(bytes, file, context.seal) : null;
}

// The zone is asked for by the few mails that carry an appointment: to ask takes as long as to parse a short mail.
function ownCalendar(now: number): NonNullable<MailDoor['calendar']> {
  return {
    get zone() {
      return ownZone();
    },
    now,
  };
}

// A mail that the program fetched itself comes in by its account's own server alone.
function arrivalOf({ context, vault }: IndexAccess, file: string, bytes: Buffer): Arrival {
  const { seal, settings } = context;
  const calendar = ownCalendar(context.now());
  const sourceType = sourceTypeOf(file, true, vault.layout.folders.stream);
  const fetched = fetchedAs({ context }, file, bytes);
  if (fetched === null) {
    const whole = wholeSaid(bytes, seal) ?? undefined;
    const door = { sourceType, trustedServers: settings.trusted_mail_servers, whole, calendar };
    return { mail: bytes, door, isVouchable: false };
  }
  const trustedServers = fetched.server === null ? [] : [fetched.server];
  const door = { sourceType, trustedServers, whole: fetched.identity ?? undefined, calendar };
  return { mail: fetched.mail, door, isVouchable: fetched.server !== null };
}
