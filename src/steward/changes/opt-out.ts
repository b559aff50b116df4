import type { TargetRecord } from '../../vault/index/record.ts';
import type { Records } from '../ports/space.ts';

/**
 * Returns whether the program keeps its hands off a note: it says `steward: false` or has a status that nothing explains,
 * or its matter does.
 */
export function isHandsOff(space: Records, target: TargetRecord): boolean {
  return handsOffReason(space, target) !== null;
}

/** Returns why the program keeps its hands off a note, as a sentence; null where it does not. */
export function handsOffReason({ vault }: Records, target: TargetRecord): string | null {
  if (!target.fields.steward) return `${target.name} says ${offWords(target)}.`;
  const matter = target.kind === 'task' ? vault.catalogue.matterOf(target) : null;
  if (matter === null || matter.fields.steward) return null;
  return matter.fields.unexplained === null
    ? `${target.name} says steward: false.`
    : `${matter.name} says ${offWords(matter)}.`;
}

/** What keeps the hands of the program off a note, as it stands there. */
export function offWords({ fields }: TargetRecord): string {
  return fields.unexplained === null
    ? 'steward: false'
    : `status: ${fields.unexplained}, which the settings do not explain`;
}
