import type { Workspace } from '../../daemon/context/ports.ts';
import type { TargetRecord } from '../../vault/index/record.ts';

/** Whether the program keeps its hands off a note: its own word, or its matter's. */
export function isHandsOff(space: Workspace, target: TargetRecord): boolean {
  if (!target.fields.steward) return true;
  return target.kind === 'task' && space.vault.catalogue.matterOf(target)?.fields.steward === false;
}
