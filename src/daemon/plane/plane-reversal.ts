import { editedText, type FieldEdit } from '../../vault/frontmatter/edit.ts';
import { fieldLine } from '../../vault/notes/note-text.ts';
import type { Frontmatter, Yaml } from '../../vault/records/values.ts';
import { nameTimeExact } from '../../vault/time.ts';
import { textStep } from '../../vault/transaction/steps.ts';
import type { WriteAccess } from '../context/ports.ts';
import { reversalsOf } from './plane-orders.ts';

/**
 * Lets the reversal of an event say that it was taken back in Plane as well, and what was not. Returns when to look again
 * (epoch ms) where somebody is editing the note, else null.
 */
export function settleReversal(space: WriteAccess, event: string): number | null {
  const order = space.context.state.get('plane')[event];
  if (order?.wants !== 'unsaid' || !order.done) return null;
  const remark = order.remark === null ? null : fieldLine(order.remark);
  const waits = reversalsOf(space, event).map(({ path, name }) => sayIn(space, path, name, remark));
  return waits.find((until) => until !== null) ?? null;
}

function sayIn(space: WriteAccess, path: string, name: string, remark: string | null): number | null {
  const note = space.notes.fresh(path);
  if (note === null) return null;
  const edits = [...edit(note.data, 'plane_revert_applied', true), ...edit(note.data, 'plane_remark', remark)];
  if (edits.length === 0) return null;
  if (note.settledAt > space.context.now()) return note.settledAt;
  const text = editedText(path, note.text, edits);
  if (text === null || text === note.text) return null;
  const id = `plane-${nameTimeExact(space.context.now())}-${name}`;
  return space.transactions.commit(id, [textStep(path, note.text, text)]) ? null : space.context.now() + 1000;
}

function edit(data: Frontmatter, field: string, value: Yaml): FieldEdit[] {
  const held = data[field] ?? null;
  return held === value || value === null ? [] : [{ op: 'set', field, value }];
}
