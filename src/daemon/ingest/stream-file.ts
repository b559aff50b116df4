import type { Extracted } from '../../steward/ports/extractor.ts';
import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import { isInBatch } from '../../stream/batch-state.ts';
import type { SignalDraft } from '../../stream/draft.ts';
import { MAX_MAIL_BYTES } from '../../stream/mail/mail.ts';
import { sourceTypeOf } from '../../stream/mail/source-type.ts';
import { StewardError, systemCode } from '../../vault/errors.ts';
import { fileError, insideVault, readBytes } from '../../vault/files.ts';
import { sha256 } from '../../vault/hash.ts';
import { escapeMarkdown } from '../../vault/notes/escape.ts';
import { noteText } from '../../vault/notes/note-text.ts';
import { localTime } from '../../vault/time.ts';
import { statInside } from '../../vault/watch/scan.ts';
import type { Vault } from '../../vault/watch/vault.ts';
import type { Context, IndexAccess, Ingest, Workspace, WriteAccess } from '../context/ports.ts';
import type { StreamRead } from '../context/state.ts';
import { extract, heard, type Understood, type Waits, waits } from './extract-signals.ts';
import { readMail } from './mail-reader.ts';

/** How long a stream file must have been quiet before it is taken for complete, in ms. */
const QUIET_MS = 250;
/** How often it is seen to that a file is still in the batch it waits for, in ms. */
const BATCH_PAUSE_MS = 60 * 60 * 1000;

/** What reading one stream file came to. */
export interface StreamResult {
  readonly kind: 'read';
  readonly file: string;
  /** The signal notes written, by vault-relative path. */
  readonly signals: readonly string[];
  /** Why there are none: nothing in it for the vault, or the file cannot be read. Null where there are some. */
  readonly reason: string | null;
}

/** The stream files that have not been read as they are now. Each file is read once. */
export function unreadStreams(space: IndexAccess): string[] {
  const read = space.context.state.get('streams');
  return [...space.vault.streams]
    .filter(([file, stat]) => {
      const seen = read[file];
      return seen === undefined || seen.size !== stat.size || seen.mtimeMs !== stat.mtimeMs;
    })
    .map(([file]) => file);
}

/** When a stream file will have been quiet for long enough (epoch ms), or null where it is gone. */
export function quietAt(space: IndexAccess, file: string): number | null {
  const stat = statInside(space.vault.root, file);
  if (stat === null) return null;
  const touched = Math.max(stat.mtimeMs, stat.ctimeMs);
  return touched > space.context.now() + QUIET_MS ? 0 : touched + QUIET_MS;
}

/**
 * Reads one stream file and writes the signals it holds. The file stays where it is and as it is.
 * Gives null where it was read before in this form, or is gone; and `waits` where a model was
 * to be asked and cannot be: then it is as unread as before.
 */
export async function readStream(
  space: Workspace,
  file: string,
  abort: AbortSignal,
): Promise<StreamResult | Waits | null> {
  return readBy(space, file, async (event, { sha256 }) => {
    return waitForBatch(space.context, file, sha256) ?? extract(space, event, abort);
  });
}

/** The same where a model has answered about the file before, in the bytes of this hash. */
export async function readAnswered(
  space: Workspace,
  file: string,
  bytes: string,
  answer: Extracted,
): Promise<StreamResult | Waits | null> {
  return readBy(space, file, async (event, { sha256 }) => (sha256 === bytes ? heard(space, event, answer) : CHANGED));
}

/** What keeps a file waiting that is asked about in a batch, as it is now; null where it is not. */
export function waitForBatch(context: Context, file: string, sha256: string): Waits | null {
  const batch = context.state.get('batch');
  if (!isInBatch(batch, file, sha256)) return null;
  return waits(`asked in a batch, since ${localTime(batch.at).slice(11, 16)}`, context.now() + BATCH_PAUSE_MS);
}

async function readBy(space: Workspace, file: string, understand: Understanding): Promise<StreamResult | Waits | null> {
  const opened = await openStream(space, file);
  if (opened === null) return null;
  if (opened.kind === 'none') return concluded(space, file, opened, []);
  const { event, seen } = opened;
  // The same bytes under another name may be with the model just now.
  return space.transactions.inTurn(seen.sha256, async () => {
    const twin = seenAs(space.ingest, seen);
    return twin === null ? readEvent(space, event, seen, understand) : concluded(space, file, twin, []);
  });
}

async function readEvent(
  space: Workspace,
  event: StreamEvent,
  seen: Seen,
  understand: Understanding,
): Promise<StreamResult | Waits> {
  const file = event.path;
  const read = await understand(event, seen);
  if (read.kind === 'waits') return read;
  // What came of bytes that are no more would stand beside what will come of those that are.
  if (isChanged(space.vault, file, seen)) return CHANGED;
  const signals = read.drafts.flatMap((draft) => writeSignal(space, draft) ?? []);
  const result = concluded(space, file, { seen, skipped: read.reason, refused: null }, signals);
  // Asked again after a crash, a model would cost again, and may choose other words: another signal of the same event.
  if (read.asked) space.context.state.save('streams');
  return result;
}

