import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import { lookAlikeWarning } from '../../stream/mail/sender-warnings.ts';
import { MAX_MAIL_BYTES, sourceTypeOf } from '../../stream/mail/source-type.ts';
import type { TargetIndex } from '../../stream/targets/target-index.ts';
import { readInside } from '../../vault/disk/read-inside.ts';
import { StewardError, systemCode } from '../../vault/errors.ts';
import { fileError } from '../../vault/files.ts';
import { sha256 } from '../../vault/hash.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import type { Context, Ingest, Workspace } from '../context/ports.ts';
import type { StreamRead } from '../context/state.ts';
import { readMail } from './mail-reader.ts';
import { isPlaneFile, readPlaneFile } from './plane-file.ts';

/** The form in which a stream file was opened: its size, its time, the SHA-256 of its bytes, and when (epoch ms). */
export type FileForm = Pick<StreamRead, 'size' | 'mtimeMs' | 'sha256' | 'at'>;

/** A stream file without an event for the vault, and why: it was skipped or refused. */
export type EventlessStream = { readonly kind: 'none'; readonly form: FileForm } & Pick<
  StreamRead,
  'skipped' | 'refused'
>;

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
  try {
    const { bytes, stat } = readInside(space.vault.root, file, MAX_MAIL_BYTES);
    const form = { size: stat.size, mtimeMs: stat.mtimeMs, sha256: sha256(bytes), at: space.context.now() };
    if (wasRead(space.context, file, form)) return null;
    return twinOf(space.ingest, form) ?? (await parsedStream(space, file, bytes, form));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null; // gone while it waited its turn
    if (!(error instanceof StewardError)) throw fileError(error, file);
    const stat = space.vault.streams.get(file);
    const form = { size: stat?.size ?? 0, mtimeMs: stat?.mtimeMs ?? 0, sha256: '', at: space.context.now() };
    return { kind: 'none', form, skipped: null, refused: error.trouble.message };
  }
}

/** Whether a file was read before with these bytes. Then its size and time are remembered as they are now. */
export function wasRead({ state }: Context, file: string, { size, mtimeMs, sha256 }: FileForm): boolean {
  const before = state.get('streams')[file];
  if (before?.sha256 !== sha256) return false;
  state.get('streams')[file] = { ...before, size, mtimeMs };
  state.touch('streams');
  return true;
}

/** The file as one that was read under another name, or null. Its signals exist, and what became of them stands. */
export function twinOf(ingest: Ingest, form: FileForm): EventlessStream | null {
  const twin = ingest.seen.of(form.sha256);
  return twin === null ? null : { kind: 'none', form, skipped: `it was read as ${twin}`, refused: null };
}

/** Whether the bytes of an opened file have still not been read, under its own name or another. */
export function isUnread(space: Workspace, file: string, { form }: EventStream): boolean {
  return !wasRead(space.context, file, form) && twinOf(space.ingest, form) === null;
}

/** Whether the bytes on disk are no longer those that were opened. */
export function isChanged(vault: Vault, file: string, { sha256: opened }: FileForm): boolean {
  try {
    return sha256(readInside(vault.root, file, MAX_MAIL_BYTES).bytes) !== opened;
  } catch {
    return true; // gone, or no longer a file that is read
  }
}

async function parsedStream(space: Workspace, file: string, bytes: Buffer, form: FileForm): Promise<OpenedStream> {
  const none = { kind: 'none', form, skipped: null, refused: null } as const;
  if (isPlaneFile(file, space.vault.layout.folders.stream)) {
    const read = readPlaneFile(space, file, bytes);
    return read.ok ? { kind: 'event', event: read.event, form } : { ...none, refused: read.reason };
  }
  if (!/\.eml$/i.test(file)) return { ...none, skipped: 'only mails (.eml) are read so far' };
  const folder = space.vault.layout.folders.stream;
  const trustedServers = space.context.settings.trusted_mail_servers;
  const parsed = await readMail(file, bytes, { sourceType: sourceTypeOf(file, true, folder), trustedServers });
  if (!parsed.ok) return { ...none, refused: parsed.trouble.message };
  return { kind: 'event', event: asKnown(space.ingest.targets.index, parsed.event, file, folder), form };
}

/** The event with what the vault knows of its sender: whether it is named, or only looks like one that is. */
function asKnown(index: TargetIndex, event: StreamEvent, file: string, folder: string): StreamEvent {
  const isKnown = event.from !== null && index.knowsSender(event.from);
  const twin = event.from === null ? null : index.lookAlike(event.from);
  const warnings = twin === null ? event.warnings : [...event.warnings, lookAlikeWarning(twin)];
  return { ...event, sourceType: sourceTypeOf(file, isKnown, folder), warnings };
}
