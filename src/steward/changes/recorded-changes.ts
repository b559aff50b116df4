import type { FieldMapping } from '../../vault/index/record.ts';
import type { Yaml } from '../../vault/records/values.ts';
import type { BeforeAfter, Changes, FieldChange } from '../../vault/records.ts';
import { type StatusWords, stateMeant } from '../../vault/status-words.ts';
import { ourName } from '../changes.ts';

/**
 * Returns a proposal's recorded changes as changes to make: list members are added and removed, everything else is set,
 * a state as the program calls it.
 */
export function recordedChanges(changes: Changes, mapping: FieldMapping, words: StatusWords): FieldChange[] {
  return Object.entries(changes).flatMap(([written, change]) => {
    const field = ourName(written, mapping);
    if (field === 'parent_matter') return [{ field, op: 'set', value: members(change.after)[0] ?? null }];
    if (field === 'state')
      return [{ field: written, op: 'set', value: stateMeant(change.after, words) ?? change.after }];
    return listChanges(field, change) ?? [{ field: written, op: 'set', value: change.after }];
  });
}

function listChanges(field: string, { before, after }: BeforeAfter): FieldChange[] | null {
  if (!field.startsWith('related_') && !Array.isArray(after)) return null;
  const [former, latter] = [members(before), members(after)];
  const added = latter.filter((member) => !former.includes(member));
  const removed = former.filter((member) => !latter.includes(member));
  return [
    ...(added.length === 0 ? [] : [{ field, op: 'add' as const, value: added }]),
    ...(removed.length === 0 ? [] : [{ field, op: 'remove' as const, value: removed }]),
  ];
}

function members(value: Yaml): string[] {
  if (value === null) return [];
  return (Array.isArray(value) ? value : [value]).map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
}
