import { permitted } from '../../steward/changes/field-mapping.ts';
import type { MutationContext, Permission } from '../../steward/changes/permission.ts';
import type { TargetRecord } from '../../vault/index/record.ts';
import { localDate } from '../../vault/time.ts';
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
  const permission = permitted(decision, contextFor(space, target, note), space.context.settings.field_mapping);
  const leftToPerson = decision.again || decision.decision === 'needs_input';
  return permission.ok && leftToPerson ? { ...permission, needsPerson: true } : permission;
}

/** Returns what the rules of writing need to know about a note. */
export function contextFor(space: IndexAccess, target: TargetRecord, note: NoteSnapshot): MutationContext {
  const { catalogue } = space.vault;
  return {
    kind: target.kind,
    fields: note.data,
    state: target.fields.state,
    stateField: target.kind === 'task' ? target.fields.state_field : 'state',
    editable: space.context.settings.editable_fields,
    protectedFields: space.context.settings.protected_fields,
    matterExists: (link) => catalogue.resolve(link, ['matter'])?.kind === 'matter',
    noteExists: (link) => catalogue.exists(link),
    today: localDate(space.context.now()),
  };
}
