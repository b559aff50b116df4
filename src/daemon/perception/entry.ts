import { matterField } from '../../steward/ports/matter-link.ts';
import type { TargetRecord } from '../../vault/index/record.ts';
import type { NoteSnapshot } from '../../vault/transaction/note-snapshot.ts';
import { SEEN_ONLY } from '../../vault/words/perception-words.ts';
import { modeOf } from '../context/effective-mode.ts';
import type { WriteAccess } from '../context/ports.ts';
import type { Decision } from '../decide/decision.ts';
import { type EventNote, eventNoteText, NO_MARKS } from '../decide/event-note.ts';
import { permissionFor } from '../decide/permission.ts';

/** Something that a person should see, about one note. */
export interface Noticed {
  readonly decision: 'needs_input' | 'stale_archive_candidate';
  readonly verdict: Decision;
  /** What it is, as one text that can be compared. */
  readonly key: string;
}

/**
 * Writes the event note that puts something to a person: a question, or the proposal to archive, which only they can
 * confirm. The note itself stays as it is in every mode, without a flag: nothing was decided. Returns its path; null where
 * the note has changed meanwhile.
 */
export function writeEntry(
  space: WriteAccess,
  target: TargetRecord,
  note: NoteSnapshot,
  noticed: Noticed,
): string | null {
  const now = space.context.now();
  const event = space.transactions.eventPath('steward-action', target.path, now);
  const text = eventNoteText(entryNote(space, target, note, noticed, now), event, space.context.seal);
  if (space.notes.fresh(note.path)?.sha !== note.sha) return null;
  if (!space.transactions.commit(event, [{ do: 'create', path: event, text }])) return null;
  space.context.emit({ what: 'perceived', event, target: target.path, sentence: noticed.verdict.reasoning });
  return event;
}

function entryNote(
  space: WriteAccess,
  target: TargetRecord,
  note: NoteSnapshot,
  { decision, verdict, key }: Noticed,
  now: number,
): EventNote {
  const isLive = modeOf(space.context, null) !== 'shadow';
  const permission = decision === 'needs_input' ? null : permissionFor(space, target, note, archiving(verdict));
  const changes = permission?.ok ? permission.changes : {};
  return {
    ...{ type: 'steward-action', now, target: target.path, decision, confidence: verdict.confidence },
    ...{ mode: isLive ? 'live' : 'shadow', outcome: isLive ? 'propose' : 'record', asks: true, perceived: key },
    ...{ priorState: target.fields.state, prior: note.data, changes, evidence: [], contributions: {} },
    ...{ signals: [], signalsSummary: '', evaluator: verdict.evaluator, usage: verdict.usage ?? null },
    ...{ reasoning: verdict.reasoning, gates: [], refusal: null },
    person: Object.keys(changes).length === 0 ? null : SEEN_ONLY,
    ...NO_MARKS,
    ...matterField(space.vault, target.path),
    noteSha: note.sha,
  };
}

function archiving(verdict: Decision): Decision {
  return { ...verdict, changes: [{ field: 'state', op: 'set', value: 'archived' }] };
}
