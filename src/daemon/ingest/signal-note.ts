import type { SignalDraft } from '../../stream/draft.ts';
import { sealSignal } from '../../vault/index/seals.ts';
import { escapeMarkdown } from '../../vault/notes/escape.ts';
import { writtenPlaces } from '../../vault/notes/note-places.ts';
import { noteText } from '../../vault/notes/note-text.ts';
import type { WriteAccess } from '../context/ports.ts';

/**
 * Writes a signal into a note of its own and returns its vault-relative path. The same event yields the same signal
 * under the same name: a note that is already there stays as it is, and null is returned.
 */
export function writeSignal(space: WriteAccess, draft: SignalDraft): string | null {
  const { id, ...fields } = draft;
  if (isThere(space, id)) return null;
  const path = space.transactions.signalPath(id);
  const frontmatter = sealSignal(space.context.seal, path, { ...fields, applied_at: null, audit_record_path: null });
  const body = [
    escapeMarkdown(draft.headline),
    `> ${escapeMarkdown(draft.raw_quote)}`,
    escapeMarkdown(draft.reasoning),
    ...(draft.warnings ?? []).map((one) => `Beware: ${escapeMarkdown(one)}`),
    ...(draft.doubts ?? []).map((one) => `Proposed at most: ${escapeMarkdown(one)}`),
  ].join('\n\n');
  if (!space.transactions.create(path, noteText(frontmatter, body))) return null;
  space.context.emit({
    what: 'signal-written',
    signal: path,
    target: draft.target_path,
    headline: draft.headline,
    candidates: draft.target_ambiguous ? draft.target_candidates : [],
  });
  space.vault.look([path]);
  return path;
}

// Wherever it lies: where an earlier version put it, or a person moved it. What has just arrived there is read first.
function isThere({ vault }: WriteAccess, name: string): boolean {
  const { layout } = vault;
  vault.look(writtenPlaces(layout.folders.signal, name));
  return vault.catalogue.named(name).some(({ path }) => layout.folderKindOf(path) === 'signal');
}
