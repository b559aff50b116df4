import { TARGET_EVIDENCE, type TargetEvidence } from '../../vault/records/signal.ts';
import { coverageOf } from './coverage.ts';
import type { DirectMatch } from './direct-match.ts';
import type { TargetCandidate, TargetIndex } from './target-index.ts';
import type { TargetQuery } from './target-query.ts';

/** What an event has that points to notes, by path. */
interface Leads {
  readonly matches: ReadonlyMap<string, DirectMatch>;
  /** The notes to which the search by words leads. */
  readonly searched: ReadonlySet<string>;
  /** The notes of which the event has a number or code that no other open note has. */
  readonly referenced: ReadonlySet<string>;
}

/**
 * Returns the kinds of evidence by which an event leads to a note. A matter's sender speaks for its tasks as well, and its
 * name or keyword for a task of which the event has words that are not the matter's.
 */
export function evidenceFor(
  note: TargetCandidate,
  { matches, searched, referenced }: Leads,
  index: TargetIndex,
  query: TargetQuery,
): readonly TargetEvidence[] {
  const own = matches.get(note.path);
  const matter = note.matterPath === null ? undefined : matches.get(note.matterPath);
  const found = new Set<TargetEvidence>(own?.phrases);
  if (own?.isLinkedAlone === true) found.add('link');
  if (referenced.has(note.path)) found.add('reference');
  const { share, shown } = coverageOf(note, query, index);
  // The words of a name that the event has as a whole are not counted again one by one.
  if (found.size === 0 && (share > 0 || searched.has(note.path))) found.add('words');
  if (found.size > 0 && hasOwnWord(shown, note, index)) for (const kind of matter?.phrases ?? []) found.add(kind);
  if ((own?.sender ?? matter?.sender ?? null) !== null) found.add('sender');
  return TARGET_EVIDENCE.filter((kind) => found.has(kind));
}

function hasOwnWord(shown: readonly string[], { matterPath }: TargetCandidate, index: TargetIndex): boolean {
  const matter = matterPath === null ? null : index.get(matterPath);
  if (matter === null) return false;
  const shared = new Set([matter.name, ...matter.aliases, ...matter.keywords].flatMap((name) => index.telling(name)));
  return shown.some((word) => !shared.has(word));
}