const CHANGED: Waits = { kind: 'waits', reason: 'it was changed meanwhile', until: 0 };

type Seen = Pick<StreamRead, 'size' | 'mtimeMs' | 'sha256' | 'at'>;
/** What becomes of an event, read from a file as it was seen. */
type Understanding = (event: StreamEvent, seen: Seen) => Promise<Understood | Waits>;
type Outcome = { readonly seen: Seen } & Pick<StreamRead, 'skipped' | 'refused'>;
type None = { readonly kind: 'none' } & Outcome;
type Opened = { readonly kind: 'event'; readonly event: StreamEvent; readonly seen: Seen } | None;

/** What a stream file holds: an event, or the reason why it holds none; null where it was read before in this form, or is gone. */
export async function openStream(space: Workspace, file: string): Promise<Opened | null> {
  const before = space.context.state.get('streams')[file];
  try {
    const { bytes, stat } = readBytes(insideVault(space.vault.root, file), MAX_MAIL_BYTES);
    const seen = { size: stat.size, mtimeMs: stat.mtimeMs, sha256: sha256(bytes), at: space.context.now() };
    if (before?.sha256 === seen.sha256) {
      note(space.context, file, { ...before, size: stat.size, mtimeMs: stat.mtimeMs });
      return null;
    }
    return seenAs(space.ingest, seen) ?? eventIn(space, file, bytes, seen);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null; // gone while it waited its turn
    if (!(error instanceof StewardError)) throw fileError(error, file);
    const stat = space.vault.streams.get(file);
    const seen = { size: stat?.size ?? 0, mtimeMs: stat?.mtimeMs ?? 0, sha256: '', at: space.context.now() };
    return { kind: 'none', seen, skipped: null, refused: error.trouble.message };
  }
}

// Filed away under another name: its signals are there, and what became of them stands.
function seenAs(ingest: Ingest, seen: Seen): None | null {
  const twin = ingest.seen.of(seen.sha256);
  return twin === null ? null : { kind: 'none', seen, skipped: `it was read as ${twin}`, refused: null };
}

async function eventIn(space: Workspace, file: string, bytes: Buffer, seen: Seen): Promise<Opened> {
  const none = { kind: 'none', seen, skipped: null, refused: null } as const;
  if (!/\.eml$/i.test(file)) return { ...none, skipped: 'only mails (.eml) are read so far' };
  const folder = space.vault.layout.folders.stream;
  const parsed = await readMail(file, bytes, sourceTypeOf(file, true, folder));
  if (!parsed.ok) return { ...none, refused: parsed.trouble.message };
  const known = parsed.event.from !== null && space.ingest.targets.index.knowsSender(parsed.event.from);
  return { kind: 'event', event: { ...parsed.event, sourceType: sourceTypeOf(file, known, folder) }, seen };
}

function isChanged(vault: Vault, file: string, seen: Seen): boolean {
  try {
    return sha256(readBytes(insideVault(vault.root, file), MAX_MAIL_BYTES).bytes) !== seen.sha256;
  } catch {
    return true; // gone, or no longer a file that is read: whatever it is, it is looked at anew
  }
}

function concluded(
  space: Workspace,
  file: string,
  { seen, skipped, refused }: Outcome,
  signals: readonly string[],
): StreamResult {
  note(space.context, file, { ...seen, signals: signals.length, skipped, refused });
  if (signals.length > 0) space.ingest.seen.add(seen.sha256, file);
  const reason = refused ?? skipped;
  space.context.emit({ what: 'stream-read', file, signals: signals.length, reason });
  return { kind: 'read', file, signals, reason };
}

function note(context: Context, file: string, read: StreamRead): void {
  context.state.get('streams')[file] = read;
  context.state.touch('streams');
}

// The same event yields the same signal, under the same name: one that is there already is left as it is.
function writeSignal(space: WriteAccess, draft: SignalDraft): string | null {
  const { id, ...fields } = draft;
  const path = `${space.vault.layout.folders.signal}/${id}.md`;
  const frontmatter = { ...fields, applied_at: null, audit_record_path: null };
  const body = [
    escapeMarkdown(draft.headline),
    `> ${escapeMarkdown(draft.raw_quote)}`,
    escapeMarkdown(draft.reasoning),
  ].join('\n\n');
  if (!space.transactions.create(path, noteText(frontmatter, body))) return null;
  const candidates = draft.target_ambiguous ? draft.target_candidates : [];
  space.context.emit({
    what: 'signal-written',
    signal: path,
    target: draft.target_path,
    headline: draft.headline,
    candidates,
  });
  space.vault.look([path]);
  return path;
}
