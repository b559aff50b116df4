import type { SignalDraft } from '../stream/draft.ts';
import { liesIn, readIn, signalBody } from '../vault/choice-words.ts';
import { sealSignal } from '../vault/index-keys.ts';
import { stem } from '../vault/note-names.ts';
import { noteText } from '../vault/note-text.ts';
import { writtenPlaces } from '../vault/notes/note-places.ts';
import { streamFileOf } from '../vault/notes/stream-path.ts';
import { escapeMarkdown, linkTo } from '../vault/notes.ts';
import type { WriteAccess } from './context.ts';
import { accountOf } from './context-fleeting.ts';

/**
 * Writes a signal into a note of its own and returns its vault-relative path. The same event yields the same signal
 * under the same name: a note that is already there stays as it is, and null is returned.
 */
export function writeSignal(space: WriteAccess, draft: SignalDraft): string | null {
  const { id, time, ...fields } = draft;
  if (isThere(space, id)) return null;
  const path = space.transactions.signalPath(id);
  const frontmatter = sealSignal(space.context.seal, path, { ...fields, applied_at: null, audit_record_path: null });
  const note = (file: string) => linkToNote(space, file);
  const text = signalBody(draft, { note, where: whereRead(space, draft.source_event_path) });
  if (!space.transactions.create(path, noteText(frontmatter, text))) return null;
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

// By its name, or by its path where the name leads to another.
function linkToNote({ vault }: WriteAccess, path: string): string {
  const name = stem(path);
  return linkTo(vault.catalogue.resolve(name, ['task', 'matter'])?.path === path ? name : path.replace(/\.md$/i, ''));
}

// A file that the vault does not keep would be made anew by whoever follows the link.
function whereRead(space: WriteAccess, source: string): string {
  const account = accountOf(space.context, source);
  if (account !== null) return liesIn(account);
  const { streams, catalogue } = space.vault;
  const file = streams.has(source) ? source : streamFileOf(source);
  if (catalogue.get(file) !== undefined) return readIn(linkToNote(space, file));
  return readIn(streams.has(file) ? linkTo(file) : escapeMarkdown(file));
}
