import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import { lookAlikeWarning } from '../../stream/mail/sender-warnings.ts';
import { MAX_MAIL_BYTES, sourceTypeOf } from '../../stream/mail/source-type.ts';
import type { TargetIndex } from '../../stream/targets/target-index.ts';
import { readInside } from '../../vault/disk/read-inside.ts';
import { StewardError, systemCode } from '../../vault/errors.ts';
import { type FileStat, fileError } from '../../vault/files.ts';
import { sha256 } from '../../vault/hash.ts';
import { statInside } from '../../vault/watch/scan.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import type { Ingest, StreamReader, Workspace } from '../context/ports.ts';
import { NOBODY, type StreamRead } from '../context/state.ts';
import { filesOf, isUnderstandableNow, kindOf, nameOf, readerOf } from './readers.ts';

/** The form in which a stream file was opened: its size, its time, the SHA-256 of its bytes, and when (epoch ms). */
export type FileForm = Pick<StreamRead, 'size' | 'mtimeMs' | 'sha256' | 'at'>;

/** A stream file without an event for the vault, and why: it was skipped or refused; `tried`: not understood by that reader. */
export type EventlessStream = { readonly kind: 'none'; readonly form: FileForm } & Pick<
  StreamRead,
  'skipped' | 'refused' | 'tried'
>;

/** What was read, and by whom. */
type Reading = Pick<Workspace, 'context' | 'ingest'>;

/** A stream file with the event it holds. It keeps the parsed event, which is cut to a few pages, and no bytes. */
export interface EventStream {
  readonly kind: 'event';
  readonly event: StreamEvent;
  readonly form: FileForm;
}

export type OpenedStream = EventStream | EventlessStream;

/**
 * Reads the bytes of a stream file and parses them. Returns its event, or the reason why it holds none; null where the
 * file was read before in this form, or is gone. Throws what the disk refuses.
 */
export async function openStream(space: Workspace, file: string): Promise<OpenedStream | null> {
  const reader = readerOf(space.ingest.readers, file);
  if (reader === null) return unreadStream(space, file);
  try {
    const { bytes, stat } = readInside(space.vault.root, file, MAX_MAIL_BYTES);
    const form = { size: stat.size, mtimeMs: stat.mtimeMs, sha256: sha256(bytes), at: space.context.now() };
    if (wasRead(space, file, form)) return null;
    return twinOf(space.ingest, form) ?? (await parsedStream(space, reader, file, bytes, form));
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
  { context: { state }, ingest }: Reading,
  file: string,
  { size, mtimeMs, sha256 }: FileForm,
): boolean {
  const before = state.get('streams')[file];
  if (before?.sha256 !== sha256 || isUnderstandableNow(ingest.readers, file, before)) return false;
  state.get('streams')[file] = { ...before, size, mtimeMs };
  state.touch('streams');
  return true;
}

/** The file as one that was read under another name, or before it left the vault; or null. Its signals exist, and what became of them stands. */
export function twinOf(ingest: Ingest, form: FileForm): EventlessStream | null {
  if (ingest.seen.isRetired(form.sha256)) return { kind: 'none', form, skipped: RETIRED, refused: null, tried: null };
  const twin = ingest.seen.of(form.sha256);
  return twin === null ? null : { kind: 'none', form, skipped: `it was read as ${twin}`, refused: null, tried: null };
}

const RETIRED = 'it was read before, and left the vault since (keep_stream_days)';

/** Whether the bytes of an opened file have still not been read, under its own name or another. */
export function isUnread(space: Workspace, file: string, { form }: EventStream): boolean {
  return !wasRead(space, file, form) && twinOf(space.ingest, form) === null;
}

/** Whether the bytes on disk are no longer those that were opened. */
export function isChanged(vault: Vault, file: string, { sha256: opened }: FileForm): boolean {
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
): Promise<OpenedStream> {
  const folder = space.vault.layout.folders.stream;
  const trustedServers = space.context.settings.trusted_mail_servers;
  const parsed = await reader.read(file, bytes, { sourceType: sourceTypeOf(file, true, folder), trustedServers });
  if (!parsed.ok) return { kind: 'none', form, skipped: null, refused: parsed.trouble.message, tried: nameOf(reader) };
  // What the program heard itself names its task, and its sender is nobody's look-alike.
  if (parsed.event.about !== undefined) return { kind: 'event', event: parsed.event, form };
  return { kind: 'event', event: asKnown(space.ingest.targets.index, parsed.event, file, folder), form };
}

/** The event with what the vault knows of its sender: whether it is named, or only looks like one that is. */
function asKnown(index: TargetIndex, event: StreamEvent, file: string, folder: string): StreamEvent {
  const isKnown = event.from !== null && index.knowsSender(event.from);
  const twin = event.from === null ? null : index.lookAlike(event.from);
  const warnings = twin === null ? event.warnings : [...event.warnings, lookAlikeWarning(twin)];
  return { ...event, sourceType: sourceTypeOf(file, isKnown, folder), warnings };
}
