import { extractSignals, type SignalDraft } from '../stream/extract.ts';
import { MAX_MAIL_BYTES } from '../stream/mail.ts';
import { sourceTypeOf } from '../stream/source-type.ts';
import { noteText } from '../vault/event-note.ts';
import { fileError, insideVault, readBytes } from '../vault/files.ts';
import { sha256 } from '../vault/hash.ts';
import { inert } from '../vault/inert.ts';
import { statInside } from '../vault/listing.ts';
import { StewardError } from '../vault/trouble.ts';
import { readMail } from './mail-reader.ts';
import { createNote } from './new-note.ts';
import { instinctOf } from './sources.ts';
import type { StreamRead } from './state.ts';
import type { Targets } from './targets.ts';
import type { Workspace } from './workspace.ts';

/** How long a stream file must have been quiet before it is taken for complete, in ms. */
export const QUIET_MS = 250;

/** What reading one stream file came to. */
export interface StreamResult {
  readonly file: string;
  /** The signal notes written, by vault-relative path. */
  readonly signals: readonly string[];
  /** Why there are none: nothing in it for the vault, or the file cannot be read. Null where there are some. */
  readonly reason: string | null;
}

/** The stream files that have not been read as they are now. Each file is read once. */
export function unreadStreams(space: Workspace): string[] {
  const read = space.state.get('streams');
  return [...space.vault.streams]
    .filter(([file, stat]) => {
      const seen = read[file];
      return seen === undefined || seen.size !== stat.size || seen.mtimeMs !== stat.mtimeMs;
    })
    .map(([file]) => file);
}

/** When a stream file will have been quiet for long enough (epoch ms), or null where it is gone. */
export function quietAt(space: Workspace, file: string): number | null {
  const stat = statInside(space.vault.root, file);
  if (stat === null) return null;
  const touched = Math.max(stat.mtimeMs, stat.ctimeMs);
  return touched > space.now() + QUIET_MS ? 0 : touched + QUIET_MS;
}

/**
 * Reads one stream file and writes the signals it holds. The file stays where it is and as it is.
 * Gives null where it was read before, in this form, under this or another name's bytes.
 */
export async function readStream(space: Workspace, targets: Targets, file: string): Promise<StreamResult | null> {
  const before = space.state.get('streams')[file];
  try {
    const { bytes, stat } = readBytes(insideVault(space.vault.root, file), MAX_MAIL_BYTES);
    const seen = { size: stat.size, mtimeMs: stat.mtimeMs, sha256: sha256(bytes), at: space.now() };
    if (before?.sha256 === seen.sha256) {
      note(space, file, { ...before, size: stat.size, mtimeMs: stat.mtimeMs });
      return null;
    }
    const result = await signalsOf(space, targets, file, bytes);
    note(space, file, { ...seen, ...result.outcome });
    return told(space, { file, signals: result.signals, reason: result.outcome.refused ?? result.outcome.skipped });
  } catch (error) {
    if (!(error instanceof StewardError)) throw fileError(error, file);
    const stat = space.vault.streams.get(file);
    const refused = error.trouble.message;
    const seen = { size: stat?.size ?? 0, mtimeMs: stat?.mtimeMs ?? 0, sha256: '', at: space.now() };
    note(space, file, { ...seen, signals: 0, skipped: null, refused });
    return told(space, { file, signals: [], reason: refused });
  }
}

function note(space: Workspace, file: string, read: StreamRead): void {
  space.state.get('streams')[file] = read;
  space.state.touch('streams');
}

function told(space: Workspace, result: StreamResult): StreamResult {
  space.say({ what: 'stream-read', file: result.file, signals: result.signals.length, reason: result.reason });
  return result;
}

type Outcome = Pick<StreamRead, 'signals' | 'skipped' | 'refused'>;

async function signalsOf(
  space: Workspace,
  targets: Targets,
  file: string,
  bytes: Buffer,
): Promise<{ signals: string[]; outcome: Outcome }> {
  const none = (outcome: Partial<Outcome>) => ({
    signals: [],
    outcome: { signals: 0, skipped: null, refused: null, ...outcome },
  });
  if (!/\.eml$/i.test(file)) return none({ skipped: 'only mails (.eml) are read so far' });
  const folder = space.vault.layout.folders.stream;
  const parsed = await readMail(file, bytes, sourceTypeOf(file, true, folder));
  if (!parsed.ok) return none({ refused: parsed.trouble.message });
  const known = parsed.event.from !== null && targets.index.knowsSender(parsed.event.from);
  const event = { ...parsed.event, sourceType: sourceTypeOf(file, known, folder) };
  const extraction = extractSignals(event, targets.index, {
    now: new Date(space.now()),
    confidenceOf: (source) => instinctOf(space, source).confidence,
  });
  const signals = extraction.signals.flatMap((draft) => writeSignal(space, draft) ?? []);
  return { signals, outcome: { signals: signals.length, skipped: extraction.skipped, refused: null } };
}

// The same event yields the same signal, under the same name: one that is there already is left as it is.
function writeSignal(space: Workspace, draft: SignalDraft): string | null {
  const { id, ...fields } = draft;
  const path = `${space.vault.layout.folders.signal}/${id}.md`;
  const frontmatter = { ...fields, applied_at: null, audit_record_path: null };
  const body = [inert(draft.headline), `> ${inert(draft.raw_quote)}`, inert(draft.reasoning)].join('\n\n');
  if (!createNote(space, path, noteText(frontmatter, body))) return null;
  const candidates = draft.target_ambiguous ? draft.target_candidates : [];
  space.say({ what: 'signal-written', signal: path, target: draft.target_path, headline: draft.headline, candidates });
  space.vault.look([path]);
  return path;
}
