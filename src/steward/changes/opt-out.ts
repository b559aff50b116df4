import type { TargetRecord } from '../../vault/index/record.ts';
import type { Records } from '../ports/space.ts';

/** Whether the program keeps its hands off a note: its own word, or its matter's. */
export function isHandsOff(space: Records, target: TargetRecord): boolean {
  if (!target.fields.steward) return true;
  return target.kind === 'task' && space.vault.catalogue.matterOf(target)?.fields.steward === false;
}
