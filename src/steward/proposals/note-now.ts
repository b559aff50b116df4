import type { TargetRecord } from '../../vault/index/record.ts';
import { stateMeant } from '../../vault/records/status-words.ts';
import type { State } from '../../vault/records/values.ts';
import type { NoteSnapshot } from '../../vault/transaction/note-snapshot.ts';
import type { Notes, Records } from '../ports/space.ts';

/** A note as it is now; `gone` where there is none, null where it is no task or matter, or cannot be read just now. */
export type NoteNow = { readonly snapshot: NoteSnapshot; readonly state: State } | 'gone' | null;

/** Returns a note as it is now, judged by a snapshot of it; without one, the note is read. */
export function noteNow(space: Records & Notes, path: string, known: NoteSnapshot | null): NoteNow {
  const record = space.vault.catalogue.get(path);
  if (record === undefined) return 'gone';
  if (record.kind !== 'task' && record.kind !== 'matter') return null;
  const snapshot = known ?? space.notes.fresh(path);
  return snapshot === null ? null : { snapshot, state: stateIn(space, record, snapshot) };
}

/** Returns the state that a snapshot of a note shows: it may have changed since it was catalogued. */
export function stateIn({ vault }: Records, { fields }: TargetRecord, { data }: NoteSnapshot): State {
  return stateMeant(data[fields.state_field], vault.catalogue.words) ?? fields.state;
}
