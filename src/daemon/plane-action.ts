import { planeId } from '../plane/access.ts';
import type { PlaneAction } from '../plane/order.ts';
import { ourName } from '../steward/changes.ts';
import type { TargetRecord } from '../vault/index/record.ts';
import { stem } from '../vault/note-names.ts';
import type { State } from '../vault/records/values.ts';
import type { Changes, UndoRecipe } from '../vault/records.ts';
import { stateMeant } from '../vault/status-words.ts';
import type { IndexAccess } from './context.ts';

/**
 * Returns what Plane is to be told of a change of a note; null where nothing: without Plane in the environment, for a
 * matter, and where the task or its matter names no work item.
 */
export function planeActionFor(space: IndexAccess, target: TargetRecord, changes: Changes): PlaneAction | null {
  if (space.context.env.plane == null || target.kind !== 'task') return null;
  const issue = planeId.safeParse(target.fields.plane_issue_id);
  const project = planeId.safeParse(space.vault.catalogue.matterOf(target)?.fields.plane_project_id);
  if (!issue.success || !project.success) return null;
  return { project_id: project.data, issue_id: issue.data, state: stateAfter(space, changes) };
}

/** Returns an event's recipe with what would be taken back in Plane. `path`: where the event note will be. */
export function withPlaneRevert(
  recipe: UndoRecipe | null,
  action: PlaneAction | null,
  path: string,
): UndoRecipe | null {
  if (recipe === null || action === null) return recipe;
  const { project_id, issue_id, state } = action;
  const revert = { project_id, issue_id, comment: stem(path), state: state === null ? null : 'former' };
  return { ...recipe, plane_revert: revert };
}

function stateAfter({ context: { settings }, vault }: IndexAccess, changes: Changes): State | null {
  const after = Object.entries(changes).find(([field]) => ourName(field, settings.field_mapping) === 'state')?.[1]
    .after;
  return stateMeant(after, vault.catalogue.words);
}
