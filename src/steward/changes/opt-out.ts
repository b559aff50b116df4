import type { TargetRecord } from '../../vault/index/record.ts';
import type { Records } from '../ports/space.ts';

/** Returns whether the program keeps its hands off a note: it says `steward: false`, or its matter does. */
export function isHandsOff(space: Records, target: TargetRecord): boolean {
  if (!target.fields.steward) return true;
  return target.kind === 'task' && space.vault.catalogue.matterOf(target)?.fields.steward === false;
}
