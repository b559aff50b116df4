import { permitted } from '../../steward/changes/field-mapping.ts';
import { mutationContext, type Permission } from '../../steward/changes/permission.ts';
import type { TargetRecord } from '../../vault/index/record.ts';
import type { NoteSnapshot } from '../../vault/transaction/note-snapshot.ts';
import type { IndexAccess } from '../context/ports.ts';
import type { Decision } from './decision.ts';

/** Whether a decision may write what it asks for into the note, and whether a person must confirm it. */
export function permissionFor(
  space: IndexAccess,
  target: TargetRecord,
  note: NoteSnapshot,
  decision: Decision,
): Permission {
  const permission = permitted(
    decision,
    mutationContext(space, target, note.data),
    space.context.settings.field_mapping,
  );
  const leftToPerson = decision.again || decision.decision === 'needs_input';
  return permission.ok && leftToPerson ? { ...permission, needsPerson: true } : permission;
}
